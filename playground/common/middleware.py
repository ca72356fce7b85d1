"""Doors that every request passes: its origin, the size of its body, and its address.

The server has no passwords: whoever reaches it may use it. A page of another
site, open in the same browser, reaches it too, so a request that changes
something and names another origin is refused. A body that is too large is
refused by its announced length, before anybody reads it.

All work for sync and async handlers, so that a streaming `watch` stays async.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host
from django.http.response import HttpResponseBase

from playground.common.bodies import too_large
from playground.common.errors import ApiError, BadRequest, Forbidden
from playground.common.responses import error_response

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

GetResponse = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]


class Door:
    """Base: `refusal` answers an error, or None to let the request pass."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        refused = self.refusal(request)
        if refused is None:
            return self.get_response(request)
        response = error_response(request, refused)
        return _answer_later(response) if iscoroutinefunction(self) else response

    def refusal(self, request: HttpRequest) -> ApiError | None:
        raise NotImplementedError


async def _answer_later(response: HttpResponseBase) -> HttpResponseBase:
    return response


class OwnOriginOnly(Door):
    """A browser names the origin of a page that writes; only our own may."""

    def refusal(self, request: HttpRequest) -> ApiError | None:
        origin = request.headers.get("Origin")
        if origin is None or request.method in SAFE_METHODS:
            return None
        if is_own_origin(origin, request.headers.get("Host", "")):
            return None
        return Forbidden(f"requests from pages of {origin} are refused; open the playground at its own address")


def is_own_origin(origin: str, host: str) -> bool:
    """Whether a page of that origin came from the host (with its port) that is asked now, or is trusted like one."""
    own = host != "" and urlsplit(origin).netloc == host
    return own or origin in getattr(settings, "CSRF_TRUSTED_ORIGINS", ())


class OwnOriginSockets:
    """The same for WebSockets, reading included: a browser lets any page open one and hear what is said.

    The host must be one of ours too: a foreign name that resolves to this machine would be its own
    origin. A client that names no origin is no browser, and passes as it does over HTTP.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = {name: value.decode("latin1") for name, value in scope["headers"]}
        host, origin = headers.get(b"host", ""), headers.get(b"origin")
        passes = is_own_host(host) and (origin is None or is_own_origin(origin, host))
        await (self.application if passes else WebsocketDenier())(scope, receive, send)


def is_own_host(host: str) -> bool:
    """Whether a Host header names one of `ALLOWED_HOSTS`, as Django checks it for HTTP."""
    return validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS)


class BoundedBody(Door):
    """No body above the limit."""

    def refusal(self, request: HttpRequest) -> ApiError | None:
        announced = request.headers.get("Content-Length", "")
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        return too_large(limit) if announced.isdecimal() and int(announced) > limit else None


class PrintableAddress(Door):
    """No NUL in path or query: no name has one, and PostgreSQL cannot even look for it."""

    def refusal(self, request: HttpRequest) -> ApiError | None:
        if "\0" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            return BadRequest("the address has a NUL character (%00) in it; names have none")
        return None
