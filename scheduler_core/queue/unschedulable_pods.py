"""unschedulablePods: pods that wait for something to change.

Kept by the plugins that rejected them, so that an event is weighed only for
the pods of plugins that registered for it: with 20,000 pods waiting for CPU, a
new StorageClass costs nothing. Gated pods live here too, under the one plugin
that gates them: no other plugin's event can move them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from scheduler_core.queue.queued_pod import QueuedPod

# A pod is tried again after this long even if nothing happened; looked at every FLUSH_INTERVAL.
MAX_SECONDS = 300.0
FLUSH_INTERVAL = 30.0


class UnschedulablePods:
    """Pods by uid and by the plugins that hold them."""

    def __init__(self) -> None:
        # Oldest timestamp first: pods enter with the time of their failure.
        self._rejected: dict[str, QueuedPod] = {}
        self._gated: dict[str, QueuedPod] = {}
        self._by_plugin: dict[str, dict[str, QueuedPod]] = {}
        # What each pod is indexed under, since its plugins may change before it is removed.
        self._plugins_of: dict[str, tuple[str, ...]] = {}

    def __len__(self) -> int:
        return len(self._rejected) + len(self._gated)

    def __contains__(self, uid: str) -> bool:
        return uid in self._rejected or uid in self._gated

    def __iter__(self) -> Iterator[QueuedPod]:
        yield from self._rejected.values()
        yield from self._gated.values()

    def get(self, uid: str) -> QueuedPod | None:
        return self._rejected.get(uid) or self._gated.get(uid)

    def add(self, queued: QueuedPod) -> None:
        """Adds the pod, or files it anew after its plugins changed."""
        self.remove(queued.uid)
        (self._gated if queued.is_gated else self._rejected)[queued.uid] = queued
        plugins = (queued.gating_plugin,) if queued.is_gated else tuple(queued.rejecting_plugins())
        self._plugins_of[queued.uid] = plugins
        for plugin in plugins:
            self._by_plugin.setdefault(plugin, {})[queued.uid] = queued
        queued.position = queued.timestamp
        queued.classify()

    def remove(self, uid: str) -> QueuedPod | None:
        queued = self._rejected.pop(uid, None) or self._gated.pop(uid, None)
        for plugin in self._plugins_of.pop(uid, ()):
            del self._by_plugin[plugin][uid]
        return queued

    def held_by(self, plugins: Iterable[str]) -> list[QueuedPod]:
        """Pods held by any of the plugins, each once, oldest first."""
        pools = [pool for plugin in plugins if (pool := self._by_plugin.get(plugin))]
        if len(pools) <= 1:
            return list(pools[0].values()) if pools else []
        found: dict[str, QueuedPod] = {}
        for pool in pools:
            found.update(pool)
        return sorted(found.values(), key=lambda queued: (queued.timestamp, queued.arrival))

    def left_over(self, now: float) -> list[QueuedPod]:
        """Pods that the last check at or before `now` found to have waited too long; gated ones never do."""
        check = math.floor(now / FLUSH_INTERVAL) * FLUSH_INTERVAL
        found = []
        for queued in self._rejected.values():
            if check - queued.timestamp <= MAX_SECONDS:
                break
            found.append(queued)
        return found

    def next_check(self) -> float | None:
        """When the next pod will have waited too long."""
        oldest = next(iter(self._rejected.values()), None)
        if oldest is None:
            return None
        return (math.floor((oldest.timestamp + MAX_SECONDS) / FLUSH_INTERVAL) + 1) * FLUSH_INTERVAL
