"""`manage.py up` as a person uses it: ready, Ctrl-C, a killed part, a killed supervisor, a second start."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from playground.config import environment
from playground.supervisor.child import RESTARTS, wait_until
from tests.services.running import clean_environ, wait_for
from tests.services.supervised import PARTS, Up

pytestmark = pytest.mark.services


def all_gone(processes: list[psutil.Process]) -> bool:
    return not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in processes)


@pytest.fixture(scope="module")
def data(services_folder: Path) -> Path:
    return services_folder / "up"


@pytest.fixture
def up(data: Path) -> Iterator[Up]:
    up = Up(data)
    yield up
    up.end()


def test_ctrl_c_stops_every_process_within_seconds(up: Up) -> None:
    address = up.wait_ready()
    assert httpx.get(f"{address}healthz").is_success
    parts = up.parts()
    assert set(parts) == PARTS
    before = time.monotonic()
    up.process.send_signal(signal.SIGINT)
    assert up.process.wait(20) == 0
    assert time.monotonic() - before < 15
    assert all_gone(list(parts.values()))
    assert up.said().endswith("Stopping ...\nStopped.\n")


def test_a_second_start_keeps_the_data_and_prepares_nothing(up: Up) -> None:
    up.wait_ready()
    assert "Preparing the database" not in up.said()


def test_a_second_instance_on_the_same_data_is_refused(up: Up, data: Path) -> None:
    address = up.wait_ready()
    command = [sys.executable, "manage.py", "up", "--data", str(data)]
    second = subprocess.run(
        command, cwd=environment.PROJECT, env=clean_environ(), capture_output=True, text=True, check=False
    )
    assert second.returncode == 1
    assert "already runs" in second.stderr
    assert address in second.stderr
    assert httpx.get(f"{address}healthz").is_success


def test_a_killed_supervisor_leaves_nothing_behind(up: Up) -> None:
    up.wait_ready()
    parts = list(up.parts().values())
    up.process.kill()
    up.process.wait()
    assert wait_until(lambda: all_gone(parts), seconds=5)


def test_whichever_part_dies_is_started_again(up: Up) -> None:
    address = up.wait_ready()
    for part, victim in up.parts().items():
        victim.kill()
        wait_for(lambda part=part, pid=victim.pid: _has_another(up, part, pid), what=f"another {part}")
        assert f"{part} was ended by SIGKILL; starting it again" in up.said()
    wait_for(lambda: _is_healthy(address), what="a healthy server")


def test_a_broker_that_dies_while_the_rest_starts_is_started_again(up: Up) -> None:
    wait_for(lambda: "Starting web" in up.said() and "valkey" in up.parts(), what="the second half of the start")
    up.parts()["valkey"].kill()
    address = up.wait_ready()
    assert "valkey was ended by SIGKILL; starting it again" in up.said()
    assert _is_healthy(address)


def test_a_part_that_keeps_dying_stops_everything_with_the_end_of_its_log(up: Up) -> None:
    up.wait_ready()
    others = [process for part, process in up.parts().items() if part != "worker"]
    killed: set[int] = set()
    while len(killed) <= RESTARTS:
        worker = wait_for(lambda: _another(up, killed), what="a worker to kill")
        killed.add(worker.pid)
        worker.kill()
    assert up.process.wait(20) == 1
    assert "worker keeps dying (it was ended by SIGKILL). Its log ends with:" in up.said()
    assert all_gone(others)


def _another(up: Up, killed: set[int]) -> psutil.Process | None:
    worker = up.parts().get("worker")
    return worker if worker and worker.pid not in killed else None


def _has_another(up: Up, part: str, pid: int) -> bool:
    found = up.parts().get(part)
    return found is not None and found.pid != pid


def _is_healthy(address: str) -> bool:
    try:
        return httpx.get(f"{address}healthz").is_success
    except httpx.TransportError:
        return False
