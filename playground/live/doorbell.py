"""Hearing the doorbell outside of a WebSocket consumer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from channels.layers import get_channel_layer

from playground.live.publish import group_name


class Bell:
    """Rung by every commit of one cluster."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        self._rung.set()

    async def wait(self, timeout_seconds: float) -> None:
        """Until it rings, or rang since the last time, or the time is over."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._rung.wait(), timeout_seconds)
        self._rung.clear()


@asynccontextmanager
async def hearing(cluster_id: int) -> AsyncIterator[Bell]:
    """A bell that rings for the cluster while inside."""
    layer: Any = get_channel_layer()
    bell = Bell()
    channel = await layer.new_channel()
    await layer.group_add(group_name(cluster_id), channel)
    listener = asyncio.create_task(_listen(layer, channel, bell))
    try:
        yield bell
    finally:
        listener.cancel()
        with suppress(asyncio.CancelledError):
            await listener
        await layer.group_discard(group_name(cluster_id), channel)


async def _listen(layer: Any, channel: str, bell: Bell) -> None:
    while True:
        await layer.receive(channel)
        bell.ring()
