"""Changing pods as they are created: a policy in CEL, then a webhook of one's own.

Start the playground with `./dev up`, then run

    .venv/bin/python docs/examples/02_mutate_pods.py [http://127.0.0.1:8000]

The webhook is served by this very script, in a thread: it puts the pods of a
Deployment into two lanes, in turn, and says no to pods without an owner label.
"""

import base64
import itertools
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

POLICY = """\
apiVersion: admissionregistration.k8s.io/v1beta1
kind: MutatingAdmissionPolicy
metadata: {name: batch-pods}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]
  matchConditions:
  - name: runs-to-completion
    expression: object.spec.restartPolicy != "Always"
  reinvocationPolicy: Never
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: 'Object{spec: Object.spec{schedulerName: "batch-scheduler"}}'
---
apiVersion: admissionregistration.k8s.io/v1beta1
kind: MutatingAdmissionPolicyBinding
metadata: {name: batch-pods}
spec: {policyName: batch-pods}
"""

WEBHOOK = """\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: lanes}
webhooks:
- name: lanes.example.com
  clientConfig: {url: "http://127.0.0.1:PORT/"}
  rules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]
  sideEffects: None
  admissionReviewVersions: [v1]
"""

PODS = """\
apiVersion: v1
kind: Pod
metadata: {name: report, labels: {owner: ann}}
spec: {restartPolicy: Never, containers: [{name: main, image: "report:1"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: stray}
spec: {containers: [{name: main, image: "stray:1"}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, owner: bob}}
    spec: {containers: [{name: main, image: "web:1"}]}
"""

lanes = itertools.cycle(["left", "right"])
one_at_a_time = threading.Lock()


def review(request: dict) -> dict:
    """The response to an AdmissionReview's request."""
    if "owner" not in (request["object"]["metadata"].get("labels") or {}):
        return {"allowed": False, "status": {"code": 403, "message": "whose pod is this? label it with its owner"}}
    with one_at_a_time:
        patch = [{"op": "add", "path": "/metadata/labels/lane", "value": next(lanes)}]
    return {"allowed": True, "patchType": "JSONPatch", "patch": base64.b64encode(json.dumps(patch).encode()).decode()}


class Webhook(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body["response"] = {"uid": body["request"]["uid"], **review(body.pop("request"))}
        answer = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments: object) -> None:
        """Silence."""


def call(response: httpx.Response) -> dict:
    """The answer as JSON, or the server's own words about what is wrong."""
    if response.is_error:
        sys.exit(f"{response.request.method} {response.request.url}: {response.text}")
    return response.json() if response.content else {}


def main(address: str) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Webhook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with httpx.Client(base_url=address, timeout=60) as http:
        cluster = call(http.post("/api/clusters/", json={"name": "mutation", "preset": "three-zones"}))["id"]
        try:
            for text in (POLICY, WEBHOOK.replace("PORT", str(server.server_port)), PODS):
                yaml = {"Content-Type": "application/yaml"}
                for result in call(http.post(f"/api/clusters/{cluster}/apply/", content=text, headers=yaml))["results"]:
                    error = f": {result['error']['message']}" if result["error"] else ""
                    print(f"{result['kind']}/{result['name']} {result['result']}{error}")
            call(http.post(f"/api/clusters/{cluster}/run-until-idle/", json={"timeout_seconds": 30}))
            pods = call(http.get(f"/k8s/{cluster}/api/v1/namespaces/default/pods"))["items"]
            rows = [
                (pod["metadata"]["labels"].get("app", "report"), pod["metadata"]["labels"]["lane"], pod["spec"])
                for pod in pods
            ]
            for app, lane, spec in sorted(rows, key=lambda row: row[:2]):
                print(f"{app}: lane {lane}, {spec['schedulerName']}, {'bound' if 'nodeName' in spec else 'waiting'}")
        finally:
            http.delete(f"/api/clusters/{cluster}/")
    server.shutdown()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
