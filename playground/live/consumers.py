"""The WebSocket of a cluster: a snapshot (or a resumption), then batches.

    /ws/clusters/{slug}/            starts with a snapshot
    /ws/clusters/{slug}/?from=N     goes on after version N where the feed still goes back that far

One task per connection reads the feed from the database and sends what is new,
at most one frame every 30 ms. The doorbell only wakes it; a doorbell that was
never heard is made up for by a look every two seconds. So nothing is lost or
sent twice, whatever happens to the channel layer, and a slow moment costs one
larger batch. A client too far behind gets a new snapshot instead of the chase.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

import msgspec
from autobahn.exception import Disconnected
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import DatabaseError

from playground.common.errors import Expired, NotFound
from playground.live import frames
from playground.live.doorbell import Bell, hearing
from playground.live.feed_source import feed_source
from playground.live.messages import GoneFrame
from playground.live.reading import read_database

logger = logging.getLogger(__name__)

# Seconds between two frames to one client.
FRAME_SECONDS = 0.03
# Seconds after which the feed is looked at although no doorbell rang.
POLL_SECONDS = 2.0
# Changes in one frame.
BATCH = 1_000
# A client further behind than this starts anew.
FAR_BEHIND = 10_000

# Application codes of RFC 6455's private range.
CLOSE_GONE = 4404
CLOSE_TROUBLE = 1011


class ClusterConsumer(AsyncWebsocketConsumer):
    """One page that watches one cluster."""

    cluster_id: int
    # The client has everything up to here.
    version: int
    # None of Channels' own: a broker that is away would refuse the client (see `doorbell`).
    channel_layer_alias = "none"

    async def connect(self) -> None:
        self._pump: asyncio.Task[None] | None = None
        await self.accept()
        slug = self.scope["url_route"]["kwargs"]["slug"]
        found = await read_database(feed_source().find, slug)
        if found is None:
            await self._send_gone(f'cluster "{slug}" does not exist')
            return
        self.cluster_id = found
        self._pump = asyncio.create_task(self._run())

    async def disconnect(self, code: int) -> None:
        if self._pump is not None:
            self._pump.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """A page has nothing to say here; what it says is let pass."""

    async def _run(self) -> None:
        # A client may leave while it is told something; `disconnect` follows.
        with suppress(Disconnected):
            async with hearing(self.cluster_id) as bell:
                await self._tell(bell)

    async def _tell(self, bell: Bell) -> None:
        try:
            await self._start()
            while True:
                await self._send_news()
                await asyncio.sleep(FRAME_SECONDS)
                await bell.wait(POLL_SECONDS)
        except NotFound as error:
            await self._send_gone(str(error))
        except Disconnected:
            raise
        except DatabaseError:
            logger.exception("live feed of cluster %s: the database failed; the client will come back", self.cluster_id)
            await self.close(code=CLOSE_TROUBLE)
        except Exception:
            # Nobody waits for this task: without a word the page would wait for ever.
            logger.exception("live feed of cluster %s failed; the client will come back", self.cluster_id)
            await self.close(code=CLOSE_TROUBLE)

    async def _start(self) -> None:
        wanted = _requested_version(self.scope)
        if wanted is None or not await self._resume(wanted):
            await self._send_snapshot()

    async def _resume(self, wanted: int) -> bool:
        """Whether the feed still goes back to `wanted` (and has come that far)."""
        card = await read_database(feed_source().card, self.cluster_id)
        if wanted > card.version or card.version - wanted > FAR_BEHIND:
            return False
        try:
            await read_database(feed_source().changes, self.cluster_id, wanted, 1)
        except Expired:
            return False
        self.version = wanted
        await self._send_frame(await read_database(frames.resumed, self.cluster_id, wanted))
        return True

    async def _send_snapshot(self) -> None:
        self.version, frame = await read_database(frames.snapshot, self.cluster_id)
        await self._send_frame(frame)

    async def _send_news(self) -> None:
        """Everything that came since the last frame."""
        while True:
            try:
                news = await read_database(_read_batch, self.cluster_id, self.version)
            except Expired:
                await self._send_snapshot()
                continue
            if news is None:
                return
            self.version, frame, is_full = news
            await self._send_frame(frame)
            if not is_full:
                return
            await asyncio.sleep(FRAME_SECONDS)

    async def _send_frame(self, frame: bytes) -> None:
        await self.send(text_data=frame.decode())

    async def _send_gone(self, message: str) -> None:
        await self._send_frame(msgspec.json.encode(GoneFrame(message=message)))
        await self.close(code=CLOSE_GONE)


class NothingHere(AsyncWebsocketConsumer):
    """Every other address: refused in the handshake."""

    async def connect(self) -> None:
        await self.close()


def _read_batch(cluster_id: int, after: int) -> tuple[int, bytes, bool] | None:
    """(new version, encoded frame, whether there may be more), None where nothing is new."""
    changes = feed_source().changes(cluster_id, after, BATCH)
    if not changes:
        return None
    if len(changes) == BATCH and feed_source().card(cluster_id).version - after > FAR_BEHIND:
        raise Expired(f"{after} is too far behind")
    return changes[-1].version, frames.batch(cluster_id, after, changes), len(changes) == BATCH


def _requested_version(scope: dict[str, Any]) -> int | None:
    """N of ?from=N; anything that is not a version means: from the start."""
    text = parse_qs(scope.get("query_string", b"").decode("ascii", "replace")).get("from", [""])[0]
    return int(text) if text.isdecimal() and len(text) < 19 else None
