"""A PostgreSQL server for one test run, from the system's packages, without touching the system's own clusters.

PostgreSQL refuses to run as root; there, it runs as the `postgres` user that its package made.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
from pathlib import Path

from playground.supervisor.child import Command
from tests.services.running import clean_environ, free_port

USER = "postgres"


def find_programs() -> Path | None:
    """The folder of `initdb` and `postgres`; the newest version where several are installed."""
    on_path = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    programs = [Path(on_path).resolve()] if on_path else debian[-1:]
    return programs[0].parent if programs else None


def initialise(programs: Path, folder: Path) -> None:
    """An empty database cluster that trusts whoever connects, so only for a folder and port of our own."""
    folder.mkdir(parents=True)
    if os.geteuid() == 0:
        user = pwd.getpwnam(USER)
        os.chown(folder, user.pw_uid, user.pw_gid)
    initdb = [str(programs / "initdb"), "-D", str(folder), "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync"]
    result = subprocess.run(
        [*_as_ordinary_user(), *initdb], cwd="/", capture_output=True, text=True, check=False, env=clean_environ()
    )
    assert result.returncode == 0, result.stdout + result.stderr


def server_command(programs: Path, folder: Path, log: Path) -> tuple[Command, str]:
    """The server on a free port of 127.0.0.1, and its URL. Nothing is made durable: the data ends with the run."""
    port = free_port()
    options = {
        "port": str(port),
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",
        "fsync": "off",
        "synchronous_commit": "off",
        "full_page_writes": "off",
        "shared_buffers": "64MB",
        "max_connections": "60",
    }
    settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    command = Command(
        name="postgresql",
        argv=[*_as_ordinary_user(), str(programs / "postgres"), "-D", str(folder), *settings],
        env=clean_environ(),
        folder=Path("/"),
        log=log,
        ready=lambda: listens(port) and "ready to accept connections" in log.read_text(errors="replace"),
        # Fast shutdown: SIGTERM would wait for clients to leave.
        stop_signal=signal.SIGINT,
    )
    return command, f"postgres://{USER}@127.0.0.1:{port}/postgres"


def _as_ordinary_user() -> list[str]:
    if os.geteuid() != 0:
        return []
    return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups", "--pdeathsig", "KILL"]


def listens(port: int) -> bool:
    with socket.socket() as client:
        client.settimeout(1)
        return client.connect_ex(("127.0.0.1", port)) == 0
