"""The port to listen on: the one asked for, or the first free one from the default upwards."""

from __future__ import annotations

import socket

HOST = "127.0.0.1"
DEFAULT_PORT = 8000
TRIED = 50


class PortTaken(Exception):
    """The text names the port and the way out."""


def choose_port(asked: int | None) -> int:
    if asked is not None:
        if not is_free(asked):
            raise PortTaken(f"Port {asked} is taken by another program; choose another one: ./dev up --port N")
        return asked
    for port in range(DEFAULT_PORT, DEFAULT_PORT + TRIED):
        if is_free(port):
            return port
    raise PortTaken(f"No free port from {DEFAULT_PORT} to {DEFAULT_PORT + TRIED - 1}; name one: ./dev up --port N")


def is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As the server will do: a port whose last user just left is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
