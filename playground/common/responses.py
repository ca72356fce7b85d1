"""Errors as answers. `/k8s/` speaks Kubernetes' Status, everything else `{"error": ...}`.

    {"error": {"code": "Invalid", "message": "...", "details": [{"path": "...", "message": "...", "document": 1}]}}

Never a traceback: what is not an error of ours is logged and answered with 500.
"""

from __future__ import annotations

import logging
from typing import Any

from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from rest_framework.exceptions import APIException, ErrorDetail, ValidationError
from rest_framework.exceptions import MethodNotAllowed as DRFMethodNotAllowed

from playground.common.errors import (
    ApiError,
    BadRequest,
    Cause,
    Invalid,
    MethodNotAllowed,
    NotFound,
    ServiceUnavailable,
    TooLarge,
    TooManyRequests,
    UnsupportedMediaType,
)

logger = logging.getLogger(__name__)

KUBERNETES_PREFIX = "/k8s/"


def api_error_of(error: BaseException) -> ApiError:
    """Any exception as the error that is told."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, Http404):
        return NotFound(str(error) or "the server could not find the requested resource")
    if isinstance(error, RequestDataTooBig):
        return TooLarge("the body is too large; send it in smaller parts")
    if isinstance(error, ValidationError):
        causes = list(_causes(error.detail, ""))
        return Invalid("; ".join(f"{cause.path}: {cause.message}" for cause in causes), causes)
    if isinstance(error, DRFMethodNotAllowed):
        return MethodNotAllowed(str(error.detail))
    if isinstance(error, APIException) and error.status_code < 500:
        return _BY_CODE.get(error.status_code, BadRequest)(str(error.detail))
    logger.error("internal error", exc_info=error)
    if isinstance(error, OperationalError):
        return _database_trouble(error)
    return ApiError("internal error; the server's log says more")


def _database_trouble(error: OperationalError) -> ServiceUnavailable:
    # SQLite's words: "database or disk is full", "disk I/O error" (a full disk, too, under WAL).
    if "disk" in str(error):
        return ServiceUnavailable(
            "nothing was written: the disk with the playground's data is full or fails; make room"
        )
    return ServiceUnavailable("nothing was written: the database does not answer; the server's log says more")


_BY_CODE: dict[int, type[ApiError]] = {404: NotFound, 415: UnsupportedMediaType, 429: TooManyRequests}


def _causes(detail: Any, path: str) -> Any:
    """DRF's nested details as causes with paths."""
    if isinstance(detail, ErrorDetail | str):
        yield Cause(path=path, message=str(detail))
    elif isinstance(detail, dict):
        for key, inner in detail.items():
            yield from _causes(inner, f"{path}.{key}" if path else str(key))
    else:
        for inner in detail:
            yield from _causes(inner, path)


# Of a cause: where in what was sent.
_PLACES = ("document", "line", "column")


def error_body(error: ApiError) -> dict[str, Any]:
    details = [
        {"path": cause.path, "message": cause.message}
        | {name: place for name in _PLACES if (place := getattr(cause, name)) is not None}
        for cause in error.causes
    ]
    return {"error": {"code": error.reason, "message": error.message, "details": details}}


def status_body(error: ApiError) -> dict[str, Any]:
    """A Kubernetes Status."""
    details: dict[str, Any] = {}
    if error.subject.kind:
        details = {
            key: value
            for key, value in (
                ("name", error.subject.name),
                ("group", error.subject.group),
                ("kind", error.subject.kind),
                ("uid", error.subject.uid),
            )
            if value
        }
    if error.causes:
        details["causes"] = [
            {"reason": cause.reason, "message": cause.message, "field": cause.path} for cause in error.causes
        ]
    if error.retry_after_seconds is not None:
        details["retryAfterSeconds"] = error.retry_after_seconds
    status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": error.message}
    return status | {"reason": error.reason} | ({"details": details} if details else {}) | {"code": error.code}


def error_response(request: HttpRequest, error: ApiError) -> HttpResponse:
    is_kubernetes = request.path.startswith(KUBERNETES_PREFIX)
    response = JsonResponse(status_body(error) if is_kubernetes else error_body(error), status=error.code)
    if error.retry_after_seconds is not None:
        response["Retry-After"] = str(error.retry_after_seconds)
    return response


def drf_exception_handler(error: Exception, context: dict[str, Any]) -> HttpResponse:
    """REST_FRAMEWORK["EXCEPTION_HANDLER"]."""
    response = error_response(context["request"]._request, api_error_of(error))
    if isinstance(error, DRFMethodNotAllowed):
        response["Allow"] = ", ".join(context["view"].allowed_methods)
    return response


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, DisallowedHost):
        message = "this server does not answer to that host name; PLAYGROUND_HOSTS adds names it answers to"
        return error_response(request, BadRequest(message))
    return error_response(request, BadRequest("bad request"))


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_response(request, NotFound("the server could not find the requested resource"))


def handler500(request: HttpRequest) -> HttpResponse:
    return error_response(request, ApiError("internal error; the server's log says more"))
