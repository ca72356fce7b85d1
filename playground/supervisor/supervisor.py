"""The supervisor: start in order, watch, start again what died, stop in order."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from types import FrameType

from playground.config import environment
from playground.supervisor import prepared, stack
from playground.supervisor.child import Child, Command, describe_exit, wait_until
from playground.supervisor.parent_death import parent_death

START_SECONDS = 60.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# How often children are looked at even if no signal came.
LOOK_SECONDS = 5.0


class CannotRun(Exception):
    """The playground cannot start or go on; the text says why, with the end of the log that tells."""


class StopAsked(Exception):
    """Ctrl-C or a signal, wherever the supervisor was."""


class Supervisor:
    def __init__(self, at: stack.Place, say: Callable[[str], None]) -> None:
        self.at = at
        self.say = say
        self.parent_death = parent_death()
        # In order of starting; stopped the other way round.
        self.children: list[Child] = []
        self._stop_signals = 0
        self._wakeup, self._alarm = os.pipe()

    def run(self, on_ready: Callable[[], None]) -> None:
        """Returns after a stop that was asked for; raises CannotRun otherwise."""
        self._listen_to_signals()
        try:
            self._start_all()
            on_ready()
            while True:
                self._wait_for_a_signal()
                self._look_after(self.children)
        except StopAsked:
            self.say("Stopping ...")
        finally:
            self._stop_all()

    # Starting

    def _start_all(self) -> None:
        if self.at.own_valkey:
            self._start([stack.valkey_command(self.at)])
        self._prepare()
        self._start([stack.web_command(self.at), stack.scheduler_command(self.at), stack.worker_command(self.at)])

    def _start(self, commands: Sequence[Command]) -> None:
        """Start them together, then wait until each one serves; what they need is kept running meanwhile."""
        serving = list(self.children)
        started = [Child(command=command, parent_death=self.parent_death) for command in commands]
        self.say(f"Starting {', '.join(child.name for child in started)} ...")
        for child in started:
            self._start_child(child)
        for child in started:
            self._wait_until_ready(child, serving)

    def _start_child(self, child: Child) -> None:
        self.at.ready_file(child.name).unlink(missing_ok=True)
        if child not in self.children:
            self.children.append(child)
        child.start()

    def _wait_until_ready(self, child: Child, serving: Sequence[Child]) -> None:
        def decided() -> bool:
            self._heed_stop()
            self._look_after(serving)
            return child.exit_code() is not None or child.command.ready()

        if not wait_until(decided, seconds=START_SECONDS):
            raise CannotRun(_with_log(f"{child.name} did not get ready in {START_SECONDS:.0f} s.", child))
        if (code := child.exit_code()) is not None:
            raise CannotRun(_with_log(f"{child.name} {describe_exit(code)} while starting.", child))

    def _prepare(self) -> None:
        if not self.at.environ.get("DATABASE_URL") and prepared.is_prepared(self.at.data):
            return
        self.say("Preparing the database ...")
        result = subprocess.run(
            stack.prepare_argv(),
            cwd=environment.PROJECT,
            env=self.at.child_environ(),
            capture_output=True,
            text=True,
            check=False,
        )
        self._heed_stop()
        if result.returncode != 0:
            last_lines = "\n".join((result.stdout + result.stderr).splitlines()[-20:])
            raise CannotRun(f"The database could not be prepared:\n{last_lines}")
        prepared.mark_prepared(self.at.data)

    # Watching

    def _look_after(self, children: Sequence[Child]) -> None:
        for child in children:
            code = child.exit_code()
            if code is not None:
                self._restart(child, code)

    def _restart(self, child: Child, code: int) -> None:
        tail = child.log_tail()
        child.stop()
        if not child.may_restart(time.monotonic()):
            raise CannotRun(f"{child.name} keeps dying (it {describe_exit(code)}). Its log ends with:\n{tail}")
        self.say(f"{child.name} {describe_exit(code)}; starting it again (log: {child.command.log})")
        self._start_child(child)

    # Stopping

    def _stop_all(self) -> None:
        for child in sorted(self.children, key=lambda child: _STOP_ORDER.index(child.name)):
            child.stop(hurry=lambda: self._stop_signals > 1)

    # Signals

    def _listen_to_signals(self) -> None:
        os.set_blocking(self._alarm, False)
        signal.set_wakeup_fd(self._alarm, warn_on_full_buffer=False)
        for number in STOP_SIGNALS:
            signal.signal(number, self._note_stop)
        # Without a handler of its own a child's end would not wake the pipe.
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)

    def _note_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stop_signals += 1

    def _wait_for_a_signal(self) -> None:
        ready, _, _ = select.select([self._wakeup], [], [], LOOK_SECONDS)
        if ready:
            os.read(self._wakeup, 512)
        self._heed_stop()

    def _heed_stop(self) -> None:
        if self._stop_signals:
            raise StopAsked


# First the door, then the work, then the broker.
_STOP_ORDER = ("web", "worker", "scheduler", "valkey")


def _with_log(sentence: str, child: Child) -> str:
    tail = child.log_tail()
    return f"{sentence} Its log ({child.command.log}) ends with:\n{tail}" if tail else sentence
