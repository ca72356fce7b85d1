"""A scheduler extender in one file: python docs/examples/extender.py [port]

filter      keeps pods with the label `quiet: "true"` off nodes with the label `noisy: "true"`
prioritize  prefers nodes whose names come late in the alphabet

docs/howto/run-an-extender.md says how a cluster is made to ask it.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def labels(manifest: dict[str, Any]) -> dict[str, str]:
    return manifest["metadata"].get("labels") or {}


def filter_nodes(args: dict[str, Any]) -> dict[str, Any]:
    """What is neither in Nodes nor in FailedNodes is dropped without a reason."""
    quiet = labels(args["Pod"]).get("quiet") == "true"
    passed, failed = [], {}
    for node in args["Nodes"]["items"]:
        if quiet and labels(node).get("noisy") == "true":
            failed[node["metadata"]["name"]] = "node(s) were too noisy"
        else:
            passed.append(node)
    return {"Nodes": {"items": passed}, "FailedNodes": failed}


def prioritize_nodes(args: dict[str, Any]) -> list[dict[str, Any]]:
    """Scores from 0 to 10; the scheduler multiplies them by the extender's weight and by 10."""
    names = sorted(node["metadata"]["name"] for node in args["Nodes"]["items"])
    last = max(len(names) - 1, 1)
    return [{"Host": name, "Score": 10 * place // last} for place, name in enumerate(names)]


class Extender(BaseHTTPRequestHandler):
    verbs = {"/filter": filter_nodes, "/prioritize": prioritize_nodes}
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        args = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        verb = self.verbs.get(self.path)
        answer = json.dumps(verb(args) if verb else {"Error": f"no verb {self.path}"}).encode()
        self.send_response(200 if verb else 404)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8888
    ThreadingHTTPServer(("127.0.0.1", port), Extender).serve_forever()
