"""A webhook on this machine that does what a test says, and remembers what it was asked."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
# The request of a review -> its response, but for the uid.
Answer = Callable[[Json], Json]


@dataclass
class WebhookServer:
    url: str = ""
    answer: Answer = lambda request: {"allowed": True}
    # Instead of an answer: status and body.
    raw: tuple[int, bytes] | None = None
    reviews: list[Json] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    # Whoever asks waits until the test sets it.
    go_on: threading.Event = field(default_factory=threading.Event)

    @property
    def requests(self) -> list[Json]:
        return [review["request"] for review in self.reviews]


@contextmanager
def webhook_server() -> Iterator[WebhookServer]:
    described = WebhookServer()
    described.go_on.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            described.reviews.append(review)
            described.paths.append(self.path)
            described.go_on.wait(10)
            status, body = described.raw or (200, _reviewed(described.answer, review))
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    described.url = f"http://127.0.0.1:{server.server_port}/mutate"
    try:
        yield described
    finally:
        described.go_on.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _reviewed(answer: Answer, review: Json) -> bytes:
    response = {"uid": review["request"]["uid"], **answer(review["request"])}
    return json.dumps({"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response}).encode()


def patching(*operations: Json) -> Answer:
    """Allow, with a patch."""
    encoded = base64.b64encode(json.dumps(operations).encode()).decode()
    return lambda request: {"allowed": True, "patchType": "JSONPatch", "patch": encoded}


def adding(path: str, value: Any) -> Answer:
    return patching({"op": "add", "path": path, "value": value})


def a_webhook_configuration(name: str = "pods", *, url: str, **webhook: Any) -> Json:
    """One webhook that hears of every new pod."""
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE"]}
    entry = {
        "name": f"{name}.example.com",
        "clientConfig": {"url": url},
        "rules": [rule],
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        **webhook,
    }
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingWebhookConfiguration",
        "metadata": {"name": name},
        "webhooks": [entry],
    }
