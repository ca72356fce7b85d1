"""Calling webhooks: the only place here that waits for a network. Never inside a transaction.

`call_webhooks` asks several at once and answers when all have answered or run
out of time; `call_webhook` never raises, whatever comes back: an answer nobody
can use is a verdict too, with `failure` saying why.
"""

from __future__ import annotations

import base64
import binascii
import math
import time
import uuid
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from playground.clusters.admission.mutation.verdicts import Verdict, Verdicts, WebhookCall
from playground.common.outgoing import CallFailed, TargetRefused, Tls, post_json

REVIEW = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}
DEFAULT_SECONDS = 10
# An answer is a patch of one object; Kubernetes reads 3 MB.
MOST_ANSWER_BYTES = 3 * 1024 * 1024
# Calls of one write at the same time. Each write has threads of its own: nobody waits for another's webhook.
AT_ONCE = 16
MOST_WARNINGS, WARNING_LENGTH = 20, 256


def call_webhooks(calls: Sequence[WebhookCall], verdicts: Verdicts, *, deadline: float = math.inf) -> None:
    """Ask all, until `deadline` (time.monotonic()) at the longest."""
    batch = _Batch(deadline)
    with ThreadPoolExecutor(max_workers=min(AT_ONCE, len(calls)), thread_name_prefix="webhooks") as pool:
        for call, verdict in zip(calls, pool.map(batch.ask, calls), strict=True):
            verdicts.add(call, verdict)


class _Batch:
    """Calls of one write. A webhook that must be heard and could not be is not tried for the rest of them."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._failed: dict[str, Verdict] = {}

    def ask(self, call: WebhookCall) -> Verdict:
        known = self._failed.get(call.name)
        if known is not None:
            return known
        verdict = call_webhook(call, deadline=self._deadline)
        if verdict.failure and call.webhook.get("failurePolicy") != "Ignore":
            self._failed[call.name] = verdict
        return verdict


def call_webhook(call: WebhookCall, *, deadline: float) -> Verdict:
    left = deadline - time.monotonic()
    if left <= 0:
        return Verdict(failure="failed to call webhook: context deadline exceeded: the request has no time left")
    seconds = min(float(call.webhook.get("timeoutSeconds") or DEFAULT_SECONDS), left)
    uid = str(uuid.uuid4())
    body = msgspec.json.encode({**REVIEW, "request": {"uid": uid, **msgspec.json.decode(call.request)}})
    config = call.webhook["clientConfig"]
    try:
        answer = post_json(
            _url(config["url"], seconds), body, timeout=seconds, tls=_tls(config), most_bytes=MOST_ANSWER_BYTES
        )
    except (CallFailed, TargetRefused) as error:
        return Verdict(failure=f"failed to call webhook: {error}")
    if not 200 <= answer.status < 300:
        return Verdict(failure=f"failed to call webhook: {_refusal(answer.status, answer.body)}")
    try:
        return read_review(answer.body, uid)
    except ReviewError as error:
        return Verdict(failure=str(error))


def _url(url: str, seconds: float) -> str:
    """The webhook is told how long it has, as Kubernetes tells it."""
    whole = max(1, int(-(-seconds // 1)))
    return f"{url}{'&' if '?' in url else '?'}timeout={whole}s"


def _tls(config: Mapping[str, Any]) -> Tls:
    encoded = config.get("caBundle")
    return Tls(ca=base64.b64decode(encoded).decode("ascii", "replace")) if encoded else Tls()


def _refusal(status: int, body: bytes) -> str:
    """What an answer that is no 200 comes to: its text where it is short and readable."""
    if 300 <= status < 400:
        return f"the server answered {status}; redirects are not followed"
    text = body[:200].decode("utf-8", "replace").strip()
    return f"the server answered {status}" + (f": {text}" if text.isprintable() and text else "")


# What is in an answer


class ReviewError(Exception):
    """An answer that is no AdmissionReview of this request."""


def read_review(body: bytes, uid: str) -> Verdict:
    """Raises ReviewError."""
    try:
        review = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        raise ReviewError("failed to call webhook: the answer is not JSON") from None
    return _read(review, uid)


def _read(review: Any, uid: str) -> Verdict:
    if not isinstance(review, dict) or not isinstance(review.get("response"), dict):
        raise _invalid("webhook response was absent")
    named = {key: review.get(key) for key in REVIEW}
    if named != REVIEW:
        given = f"{named['apiVersion']}, Kind={named['kind']}"
        raise _invalid(f"expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got {given}")
    response = review["response"]
    if response.get("uid") != uid:
        raise _invalid(f'expected response.uid="{uid}", got "{response.get("uid", "")}"')
    status = response.get("status")
    return Verdict(
        # Kubernetes decodes an absent `allowed` as false.
        allowed=response.get("allowed") is True,
        status=status if isinstance(status, dict) else None,
        patch=_patch(response),
        warnings=_warnings(response.get("warnings")),
    )


def _invalid(why: str) -> ReviewError:
    return ReviewError(f"received invalid webhook response: {why}")


def _patch(response: Mapping[str, Any]) -> tuple[Any, ...]:
    encoded, kind = response.get("patch"), response.get("patchType")
    if not encoded and not kind:
        return ()
    if not encoded:
        raise _invalid("webhook returned response.patchType but not response.patch")
    if not kind:
        raise _invalid("webhook returned response.patch but not response.patchType")
    if kind != "JSONPatch":
        raise _invalid(f'webhook returned invalid response.patchType of "{kind}"')
    try:
        operations = msgspec.json.decode(base64.b64decode(encoded, validate=True))
    except (TypeError, ValueError, binascii.Error, msgspec.DecodeError, RecursionError) as error:
        raise ReviewError(f"received undecodable patch in webhook response: {error}") from None
    if not isinstance(operations, list):
        raise ReviewError("received undecodable patch in webhook response: a JSON patch is a list of operations")
    return tuple(operations)


def _warnings(warnings: Any) -> tuple[str, ...]:
    """As headers can carry them: printable, short, few."""
    if not isinstance(warnings, list):
        return ()
    texts = [each for each in warnings if isinstance(each, str)][:MOST_WARNINGS]
    return tuple("".join(c if c.isprintable() else " " for c in text)[:WARNING_LENGTH] for text in texts)
