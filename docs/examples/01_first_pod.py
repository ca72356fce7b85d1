"""A first pod over HTTP: where did it go, and why there?

Start the playground with `./dev up`, then run

    .venv/bin/python docs/examples/01_first_pod.py [http://127.0.0.1:8000]

Any Python that has `httpx` will do; the playground's own has it.
"""

import sys

import httpx

NODES = """\
apiVersion: v1
kind: Node
metadata: {name: quiet, labels: {disktype: ssd}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: tainted}
spec: {taints: [{key: dedicated, value: gpu, effect: NoSchedule}]}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: tiny}
status: {allocatable: {cpu: 250m, memory: 8Gi, pods: "110"}}
"""

POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "first"},
    "spec": {
        "containers": [
            {
                "name": "app",
                "image": "nginx:1.29",
                "resources": {"requests": {"cpu": "500m", "memory": "256Mi"}},
            }
        ]
    },
}


def call(response: httpx.Response) -> dict:
    """The answer as JSON, or the server's own words about what is wrong."""
    if response.is_error:
        sys.exit(f"{response.request.method} {response.request.url}: {response.text}")
    return response.json() if response.content else {}


def main(address: str) -> None:
    with httpx.Client(base_url=address, timeout=60) as http:
        cluster = call(http.post("/api/clusters/", json={"name": "first pod", "preset": "empty"}))["id"]
        try:
            applied = call(
                http.post(
                    f"/api/clusters/{cluster}/apply/", content=NODES, headers={"Content-Type": "application/yaml"}
                )
            )
            for result in applied["results"]:
                print(f"{result['kind']}/{result['name']} {result['result']}")

            call(http.post(f"/k8s/{cluster}/api/v1/namespaces/default/pods", json=POD))
            summary = call(http.post(f"/api/clusters/{cluster}/run-until-idle/", json={"timeout_seconds": 30}))
            print(f"scheduled: {summary['scheduled']}, pending: {summary['pending']}")

            pod = call(http.get(f"/k8s/{cluster}/api/v1/namespaces/default/pods/first"))
            print(f"first runs on {pod['spec']['nodeName']}")

            decisions = call(http.get(f"/api/clusters/{cluster}/decisions/", params={"pod": "first"}))
            newest = decisions["results"][0]
            for line in newest["rejected"]:
                print(f"{line['count']} x {line['plugin']}: {line['reason']}")
        finally:
            http.delete(f"/api/clusters/{cluster}/")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
