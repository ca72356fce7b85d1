"""A webhook on this machine that does what a test says, and remembers what it was asked."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.answering_server import AnsweringServer, Call, Raw

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
    with _Answering(described) as server:
        described.url = server.url("/mutate")
        try:
            yield described
        finally:
            described.go_on.set()


class _Answering(AnsweringServer):
    def __init__(self, described: WebhookServer) -> None:
        super().__init__({})
        self._described = described

    def answer(self, call: Call) -> Raw:
        described = self._described
        described.reviews.append(call.body)
        described.paths.append(call.path)
        described.go_on.wait(10)
        status, body = described.raw or (200, _reviewed(described.answer, call.body))
        return Raw(parts=(body,), status=status)


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
