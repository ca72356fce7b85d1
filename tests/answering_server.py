"""A real HTTP server on this machine, for what the playground calls: extenders, webhooks.

    with AnsweringServer({"/filter": lambda body: {"NodeNames": body["NodeNames"]}}) as server:
        ... call server.url("/filter") ...
        server.calls  ->  [Call("/filter", {...})]

An answer is a JSON value, or a `Raw` for everything that a good server would
not say. Handlers may wait for events: every call has a thread of its own.
"""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple, Self


class Call(NamedTuple):
    path: str
    body: Any
    content_type: str


@dataclass(frozen=True, kw_only=True)
class Raw:
    """An answer as it goes over the wire; its parts are sent one by one."""

    parts: tuple[bytes, ...] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    # Called before each part.
    before_part: Callable[[], None] = lambda: None


Handler = Callable[[Any], Any]


class AnsweringServer:
    def __init__(self, handlers: Mapping[str, Handler], certificate: tuple[Path, Path] | None = None) -> None:
        """`certificate`: the files of it and its key, for https."""
        self.calls: list[Call] = []
        # Of clients: how many TCP connections were opened.
        self.connections = 0
        self._handlers = handlers
        self._server = _Server(("127.0.0.1", 0), _Request)
        self._server.owner = self
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def url(self, path: str = "") -> str:
        return f"http://127.0.0.1:{self._server.server_port}{path}"

    @property
    def port(self) -> int:
        return self._server.server_port

    def answer(self, call: Call) -> Raw:
        self.calls.append(call)
        handler = self._handlers.get(call.path)
        if handler is None:
            return Raw(parts=(b"no such path",), status=404)
        answer = handler(call.body)
        return answer if isinstance(answer, Raw) else Raw(parts=(json.dumps(answer).encode(),))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    owner: AnsweringServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is what some tests are about."""


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server
    # Answers are small and awaited: no waiting for more to send.
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        self.server.owner.connections += 1

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["Content-Length"]))
        answer = self.server.owner.answer(Call(self.path, json.loads(text), self.headers["Content-Type"]))
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(sum(map(len, answer.parts))))
        self.end_headers()
        for part in answer.parts:
            answer.before_part()
            self.wfile.write(part)
            self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads it."""
