"""`manage.py up`: arguments, messages, exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from playground.config import environment
from playground.supervisor import ports, stack
from playground.supervisor.instance_lock import AlreadyRunning, InstanceLock
from playground.supervisor.supervisor import CannotRun, Supervisor
from playground.supervisor.valkey import ValkeyMissing

PROBLEMS = (AlreadyRunning, CannotRun, ValkeyMissing, ports.PortTaken, environment.EnvironmentProblem)


def main(argv: Sequence[str]) -> int:
    arguments = _parser().parse_args(argv)
    try:
        _up(port=arguments.port, data=arguments.data)
    except PROBLEMS as problem:
        print(f"error: {problem}", file=sys.stderr, flush=True)
        return 1
    say("Stopped.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="manage.py up", description="Starts the whole playground on this machine.")
    parser.add_argument("--port", type=_port, help=f"port of the page (default: {ports.DEFAULT_PORT} or the next free)")
    parser.add_argument("--data", type=Path, help="data folder (default: $PLAYGROUND_DATA or .playground)")
    return parser


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 65535")
    return int(text)


def _up(*, port: int | None, data: Path | None) -> None:
    environ = {**os.environ, **({"PLAYGROUND_DATA": str(data)} if data else {})}
    folder = environment.data_folder(environ)
    lock = InstanceLock(folder)
    lock.acquire()
    if port is None and environ.get("PLAYGROUND_PORT"):
        port = environment.positive_integer("PLAYGROUND_PORT", ports.DEFAULT_PORT, environ)
    at = stack.place(data=folder, port=ports.choose_port(port), environ=environ)
    lock.describe(f"process {os.getpid()}, {at.address}")
    Supervisor(at, say).run(on_ready=lambda: _announce(at))


def _announce(at: stack.Place) -> None:
    say(f"The playground is ready: {at.address}\nData and logs: {at.data}   Ctrl-C stops it.")


def say(text: str) -> None:
    print(text, flush=True)
