"""HTTP calls to services that users named: extenders, admission webhooks.

    answer = post_json("http://127.0.0.1:8888/filter", body, timeout=5.0)

What may be called is decided in `outgoing_targets`, for every connection anew.
Everything about a call is bounded: `timeout` is for the whole of it, however
slowly the answer trickles in, and an answer that is too large is not read to
its end. Redirects are answers like any other, proxies of the environment are
not used. Connections are kept open between calls.
"""

from __future__ import annotations

import os
import ssl
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import httpcore
import httpx

from playground.common.outgoing_targets import TargetRefused, check_url, destinations

# Clients with connections that are kept, one per kind of TLS.
MOST_CLIENTS = 32
KEEP_ALIVE_SECONDS = 5.0
MOST_ANSWER_BYTES = 16 * 1024 * 1024
# A call takes this long at the most, whatever its configuration says.
LONGEST_CALL = 60.0

# time.monotonic() at which the call that this thread is making must be over.
_deadline: ContextVar[float] = ContextVar("deadline")


class CallFailed(Exception):
    """No usable answer; the text says of which URL and why."""

    def __init__(self, text: str, *, timed_out: bool = False) -> None:
        super().__init__(text)
        self.timed_out = timed_out


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    # Whatever it was: an answer of 500 is an answer.
    status: int
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """How an https server is recognised, and how we show who we are. PEM texts."""

    # Any certificate will do.
    insecure: bool = False
    # The name in its certificate; "": the host of the URL.
    server_name: str = ""
    # "": the authorities of this machine.
    ca: str = ""
    certificate: str = ""
    key: str = ""


DEFAULT_TLS = Tls()


def post_json(
    url: str, body: bytes, *, timeout: float, tls: Tls = DEFAULT_TLS, most_bytes: int = MOST_ANSWER_BYTES
) -> Answer:
    """POST a JSON body. Raises TargetRefused, CallFailed."""
    check_url(url)
    seconds = min(timeout, LONGEST_CALL)
    with _within(seconds), _told(url):
        extensions = {"sni_hostname": tls.server_name} if tls.server_name else {}
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        with client(tls).stream("POST", url, content=body, headers=headers, extensions=extensions) as response:
            return Answer(status=response.status_code, body=_read(response, url, most_bytes))


def _read(response: httpx.Response, url: str, most_bytes: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    for part in response.iter_raw():
        size += len(part)
        if size > most_bytes:
            raise CallFailed(f'Post "{url}": the answer is larger than {most_bytes // 1024} KiB')
        parts.append(part)
    return b"".join(parts)


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    token = _deadline.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


@contextmanager
def _told(url: str) -> Iterator[None]:
    """What the network says, in words."""
    try:
        yield
    except (httpcore.TimeoutException, TimeoutError):
        raise CallFailed(f'Post "{url}": context deadline exceeded', timed_out=True) from None
    except (httpcore.NetworkError, httpcore.ProtocolError, httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise CallFailed(f'Post "{url}": {error}') from None


# Clients

_clients: OrderedDict[Tls, httpx.Client] = OrderedDict()
_clients_lock = threading.Lock()


def client(tls: Tls = DEFAULT_TLS) -> httpx.Client:
    """The process's client for this kind of TLS; any number of threads may use it. Raises CallFailed for bad PEM."""
    with _clients_lock:
        found = _clients.pop(tls, None) or httpx.Client(
            transport=_CheckedTransport(_ssl_context(tls)),
            trust_env=False,
            follow_redirects=False,
            timeout=LONGEST_CALL,
        )
        _clients[tls] = found
        while len(_clients) > MOST_CLIENTS:
            # Closed when its last call is over.
            _clients.popitem(last=False)
    return found


def check_tls(tls: Tls) -> None:
    """Raises CallFailed where certificates or key cannot be used."""
    _ssl_context(tls)


def _ssl_context(tls: Tls) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cadata=tls.ca or None)
        if tls.insecure:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        if tls.certificate:
            _load_certificate(context, tls)
    except (ssl.SSLError, ValueError) as error:
        raise CallFailed(f"the certificates cannot be used: {error}") from None
    return context


def _load_certificate(context: ssl.SSLContext, tls: Tls) -> None:
    """The ssl module reads our own certificate from files only."""
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:
        file.write(f"{tls.certificate}\n{tls.key}\n")
        file.flush()
        # Without a password, so that nobody is asked for one.
        context.load_cert_chain(file.name, password=lambda: "")


# The network below httpx


class _CheckedTransport(httpx.BaseTransport):
    """httpx on a pool whose connections go to allowed addresses only and keep to the deadline."""

    def __init__(self, ssl_context: ssl.SSLContext) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=ssl_context,
            max_connections=64,
            max_keepalive_connections=16,
            keepalive_expiry=KEEP_ALIVE_SECONDS,
            network_backend=_CheckedNetwork(),
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        answered = self._pool.handle_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx.Response(
            status_code=answered.status,
            headers=answered.headers,
            stream=_AnswerStream(answered.stream),
            extensions=answered.extensions,
        )

    def close(self) -> None:
        self._pool.close()


class _AnswerStream(httpx.SyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        yield from self._stream

    def close(self) -> None:
        self._stream.close()


def _left(timeout: float | None) -> float:
    """Seconds until the deadline; a smaller `timeout` comes first."""
    left = _deadline.get() - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left if timeout is None else min(left, timeout)


class _CheckedNetwork(httpcore.NetworkBackend):
    """Connects to addresses that were judged a moment before."""

    def __init__(self) -> None:
        self._network = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        *others, last = destinations(host, port)
        for address in others:
            try:
                return self._connect(*address, timeout)
            except httpcore.ConnectError:
                continue
        return self._connect(*last, timeout)

    def _connect(self, address: str, port: int, timeout: float | None) -> httpcore.NetworkStream:
        try:
            return _PunctualStream(self._network.connect_tcp(address, port, timeout=_left(timeout)))
        except httpcore.ConnectError as failure:
            raise httpcore.ConnectError(_dialled(address, port, failure)) from failure


def _dialled(address: str, port: int, failure: httpcore.ConnectError) -> str:
    """In the words of Go, which people find when they look for them."""
    where = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    cause = failure.__cause__
    words = os.strerror(cause.errno).lower() if isinstance(cause, OSError) and cause.errno else str(failure)
    return f"dial tcp {where}: connect: {words}"


class _PunctualStream(httpcore.NetworkStream):
    """Every read and write ends at the deadline of the call it belongs to."""

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _PunctualStream(self._stream.start_tls(ssl_context, server_hostname, _left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


__all__ = [
    "DEFAULT_TLS",
    "Answer",
    "CallFailed",
    "TargetRefused",
    "Tls",
    "check_tls",
    "check_url",
    "client",
    "post_json",
]
