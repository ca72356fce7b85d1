"""One process under the supervisor: it starts, ends when told, and dies with its parent."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from playground.config import environment
from playground.supervisor.child import (
    LOG_BYTES,
    RESTART_WINDOW_SECONDS,
    RESTARTS,
    TAIL_LINES,
    Child,
    Command,
    describe_exit,
    tail,
    wait_until,
)
from playground.supervisor.parent_death import DeathSignal, Guardian, ParentDeath

SLEEPS = "import time; print('up', flush=True); time.sleep(60)"
IGNORES_SIGTERM = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + SLEEPS
HAS_A_CHILD = "import subprocess, sys; subprocess.Popen(['sleep', '60']); " + SLEEPS


class Unguarded:
    """These tests end their children themselves."""

    before_exec: Callable[[], None] | None = None

    def started(self, pid: int) -> None:
        pass

    def ended(self, pid: int) -> None:
        pass


def make_child(folder: Path, code: str, *, parent_death: ParentDeath | None = None, patience: float = 5) -> Child:
    log = folder / "logs" / "child.log"
    return Child(
        command=Command(
            name="child",
            argv=[sys.executable, "-c", code],
            env={},
            folder=folder,
            log=log,
            ready=lambda: "up" in tail(log),
            patience=patience,
        ),
        parent_death=parent_death or Unguarded(),
    )


def started(child: Child) -> psutil.Process:
    child.start()
    assert wait_until(child.command.ready, seconds=10)
    assert child.process is not None
    return psutil.Process(child.process.pid)


def is_gone(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def test_it_ends_on_its_stop_signal(tmp_path: Path) -> None:
    child = make_child(tmp_path, SLEEPS)
    process = started(child)
    child.stop()
    assert is_gone(process)


def test_one_that_ignores_the_signal_is_killed_when_patience_ends(tmp_path: Path) -> None:
    child = make_child(tmp_path, IGNORES_SIGTERM, patience=0.1)
    process = started(child)
    child.stop()
    assert is_gone(process)


def test_a_hurry_cuts_patience_short(tmp_path: Path) -> None:
    child = make_child(tmp_path, IGNORES_SIGTERM, patience=60)
    process = started(child)
    before = time.monotonic()
    child.stop(hurry=lambda: True)
    assert is_gone(process)
    assert time.monotonic() - before < 10


def test_what_it_started_ends_with_it(tmp_path: Path) -> None:
    child = make_child(tmp_path, HAS_A_CHILD)
    family = started(child).children()
    assert len(family) == 1
    child.stop()
    assert wait_until(lambda: is_gone(family[0]), seconds=5)


def test_it_is_in_a_session_of_its_own(tmp_path: Path) -> None:
    child = make_child(tmp_path, "import os; print('up' if os.getsid(0) == os.getpid() else 'no', flush=True)")
    started(child)
    child.stop()


def test_stopping_one_that_never_started_is_nothing(tmp_path: Path) -> None:
    child = make_child(tmp_path, SLEEPS)
    child.stop()
    assert child.exit_code() is None


def test_too_many_deaths_in_a_short_time_are_too_many(tmp_path: Path) -> None:
    child = make_child(tmp_path, SLEEPS)
    assert [child.may_restart(float(at)) for at in range(RESTARTS + 1)] == [True] * RESTARTS + [False]


def test_old_deaths_are_forgiven(tmp_path: Path) -> None:
    child = make_child(tmp_path, SLEEPS)
    assert all(child.may_restart(at * RESTART_WINDOW_SECONDS) for at in range(10))


def test_a_tail_has_the_last_lines_only(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("".join(f"line {number}\n" for number in range(1000)))
    lines = tail(log).splitlines()
    assert len(lines) == TAIL_LINES
    assert lines[-1] == "line 999"


def test_a_log_that_grew_too_big_keeps_its_newest_part(tmp_path: Path) -> None:
    child = make_child(tmp_path, SLEEPS)
    child.command.log.parent.mkdir()
    child.command.log.write_text("".join(f"line {number}\n" for number in range(LOG_BYTES // 8)))
    started(child)
    child.stop()
    assert child.command.log.stat().st_size < LOG_BYTES
    assert f"line {LOG_BYTES // 8 - 1}\n" in child.command.log.read_text()


@pytest.mark.parametrize(
    ("code", "words"),
    [(1, "ended with exit code 1"), (-9, "was ended by SIGKILL"), (-signal.SIGTERM, "was ended by SIGTERM")],
)
def test_an_exit_is_told_in_words(code: int, words: str) -> None:
    assert describe_exit(code) == words


PARENT = """
import sys, time
from pathlib import Path
from playground.supervisor.parent_death import {way}
from tests.playground.supervisor.test_child import SLEEPS, make_child, started
print(started(make_child(Path(sys.argv[1]), SLEEPS, parent_death={way}())).pid, flush=True)
time.sleep(60)
"""

WAYS: list[type[ParentDeath]] = [Guardian, *([DeathSignal] if sys.platform == "linux" else [])]


@pytest.mark.parametrize("way", WAYS)
def test_a_killed_parent_leaves_no_child(tmp_path: Path, way: type[ParentDeath]) -> None:
    code = PARENT.format(way=way.__name__)
    command = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=environment.PROJECT) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        assert not is_gone(child)
        parent.kill()
    assert wait_until(lambda: is_gone(child), seconds=5)
