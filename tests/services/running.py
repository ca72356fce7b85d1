"""A running playground, as a test sees it: HTTP and WebSocket from outside, processes to kill and restart.

The processes are the supervisor's own (`playground.supervisor.stack`), without its restarting.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from playground.config import environment
from playground.supervisor import stack
from playground.supervisor.child import Child, Command, describe_exit, tail, wait_until
from playground.supervisor.parent_death import parent_death

START_SECONDS = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def clean_environ(**extra: str) -> dict[str, str]:
    """This process's environment without what the tests' own settings put there."""
    ours = ("PLAYGROUND_", "DJANGO_", "DATABASE_URL")
    return {key: value for key, value in os.environ.items() if not key.startswith(ours)} | extra


class Services:
    """Processes started by name; all of them are stopped together."""

    def __init__(self) -> None:
        self._parent_death = parent_death()
        self._children: dict[str, Child] = {}

    def start(self, command: Command) -> None:
        child = Child(command=command, parent_death=self._parent_death)
        self._children[command.name] = child
        child.start()

    def wait_ready(self, name: str) -> None:
        child = self._children[name]
        wait_until(lambda: child.exit_code() is not None or child.command.ready(), seconds=START_SECONDS)
        code = child.exit_code()
        if code is not None or not child.command.ready():
            how = "did not get ready" if code is None else describe_exit(code)
            raise AssertionError(f"{name} {how}:\n{child.log_tail()}")

    def kill(self, name: str) -> None:
        """As a machine that loses power: SIGKILL, and it is gone when this returns."""
        process = self._children[name].process
        assert process is not None, f"{name} does not run"
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self, name: str) -> None:
        self._children[name].stop()

    def stop_all(self) -> None:
        for child in reversed(self._children.values()):
            child.stop()
        self._children.clear()

    def pid(self, name: str) -> int:
        process = self._children[name].process
        assert process is not None, f"{name} does not run"
        return process.pid

    def logs(self) -> dict[str, str]:
        """The last lines each process wrote."""
        return {name: tail(child.command.log) for name, child in self._children.items()}


class Playground(Services):
    """One instance: `http` for the API, `live()` for its WebSocket, `kill("worker")` and the like for its parts."""

    def __init__(self, place: stack.Place) -> None:
        super().__init__()
        self.place = place
        self.http = httpx.Client(base_url=place.address.rstrip("/"), timeout=60)

    @classmethod
    def start_all(cls, data: Path, environ: dict[str, str]) -> Playground:
        place = stack.place(data=data, port=free_port(), environ=environ)
        running = cls(place)
        try:
            if place.own_valkey:
                running.start_part("valkey")
            running.prepare()
            running.start_parts("web", "scheduler", "worker")
        except BaseException:
            running.close()
            raise
        return running

    def prepare(self) -> None:
        result = subprocess.run(
            stack.prepare_argv(),
            cwd=environment.PROJECT,
            env=self.place.child_environ(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, "\n".join((result.stdout + result.stderr).splitlines()[-8:])

    def start_part(self, name: str) -> None:
        """Start (again) `valkey`, `web`, `scheduler` or `worker`, and wait until it serves."""
        self.start_parts(name)

    def start_parts(self, *names: str) -> None:
        for name in names:
            self.place.ready_file(name).unlink(missing_ok=True)
            self.start(_COMMANDS[name](self.place))
        for name in names:
            self.wait_ready(name)

    def restart_part(self, name: str) -> None:
        self.stop(name)
        self.start_part(name)

    def close(self) -> None:
        self.http.close()
        self.stop_all()

    # Doors

    @property
    def address(self) -> str:
        return self.place.address.rstrip("/")

    def create_cluster(self, preset: str = "empty", **fields: Any) -> str:
        """A new cluster of a name nobody else has; answers its slug."""
        name = fields.pop("name", f"t-{uuid.uuid4().hex[:10]}")
        answer = self.http.post("/api/clusters/", json={"name": name, "preset": preset, **fields})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    @contextmanager
    def live(self, cluster: str, query: str = "") -> Iterator[ClientConnection]:
        """The cluster's WebSocket; `recv(timeout=...)` gives a frame's JSON text."""
        url = f"ws://127.0.0.1:{self.place.port}/ws/clusters/{cluster}/{query}"
        with connect(url, origin=self.address, max_size=None) as socket_:  # type: ignore[arg-type]
            yield socket_


def wait_for(condition: Callable[[], Any], *, seconds: float = 30.0, what: str = "the condition") -> Any:
    """The first truthy answer of `condition`; an AssertionError when there is none in time."""
    answer: list[Any] = []

    def holds() -> bool:
        answer[:] = [condition()]
        return bool(answer[0])

    assert wait_until(holds, seconds=seconds, pause=0.05), f"{what} did not come true in {seconds:.0f} s: {answer}"
    return answer[0]


_COMMANDS: dict[str, Callable[[stack.Place], Command]] = {
    "valkey": stack.valkey_command,
    "web": stack.web_command,
    "scheduler": stack.scheduler_command,
    "worker": stack.worker_command,
}
