"""Hearing the doorbell: for WebSockets and watches alike.

Whoever listens follows the feed with or without a bell, only later without. So
a broker that is away refuses nobody and ends no connection: it is asked again
until it is back, and the bell rings once when it can be heard (again), for what
was written meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from playground.live.publish import group_name

logger = logging.getLogger(__name__)

# Between two attempts to listen.
RETRY_SECONDS = 1.0


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
    bell = Bell()
    listener = asyncio.create_task(_keep_listening(cluster_id, bell))
    try:
        yield bell
    finally:
        listener.cancel()
        with suppress(asyncio.CancelledError):
            await listener


async def _keep_listening(cluster_id: int, bell: Bell) -> None:
    while True:
        try:
            await _listen(cluster_id, bell)
        except (RedisError, OSError) as error:
            logger.info("the doorbell of cluster %s is not heard (%s); its feed is polled", cluster_id, error)
        await asyncio.sleep(RETRY_SECONDS)


async def _listen(cluster_id: int, bell: Bell) -> None:
    layer: Any = get_channel_layer()
    channel = await layer.new_channel()
    group = group_name(cluster_id)
    await layer.group_add(group, channel)
    bell.ring()
    try:
        while True:
            await layer.receive(channel)
            bell.ring()
    finally:
        with suppress(RedisError, OSError):
            await layer.group_discard(group, channel)
