"""The doorbell: rings from a thread, never holds up or breaks a write."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from playground.live import publish
from playground.live.doorbell import hearing
from playground.live.publish import Doorbell


class Layer:
    """A channel layer that notes what it is sent, or fails."""

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken
        self.sent: list[tuple[str, Any]] = []

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        if self.broken:
            raise ConnectionError("no broker")
        self.sent.append((group, message["version"]))


async def test_many_waiting_rings_become_one_with_the_newest_version(monkeypatch: pytest.MonkeyPatch) -> None:
    layer = Layer()
    monkeypatch.setattr(publish, "get_channel_layer", lambda: layer)
    await Doorbell()._send({7: 12, 8: 3})
    assert layer.sent == [("cluster.7", 12), ("cluster.8", 3)]


async def test_a_broker_that_is_away_is_told_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    layer = Layer(broken=True)
    monkeypatch.setattr(publish, "get_channel_layer", lambda: layer)
    doorbell = Doorbell()
    for _ in range(3):
        await doorbell._send({7: 1})
    assert len(caplog.records) == 1
    layer.broken = False
    await doorbell._send({7: 2})
    assert layer.sent == [("cluster.7", 2)]


async def test_who_listens_hears_a_ring_from_another_thread() -> None:
    async with hearing(7) as bell:
        publish.ring(7, 1)
        await asyncio.wait_for(bell.wait(5), 6)
        assert not bell._rung.is_set()
