from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from playground.common import wakeups
from playground.common.wakeups import Wakeups

WORK = Wakeups(task="work.run", queue="default")


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float | None]]:
    """The countdowns of the tasks that were sent."""
    countdowns: list[float | None] = []

    def send(name: str, *, args: list[int], queue: str, countdown: float | None, **_: Any) -> None:
        assert (name, args, queue) == ("work.run", [1], "default")
        countdowns.append(countdown)

    monkeypatch.setattr(wakeups.current_app, "send_task", send)
    cache.clear()
    yield countdowns
    cache.clear()


def test_many_wakes_are_one_task(sent: list[float | None]) -> None:
    for _ in range(10):
        WORK.wake(1)
    assert sent == [None]


def test_a_wake_after_the_task_began_is_another_one(sent: list[float | None]) -> None:
    WORK.wake(1)
    WORK.taken(1)
    WORK.wake(1)
    assert sent == [None, None]


def test_a_timer_is_not_started_twice_unless_the_new_one_is_earlier(sent: list[float | None]) -> None:
    WORK.wake_after(1, 10)
    WORK.wake_after(1, 20)
    WORK.wake_after(1, 5)
    assert sent == [10, 5]


def test_what_is_due_is_woken_and_what_is_far_off_is_left_to_the_sweep(sent: list[float | None]) -> None:
    WORK.wake_after(1, 0)
    WORK.wake_after(1, 3600)
    assert sent == [None]


@pytest.mark.parametrize("error", [RedisError("away"), OperationalError("away")])
def test_a_broker_that_is_away_is_a_line_in_the_log_and_no_trouble_of_the_writer(
    error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    cache.clear()
    monkeypatch.setattr(wakeups.current_app, "send_task", fail)
    WORK.wake(1)
    WORK.wake_after(1, 3)
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert "work.run is not woken (away)" in caplog.text
    cache.clear()
