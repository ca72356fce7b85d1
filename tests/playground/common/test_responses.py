"""Errors as answers: one shape under /api/, a Status under /k8s/, nothing of the inside."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.testing import WebsocketCommunicator
from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import Http404, HttpResponse
from django.test import RequestFactory
from rest_framework.exceptions import NotFound as DRFNotFound
from rest_framework.exceptions import UnsupportedMediaType as DRFUnsupportedMediaType
from rest_framework.exceptions import ValidationError

from playground.common.bodies import JSONBodyParser, decode_json
from playground.common.errors import ApiError, BadRequest, Cause, Invalid, Subject, TooManyRequests
from playground.common.middleware import BoundedBody, OwnOriginOnly, OwnOriginSockets, PrintableAddress
from playground.common.responses import api_error_of, error_body, error_response, status_body

requests = RequestFactory()


def test_an_error_names_its_fields_in_both_shapes() -> None:
    cause = Cause(path="spec.x", message="Required value", reason="FieldValueRequired", document=3)
    error = Invalid("it is invalid", [cause], Subject(name="web", kind="pods", group="g"))
    assert error_body(error)["error"] == {
        "code": "Invalid",
        "message": "it is invalid",
        "details": [{"path": "spec.x", "message": "Required value", "document": 3}],
    }
    status = status_body(error)
    assert (status["code"], status["reason"]) == (422, "Invalid")
    assert status["details"] == {
        "name": "web",
        "group": "g",
        "kind": "pods",
        "causes": [{"reason": "FieldValueRequired", "message": "Required value", "field": "spec.x"}],
    }


def test_the_shape_follows_the_address() -> None:
    error = TooManyRequests("later", retry_after_seconds=7)
    api = error_response(requests.get("/api/x/"), error)
    kubernetes = error_response(requests.get("/k8s/x"), error)
    assert "error" in json.loads(api.content)
    assert json.loads(kubernetes.content)["details"]["retryAfterSeconds"] == 7
    assert kubernetes["Retry-After"] == "7"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BadRequest("x"), 400),
        (Http404("x"), 404),
        (DRFNotFound(), 404),
        (RequestDataTooBig(), 413),
        (DRFUnsupportedMediaType("x"), 415),
        (ValidationError({"a": ["wrong"]}), 422),
        (RuntimeError("secret"), 500),
    ],
)
def test_any_exception_has_an_answer(error: Exception, code: int, caplog: pytest.LogCaptureFixture) -> None:
    told = api_error_of(error)
    assert told.code == code
    assert "secret" not in told.message
    # A bug is in the log; a client's mistake is not.
    assert bool(caplog.records) == (code == 500)


def test_nested_fields_of_a_serializer_become_paths() -> None:
    told = api_error_of(ValidationError({"a": {"b": ["wrong"]}, "c": ["worse", "worst"]}))
    assert [(cause.path, cause.message) for cause in told.causes] == [("a.b", "wrong"), ("c", "worse"), ("c", "worst")]


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000, b'{"a": 1e999}', b""])
def test_what_is_no_json_is_a_bad_request(body: bytes) -> None:
    with pytest.raises(BadRequest, match="not JSON"):
        decode_json(body)


def passed(door: Any, request: Any) -> bool:
    response = door(lambda request: HttpResponse("passed"))(request)
    return bool(response.content == b"passed")


@pytest.mark.parametrize(
    ("method", "origin", "passes"),
    [
        ("post", None, True),
        ("post", "http://testserver", True),
        ("post", "http://evil.example", False),
        ("post", "http://testserver:81", False),
        ("delete", "null", False),
        ("get", "http://evil.example", True),
    ],
)
def test_only_the_own_origin_may_write(method: str, origin: str | None, passes: bool) -> None:
    headers = {"host": "testserver"} | ({"origin": origin} if origin else {})
    request = getattr(requests, method)("/api/clusters/", headers=headers)
    assert passed(OwnOriginOnly, request) is passes


@pytest.mark.parametrize(
    ("host", "origin", "passes"),
    [
        ("localhost:8000", "http://localhost:8000", True),
        ("localhost:8000", None, True),
        ("localhost:8000", "http://localhost:3000", False),
        ("localhost:8000", "http://evil.example", False),
        ("localhost:8000", "null", False),
        # A foreign name that was made to resolve to this machine is its own origin.
        ("evil.example", "http://evil.example", False),
        ("evil.example", None, False),
        ("", None, False),
    ],
)
async def test_only_pages_of_the_own_origin_and_scripts_may_watch(host: str, origin: str | None, passes: bool) -> None:
    class Everything(AsyncWebsocketConsumer):
        pass

    headers = [(b"host", host.encode())] + ([(b"origin", origin.encode())] if origin else [])
    page = WebsocketCommunicator(OwnOriginSockets(Everything.as_asgi()), "/ws/", headers=headers)
    connected, _ = await page.connect()
    assert connected is passes


def test_a_body_too_large_is_refused_before_it_is_read() -> None:
    large = requests.post("/api/x/", b"x" * 3_000_000, content_type="text/plain")
    assert not passed(BoundedBody, large)
    assert large.read(1) == b"x"
    assert passed(BoundedBody, requests.post("/api/x/", b"x", content_type="text/plain"))


@pytest.mark.parametrize("address", ["/api/clusters/a%00b/", "/api/clusters/?name=%00"])
def test_an_address_with_nul_in_it_is_refused(address: str) -> None:
    assert not passed(PrintableAddress, requests.get(address))
    assert passed(PrintableAddress, requests.get(address.replace("%00", "%C3%A9")))


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (b'{"profiles": [{"schedulerName": "a\\u0000b"}]}', "profiles[0].schedulerName: the text has a NUL"),
        (b'{"labels": {"\\u0000": 1}}', "a key of labels: the text has a NUL"),
        (b'"\\u0000"', "the body: the text has a NUL"),
    ],
)
def test_a_body_with_nul_in_it_is_refused_with_its_place(body: bytes, where: str) -> None:
    with pytest.raises(BadRequest) as refused:
        JSONBodyParser().parse(BytesIO(body))

    assert where in refused.value.message


def test_a_backslash_before_what_looks_like_nul_is_only_a_backslash() -> None:
    assert JSONBodyParser().parse(BytesIO(b'{"pattern": "a\\\\u0000"}')) == {"pattern": "a\\u0000"}


def test_an_error_is_readable_as_text() -> None:
    assert str(ApiError("what happened")) == "what happened"


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        ("database or disk is full", "is full or fails; make room"),
        ("disk I/O error", "is full or fails; make room"),
        ("connection to server at 10.0.0.7 failed", "does not answer"),
    ],
)
def test_a_database_in_trouble_is_told_without_its_inside(trouble: str, told: str) -> None:
    error = api_error_of(OperationalError(trouble))
    assert (error.code, error.reason) == (503, "ServiceUnavailable")
    assert told in error.message
    assert "10.0.0.7" not in error.message
