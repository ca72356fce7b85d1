"""One beat, one task, however many workers there are."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from celery import Celery
from django.core.cache import cache

from playground.config import heartbeat


class Broker(Celery):
    """Notes what is sent, after it was away for some tries."""

    def __init__(self, failures: int = 0) -> None:
        super().__init__("test", set_as_current=False)
        self.sent: list[tuple[str, float]] = []
        self.arrived = threading.Event()
        self.failures = failures

    def send_task(self, name: str, *, expires: float, **_: object) -> None:
        if self.failures:
            self.failures -= 1
            raise ConnectionError("the broker is away")
        self.sent.append((name, expires))
        self.arrived.set()


@pytest.fixture(autouse=True)
def fresh_cache() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def test_each_task_is_sent_once_a_beat() -> None:
    broker = Broker()
    beats = {"scheduling.sweep": 60.0, "controllers.sweep": 60.0}
    assert heartbeat.send_due(broker, beats) == ["scheduling.sweep", "controllers.sweep"]
    assert heartbeat.send_due(broker, beats) == []
    assert broker.sent == [("scheduling.sweep", 60.0), ("controllers.sweep", 60.0)]


def test_a_second_worker_does_not_send_it_again() -> None:
    one, two = Broker(), Broker()
    heartbeat.send_due(one, {"scheduling.sweep": 60.0})
    heartbeat.send_due(two, {"scheduling.sweep": 60.0})
    assert len(one.sent + two.sent) == 1


def test_it_goes_on_when_the_broker_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "WAKE_SECONDS", 0.001)
    monkeypatch.setattr(heartbeat.cache, "add", lambda *_, **__: True)
    broker, stopping = Broker(failures=3), threading.Event()
    thread = threading.Thread(target=heartbeat.run, args=(broker, stopping))
    thread.start()
    assert broker.arrived.wait(5)
    stopping.set()
    thread.join(5)
    assert not thread.is_alive()
    assert broker.failures == 0
