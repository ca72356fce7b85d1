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
        self._lock = threading.Lock()
        # cluster id -> newest version not rung yet
        self._waiting: dict[int, int] = {}
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self._pid = 0

    def ring(self, cluster_id: int, version: int) -> None:
        with self._lock:
            self._waiting[cluster_id] = max(version, self._waiting.get(cluster_id, 0))
            self._ensure_thread()
        self._wake.set()

    def _ensure_thread(self) -> None:
        """A forked child has no threads of its parent, so the thread belongs to a process."""
        if self._pid != os.getpid():
            self._pid = os.getpid()
            self._wake = threading.Event()
            self._thread = threading.Thread(target=self._run, name="doorbell", daemon=True)
            self._thread.start()

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
        for cluster_id, version in waiting.items():
            try:
                await layer.group_send(group_name(cluster_id), {"type": "doorbell", "version": version})
            except Exception as error:  # noqa: BLE001  (followers also poll; a broker that is away must not stop writes)
                logger.warning("doorbell of cluster %s not rung: %s", cluster_id, error)


_doorbell = Doorbell()


def ring(cluster_id: int, version: int) -> None:
    """Tell everybody who follows the cluster that its feed goes to `version` now. Call on commit."""
    _doorbell.ring(cluster_id, version)
