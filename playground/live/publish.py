"""The doorbell: the only sender of channel-layer messages.

A committed write rings once with its cluster's new version. Whoever hears it
reads the feed from the database, so a lost ring costs a little time and never
a message. Ringing must not hold up a writer, least of all when the broker is
away: a thread of its own keeps one event loop and one connection, and rings
the newest version of each cluster.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading

from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)


def group_name(cluster_id: int) -> str:
    """The channel-layer group of everybody who follows a cluster."""
    return f"cluster.{cluster_id}"


class Doorbell:
    """Rings from one background thread; many rings of a cluster that wait become one."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """As new: a forked child has neither its parent's thread nor, for sure, a lock that is free."""
        self._lock = threading.Lock()
        self._wake = threading.Event()
        # cluster id -> newest version not rung yet
        self._waiting: dict[int, int] = {}
        self._thread: threading.Thread | None = None
        self._failing = False

    def ring(self, cluster_id: int, version: int) -> None:
        with self._lock:
            self._waiting[cluster_id] = max(version, self._waiting.get(cluster_id, 0))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="doorbell", daemon=True)
                self._thread.start()
        self._wake.set()

    def _run(self) -> None:
        with asyncio.Runner() as runner:
            while True:
                self._wake.wait()
                self._wake.clear()
                with self._lock:
                    waiting, self._waiting = self._waiting, {}
                runner.run(self._send(waiting))

    async def _send(self, waiting: dict[int, int]) -> None:
        layer = get_channel_layer()
        if layer is None:
            return
        try:
            for cluster_id, version in waiting.items():
                await layer.group_send(group_name(cluster_id), {"type": "doorbell", "version": version})
            self._failing = False
        except Exception as error:  # noqa: BLE001  (followers also poll; a broker that is away must not stop writes)
            if not self._failing:
                logger.warning("doorbells are not rung (%s); followers poll until the broker is back", error)
            self._failing = True


_doorbell = Doorbell()
os.register_at_fork(after_in_child=_doorbell.reset)


def ring(cluster_id: int, version: int) -> None:
    """Tell everybody who follows the cluster that its feed goes to `version` now. Call on commit."""
    _doorbell.ring(cluster_id, version)
