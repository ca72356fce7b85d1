"""Errors a caller is meant to see, each with its HTTP code and its Kubernetes reason.

Services raise them; the doors turn them into the shape of their surface: a
Kubernetes `Status` under /k8s/, `{"error": ...}` under /api/. Anything else
that is raised is a bug and answered with 500, without its inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One thing wrong with one field."""

    # As Kubernetes writes paths: `spec.containers[0].resources.requests[cpu]`; "" is the whole object.
    path: str
    message: str
    # Kubernetes' cause reason: FieldValueInvalid, FieldValueRequired, ...
    reason: str = "FieldValueInvalid"
    # Which document of a stream, counted from 1; None outside of streams.
    document: int | None = None
    # In the text of an expression, counted from 1; None where that is not known.
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The object an error is about, as `details` of a Status names it."""

    name: str = ""
    group: str = ""
    # The plural, as Kubernetes has it in `details.kind`.
    kind: str = ""
    uid: str = ""


@dataclass(eq=False)
class ApiError(Exception):
    """Base of all errors with an answer of their own."""

    message: str
    causes: Sequence[Cause] = ()
    subject: Subject = field(default_factory=Subject)
    retry_after_seconds: int | None = None

    code: ClassVar[int] = 500
    reason: ClassVar[str] = "InternalError"

    def __str__(self) -> str:
        return self.message


class BadRequest(ApiError):
    code, reason = 400, "BadRequest"


class Forbidden(ApiError):
    code, reason = 403, "Forbidden"


class NotFound(ApiError):
    code, reason = 404, "NotFound"


class MethodNotAllowed(ApiError):
    code, reason = 405, "MethodNotAllowed"


class NotAcceptable(ApiError):
    code, reason = 406, "NotAcceptable"


class AlreadyExists(ApiError):
    code, reason = 409, "AlreadyExists"


class Conflict(ApiError):
    code, reason = 409, "Conflict"


class Expired(ApiError):
    """The feed no longer goes back to the version that was asked for."""

    code, reason = 410, "Expired"


class ServiceUnavailable(ApiError):
    """Nothing was done, and nothing the caller sent is the reason."""

    code, reason = 503, "ServiceUnavailable"


class FromTheFuture(ApiError):
    """A version was asked for that is not there yet; Kubernetes waits a while and then says Timeout."""

    code, reason = 504, "Timeout"


class TooLarge(ApiError):
    code, reason = 413, "RequestEntityTooLarge"


class UnsupportedMediaType(ApiError):
    code, reason = 415, "UnsupportedMediaType"


class Invalid(ApiError):
    code, reason = 422, "Invalid"


class TooManyRequests(ApiError):
    code, reason = 429, "TooManyRequests"


class FenceLost(ApiError):
    """Somebody else holds the lease now: nothing of this transaction may be written."""

    code, reason = 409, "Conflict"
