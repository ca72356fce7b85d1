"""Sharing GPUs by memory, in one file.

    .venv/bin/python docs/examples/gpu_share.py CLUSTER [http://127.0.0.1:8000] [port]

A webhook sends pods that ask for gpushare.example/gpu-mem to `gpu-scheduler`; an extender lets them on nodes that
have a card with so much memory free, notes the fullest such card on the pod, and binds it. What the preset
`gpu-share-lab` does with services of the playground itself; docs/howto/mutate-pods-on-creation.md says more.

    POST /mutate   AdmissionReview           POST /filter   ExtenderArgs, with NodeNames
                                             POST /bind     ExtenderBindingArgs
"""

from __future__ import annotations

import base64
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

MEMORY, COUNT, CARD = "gpushare.example/gpu-mem", "gpushare.example/gpu-count", "gpushare.example/card"

Json = dict[str, Any]
# Two pods must not be given the same room.
one_at_a_time = threading.Lock()


def api(path: str, body: Json | None = None) -> Json:
    address = f"{ADDRESS}/k8s/{CLUSTER}/api/v1/{path}"
    answer = httpx.get(address, timeout=10) if body is None else httpx.post(address, json=body, timeout=10)
    return answer.raise_for_status().json()


def wanted(pod: Json) -> int:
    containers = pod["spec"]["containers"]
    return sum(int((each.get("resources") or {}).get("requests", {}).get(MEMORY, 0)) for each in containers)


def free_per_card(node_name: str) -> list[int]:
    resources = api(f"nodes/{node_name}")["status"]["allocatable"]
    count = int(resources.get(COUNT, 0))
    free = [int(resources[MEMORY]) // count] * count if count else []
    for pod in api(f"pods?fieldSelector=spec.nodeName={node_name}")["items"]:
        card = (pod["metadata"].get("annotations") or {}).get(CARD)
        if card is not None and pod["status"]["phase"] not in ("Succeeded", "Failed"):
            free[int(card)] -= wanted(pod)
    return free


def mutate(review: Json) -> Json:
    request = review["request"]
    response: Json = {"uid": request["uid"], "allowed": True}
    if wanted(request["object"]):
        patch = [{"op": "replace", "path": "/spec/schedulerName", "value": "gpu-scheduler"}]
        response |= {"patchType": "JSONPatch", "patch": base64.b64encode(json.dumps(patch).encode()).decode()}
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response}


def filter_nodes(args: Json) -> Json:
    need = wanted(args["Pod"])
    free = {name: free_per_card(name) for name in args["NodeNames"]}
    failed = {
        name: f"no card with {need} GiB free (free: {cards})"
        for name, cards in free.items()
        if max(cards, default=0) < need
    }
    return {"NodeNames": [name for name in free if name not in failed], "FailedNodes": failed}


def bind(args: Json) -> Json:
    pods = f"namespaces/{args['PodNamespace']}/pods/{args['PodName']}"
    with one_at_a_time:
        need, free = wanted(api(pods)), free_per_card(args["Node"])
        cards = [card for card in range(len(free)) if free[card] >= need]
        if not cards:
            return {"Error": f"{args['Node']}: no card with {need} GiB free (free: {free})"}
        fullest = min(cards, key=lambda card: free[card])
        metadata = {"name": args["PodName"], "uid": args["PodUID"], "annotations": {CARD: str(fullest)}}
        api(f"{pods}/binding", {"metadata": metadata, "target": {"kind": "Node", "name": args["Node"]}})
    return {}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        answer = {"/mutate": mutate, "/filter": filter_nodes, "/bind": bind}.get(self.path.partition("?")[0])
        if answer is None:
            self.send_error(404)
            return
        body = json.dumps(answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    CLUSTER = sys.argv[1]
    ADDRESS = (sys.argv[2] if len(sys.argv) > 2 else "http://127.0.0.1:8000").rstrip("/")
    port = int(sys.argv[3]) if len(sys.argv) > 3 else 8889
    print(f"webhook http://127.0.0.1:{port}/mutate, extender http://127.0.0.1:{port} for cluster {CLUSTER}")
    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
