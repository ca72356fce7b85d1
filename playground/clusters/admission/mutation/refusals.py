"""How admission's refusals are worded and coded, as kube-apiserver does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playground.clusters.admission.mutation.request import AdmissionRequest
from playground.common.errors import ApiError, BadRequest, Cause, Forbidden, Subject


class WebhookFailed(ApiError):
    """A webhook that must be heard could not be."""

    code, reason = 500, "InternalError"


class WebhookDenied(ApiError):
    """A webhook said no, with a code and reason of its own choice."""

    def __init__(self, message: str, *, code: int, reason: str, causes: list[Cause]) -> None:
        super().__init__(message, causes)
        # Its own, where other errors have their class's.
        self.code, self.reason = code, reason  # type: ignore[misc]


class PolicyFailed(ApiError):
    """A policy that must be applied could not be."""

    code, reason = 403, "Invalid"


def webhook_failed(name: str, why: str) -> WebhookFailed:
    text = f'failed calling webhook "{name}": {why}'
    return WebhookFailed(f"Internal error occurred: {text}", [Cause(path="", message=text, reason="InternalError")])


def webhook_denied(name: str, status: Mapping[str, Any] | None) -> WebhookDenied:
    status = status or {}
    denied = f'admission webhook "{name}" denied the request'
    why = status.get("message") or status.get("reason")
    code = status.get("code")
    details = status.get("details")
    listed = details.get("causes") if isinstance(details, Mapping) else None
    causes = [
        Cause(path=str(each.get("field", "")), message=str(each.get("message", "")))
        for each in listed or ()
        if isinstance(each, Mapping)
    ]
    return WebhookDenied(
        f"{denied}: {why}" if why else f"{denied} without explanation",
        code=code if isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600 else 400,
        reason=str(status.get("reason") or ""),
        causes=causes,
    )


def dry_run_unsupported(name: str) -> BadRequest:
    return BadRequest(f'admission webhook "{name}" does not support dry run')


def conditions_failed(request: AdmissionRequest, why: str) -> Forbidden:
    return Forbidden(f'{request.kind.resource} "{request.name}" is forbidden: {why}', subject=_subject(request))


def policy_failed(request: AdmissionRequest, failures: list[str]) -> PolicyFailed:
    """All of them are told as causes, the first is the message."""
    return PolicyFailed(failures[0], [Cause(path="", message=each) for each in failures], subject=_subject(request))


def _subject(request: AdmissionRequest) -> Subject:
    return Subject(name=request.name, group=request.kind.group, kind=request.kind.plural)
