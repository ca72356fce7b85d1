"""Which processes the playground consists of, and how each is called.

The test fixtures build the same commands, so what is tested is what runs.
"""

from __future__ import annotations

import http.client
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from playground.config import environment
from playground.supervisor import ports, valkey
from playground.supervisor.child import Command

DEFAULT_WORKER_THREADS = 2


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where an instance lives."""

    # Database (unless DATABASE_URL names another), socket, secret key, logs.
    data: Path
    port: int
    # redis://... or unix:///...
    redis_url: str
    # Whether the broker is ours to start.
    own_valkey: bool
    environ: Mapping[str, str]

    @property
    def address(self) -> str:
        return f"http://{ports.HOST}:{self.port}/"

    def log(self, name: str) -> Path:
        return self.data / "logs" / f"{name}.log"

    def child_environ(self, name: str = "") -> dict[str, str]:
        return {
            **self.environ,
            "PLAYGROUND_DATA": str(self.data),
            "PLAYGROUND_REDIS_URL": self.redis_url,
            "PLAYGROUND_ADDRESS": self.address,
            "PLAYGROUND_READY_FILE": str(self.ready_file(name)) if name else "",
            "DJANGO_SETTINGS_MODULE": "playground.config.settings",
            "PYTHONUNBUFFERED": "1",
            # NumPy works on small arrays here; a thread per core would only cost memory.
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "MALLOC_ARENA_MAX": "2",
        }

    def ready_file(self, name: str) -> Path:
        return self.data / "logs" / f"{name}.ready"


def place(*, data: Path, port: int, environ: Mapping[str, str] = os.environ) -> Place:
    return Place(
        data=data,
        port=port,
        redis_url=environment.redis_url(data, environ),
        own_valkey=not environ.get("PLAYGROUND_REDIS_URL"),
        environ=environ,
    )


def valkey_command(at: Place) -> Command:
    path = Path(at.redis_url.removeprefix("unix://"))
    return Command(
        name="valkey",
        argv=valkey.server_command(valkey.find_server(), path),
        env=at.child_environ(),
        folder=at.data,
        log=at.log("valkey"),
        ready=lambda: valkey.answers(path),
        patience=3,
    )


def prepare_argv() -> list[str]:
    """Migrations, and the first cluster of a new database."""
    return [sys.executable, "manage.py", "prepare"]


def scheduler_command(at: Place) -> Command:
    count = environment.positive_integer("PLAYGROUND_SCHEDULING_QUEUES", 4, at.environ)
    queues = ",".join(f"scheduling-{number}" for number in range(count))
    return _worker_command(at, "scheduler", queues, ["--pool", "solo"])


def worker_command(at: Place) -> Command:
    threads = environment.positive_integer("PLAYGROUND_WORKER_THREADS", DEFAULT_WORKER_THREADS, at.environ)
    return _worker_command(at, "worker", "default", ["--pool", "threads", "--concurrency", str(threads)])


def _worker_command(at: Place, name: str, queues: str, pool: list[str]) -> Command:
    ready = at.ready_file(name)
    return Command(
        name=name,
        argv=[
            *(sys.executable, "-m", "celery", "--quiet", "-A", "playground.config.celery", "worker"),
            *("--hostname", f"{name}@%h", "--queues", queues, *pool),
            # What a cluster of many workers tells each other; nobody listens to it here.
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        ],
        env=at.child_environ(name),
        folder=environment.PROJECT,
        log=at.log(name),
        ready=ready.exists,
        patience=5,
    )


# Daphne holds what it sends to these limits too, and a snapshot is one message: 1 MiB, its
# default, is a cluster of some 400 pods. Whoever sends as much to us is let go at the same size.
SNAPSHOT_SIZES = ("--websocket-max-message-size", str(64 * 1024**2), "--websocket-max-frame-size", str(64 * 1024**2))


def web_command(at: Place) -> Command:
    return Command(
        name="web",
        argv=[
            *(sys.executable, "-m", "daphne", "--bind", ports.HOST, "--port", str(at.port)),
            # The request log is the browser's to show; ours has what went wrong.
            *("--verbosity", "0", "--application-close-timeout", "2", "--no-server-name"),
            *SNAPSHOT_SIZES,
            "playground.config.asgi:application",
        ],
        env=at.child_environ(),
        folder=environment.PROJECT,
        log=at.log("web"),
        ready=lambda: is_healthy(at.port),
        patience=4,
    )


def is_healthy(port: int) -> bool:
    client = http.client.HTTPConnection(ports.HOST, port, timeout=5)
    try:
        client.request("GET", "/healthz")
        return client.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        client.close()
