"""One process under the supervisor: its command, its log, how it is started, watched and stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from playground.supervisor.parent_death import ParentDeath

# A child may die this often within the window before everything is given up.
RESTARTS = 3
RESTART_WINDOW_SECONDS = 60.0

# How much of a log is shown when its child cannot go on.
TAIL_LINES = 20
TAIL_BYTES = 16_384

# A log that grew beyond this keeps its newest half at the next start.
LOG_BYTES = 2_000_000


@dataclass(frozen=True, kw_only=True)
class Command:
    # What people read: "web", "worker", ...
    name: str
    argv: list[str]
    env: Mapping[str, str]
    folder: Path
    log: Path
    # Whether it serves now; asked again and again after the start.
    ready: Callable[[], bool]
    # Seconds it is given to end after its stop signal.
    patience: float = 5.0
    stop_signal: signal.Signals = signal.SIGTERM


@dataclass(kw_only=True, eq=False)
class Child:
    command: Command
    parent_death: ParentDeath
    process: subprocess.Popen[bytes] | None = None
    # Monotonic times of the restarts that still count.
    restarts: list[float] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.command.name

    def start(self) -> None:
        _shorten(self.command.log)
        with self.command.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command.argv,
                cwd=self.command.folder,
                env=dict(self.command.env),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=self.parent_death.before_exec,
            )
        self.parent_death.started(self.process.pid)

    def exit_code(self) -> int | None:
        """None while it runs, and before its first start."""
        return self.process.poll() if self.process else None

    def may_restart(self, now: float) -> bool:
        """Counts this death; False once there were too many of them lately."""
        self.restarts = [at for at in self.restarts if now - at < RESTART_WINDOW_SECONDS]
        self.restarts.append(now)
        return len(self.restarts) <= RESTARTS

    def stop(self, hurry: Callable[[], bool] = lambda: False) -> None:
        """End it: by its signal and some patience, or at once when told to hurry; whatever it started goes with it."""
        process, self.process = self.process, None
        if process is None:
            return
        if process.poll() is None:
            process.send_signal(self.command.stop_signal)
            wait_until(lambda: process.poll() is not None or hurry(), seconds=self.command.patience)
        _kill_group(process)
        process.wait()
        self.parent_death.ended(process.pid)

    def log_tail(self) -> str:
        return tail(self.command.log)


def tail(path: Path) -> str:
    """The last lines of a log."""
    if not path.exists():
        return ""
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - TAIL_BYTES))
        lines = stream.read().decode("utf-8", "replace").splitlines()
    return "\n".join(lines[-TAIL_LINES:])


def describe_exit(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


def wait_until(ready: Callable[[], bool], *, seconds: float, pause: float = 0.03) -> bool:
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # Nobody of it is left (macOS says "not permitted" of a group of zombies).


def _shorten(log: Path) -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    if not log.exists() or log.stat().st_size <= LOG_BYTES:
        return
    newest = log.read_bytes()[-LOG_BYTES // 2 :]
    log.write_bytes(newest.partition(b"\n")[2])
