"""unschedulablePods: pods that wait for something to change.

Filed in groups that hints treat alike (`hint_groups`), and those by the plugins
that rejected them, so that an event is weighed only for the pods of plugins that
registered for it: with 20,000 pods waiting for CPU, a new StorageClass costs
nothing. Gated pods live here too, under the one plugin that gates them: no other
plugin's event can move them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from scheduler_core.queue.hint_groups import GroupKey, HintGroup
from scheduler_core.queue.queued_pod import QueuedPod, QueuedPodState

# A pod is tried again after this long even if nothing happened; looked at every FLUSH_INTERVAL.
MAX_SECONDS = 300.0
FLUSH_INTERVAL = 30.0


class UnschedulablePods:
    """Pods by uid, and in groups by the plugins that hold them."""

    def __init__(self) -> None:
        # Oldest timestamp first: pods enter with the time of their failure.
        self._rejected: dict[str, QueuedPod] = {}
        self._gated: dict[str, QueuedPod] = {}
        self._groups: dict[GroupKey, HintGroup] = {}
        self._by_plugin: dict[str, dict[GroupKey, HintGroup]] = {}
        # What each pod is filed under, since its plugins may change before it is removed.
        self._key_of: dict[str, GroupKey] = {}

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
        queued.position = queued.timestamp
        self._file(queued)

    def file_anew(self, queued: QueuedPod) -> None:
        """The pod itself was changed; it keeps its place."""
        self._unfile(queued.uid)
        self._file(queued)

    def remove(self, uid: str) -> QueuedPod | None:
        queued = self._rejected.pop(uid, None) or self._gated.pop(uid, None)
        if queued is not None:
            self._unfile(uid)
        return queued

    def groups_held_by(self, plugins: Iterable[str]) -> list[HintGroup]:
        """Groups of pods that any of the plugins holds."""
        found: dict[GroupKey, HintGroup] = {}
        for plugin in plugins:
            found.update(self._by_plugin.get(plugin, {}))
        return list(found.values())

    def state_of(self, queued: QueuedPod) -> QueuedPodState:
        """Of a pod in here, with what its group counted for it."""
        return queued.state(self._groups[self._key_of[queued.uid]].skips_of(queued))

    def _file(self, queued: QueuedPod) -> None:
        queued.classify()
        key = self._key_of[queued.uid] = GroupKey(queued.hint_class, queued.gating_plugin)
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = HintGroup()
            for plugin in _holding_plugins(key):
                self._by_plugin.setdefault(plugin, {})[key] = group
        group.join(queued)

    def _unfile(self, uid: str) -> None:
        key = self._key_of.pop(uid)
        group = self._groups[key]
        group.leave(uid)
        if not group.pods:
            del self._groups[key]
            for plugin in _holding_plugins(key):
                del self._by_plugin[plugin][key]

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


def _holding_plugins(key: GroupKey) -> tuple[str, ...]:
    """Each once; a gated pod is held by that plugin alone."""
    if key.gating_plugin:
        return (key.gating_plugin,)
    _, _, unschedulable, pending = key.hint_class
    return tuple(dict.fromkeys((*unschedulable, *pending)))
