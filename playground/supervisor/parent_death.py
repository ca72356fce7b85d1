"""Children do not outlive the supervisor, even when it is killed with SIGKILL.

Linux has this built in: a process may ask for a signal when its parent dies.
Elsewhere (macOS) a guardian process holds the reading end of a pipe whose
writing end only the supervisor has. The supervisor tells it each child's pid;
when the pipe ends with children left, the guardian kills their groups.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from typing import Protocol

PR_SET_PDEATHSIG = 1


class ParentDeath(Protocol):
    # Runs in the child between fork and exec; None where nothing is to be done there.
    before_exec: Callable[[], None] | None

    def started(self, pid: int) -> None: ...
    def ended(self, pid: int) -> None: ...


def parent_death() -> ParentDeath:
    """The way of this system."""
    return DeathSignal() if sys.platform == "linux" else Guardian()


class DeathSignal:
    """Linux: the kernel sends SIGKILL to each child. Valid for the thread that forks, the main one."""

    def __init__(self) -> None:
        # Loaded before the fork: after it, a child must not take the loader's lock.
        prctl = ctypes.CDLL(None, use_errno=True).prctl
        supervisor = os.getpid()

        def ask_for_the_signal() -> None:
            prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
            if os.getppid() != supervisor:
                os._exit(1)  # It died before we could ask.

        self.before_exec: Callable[[], None] | None = ask_for_the_signal

    def started(self, pid: int) -> None:
        pass

    def ended(self, pid: int) -> None:
        pass


class Guardian:
    """Any POSIX system: a process that waits for the end of a pipe."""

    def __init__(self) -> None:
        self.before_exec: Callable[[], None] | None = None
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-E", __file__],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )

    def started(self, pid: int) -> None:
        self._say(f"+{pid}\n")

    def ended(self, pid: int) -> None:
        self._say(f"-{pid}\n")

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode("ascii"))
        self._process.stdin.flush()


def guard(lines: Iterable[str]) -> None:
    """The guardian's whole life: note who runs until the supervisor is gone, then end who is left."""
    running: set[int] = set()
    for line in lines:
        (running.add if line[0] == "+" else running.discard)(int(line[1:]))
    for pid in running:
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue  # It ended by itself meanwhile.


if __name__ == "__main__":
    guard(sys.stdin)
