"""What a client sends: JSON, YAML, or nothing said about it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from playground.clusters.manifests import YamlProblem, read_one
from playground.common.bodies import decode_json, decode_text, read_body
from playground.common.errors import BadRequest, Cause, UnsupportedMediaType

PROTOBUF = "application/vnd.kubernetes.protobuf"
_YAML = frozenset({"application/yaml", "text/yaml", "application/x-yaml", "text/x-yaml"})


def media_type(request: HttpRequest) -> str:
    return (request.headers.get("Content-Type") or "").partition(";")[0].strip().lower()


def read_object(request: HttpRequest) -> dict[str, Any]:
    """The body as an object. Raises BadRequest, TooLarge, UnsupportedMediaType."""
    body = read_value(request)
    if not isinstance(body, dict):
        raise BadRequest(f"the body must be an object, not {type(body).__name__}")
    return body


def read_options(request: HttpRequest) -> dict[str, Any]:
    """An optional body, such as the DeleteOptions of a DELETE."""
    body = read_body(request)
    if not body.strip():
        return {}
    value = _decode(body, media_type(request))
    if not isinstance(value, dict):
        raise BadRequest("the options must be an object")
    return value


def read_value(request: HttpRequest) -> Any:
    return _decode(read_body(request), media_type(request))


def _decode(body: bytes, kind: str) -> Any:
    if kind == PROTOBUF:
        raise UnsupportedMediaType(
            f"the body of this request was in {PROTOBUF}, which this server does not read; send application/json"
        )
    if kind in _YAML:
        return _decode_yaml(body)
    is_json = kind.endswith("json") or body.lstrip()[:1] in (b"{", b"[", b"")
    return decode_json(body) if is_json else _decode_yaml(body)


def _decode_yaml(body: bytes) -> Any:
    try:
        return read_one(decode_text(body))
    except YamlProblem as problem:
        cause = problem.cause(1)
        raise BadRequest(
            f"the body is not YAML: {cause.message}", [Cause(path=cause.path, message=cause.message)]
        ) from None
