"""activeQ: pods ready to be tried, in QueueSort's order.

A sorted list rather than a heap: people look at this queue, so its whole order
is wanted all the time. Popping moves a head index; inserting is a bisection and
a memory move, microseconds at 100,000 pods.

Each pod also carries a `position`, a number that sorts as the queue does, so
that a page can place one new pod without being told the others' ranks. A pod
that comes between two others gets a number between theirs; when floats are too
coarse for that, all are numbered anew and `renumbered` says so.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from scheduler_core.queue.queued_pod import QueuedPod

if TYPE_CHECKING:
    from scheduler_core.objects.pod_info import PodInfo

SortKey = Callable[["PodInfo", float, float], tuple[Any, ...]]
# (QueueSort's key, arrival, pod); arrival is unique, so pods are never compared.
_Entry = tuple[tuple[Any, ...], int, QueuedPod]

# Pods often come right behind the one before, so most of a gap is left to the ones to come.
_SHARE_OF_GAP = 1 / 64
_COMPACT_AT = 1024


class ActiveQueue:
    """Pods in the order in which they will be popped."""

    def __init__(self, sort_key: SortKey) -> None:
        self._sort_key = sort_key
        # Sorted from `_head` on; what is before was popped.
        self._entries: list[_Entry] = []
        self._head = 0
        self._by_uid: dict[str, _Entry] = {}
        # Set when positions of pods that did not move were changed; the reader resets it.
        self.renumbered = False

    def __len__(self) -> int:
        return len(self._by_uid)

    def __contains__(self, uid: str) -> bool:
        return uid in self._by_uid

    def __iter__(self) -> Iterator[QueuedPod]:
        """Pods in order."""
        return (self._entries[i][2] for i in range(self._head, len(self._entries)))

    def get(self, uid: str) -> QueuedPod | None:
        entry = self._by_uid.get(uid)
        return entry[2] if entry else None

    def key_of(self, queued: QueuedPod) -> tuple[tuple[Any, ...], int]:
        return self._sort_key(queued.pod, queued.timestamp, queued.first_active_at), queued.arrival

    def add(self, queued: QueuedPod) -> None:
        entry = (*self.key_of(queued), queued)
        index = bisect_left(self._entries, entry, lo=self._head)
        self._entries.insert(index, entry)
        self._by_uid[queued.uid] = entry
        self._place(index)

    def pop(self) -> QueuedPod:
        """The first pod. Raises IndexError when there is none."""
        queued = self._entries[self._head][2]
        del self._by_uid[queued.uid]
        self._head += 1
        if self._head >= _COMPACT_AT and self._head * 2 >= len(self._entries):
            del self._entries[: self._head]
            self._head = 0
        return queued

    def remove(self, uid: str) -> QueuedPod | None:
        entry = self._by_uid.pop(uid, None)
        if entry is None:
            return None
        del self._entries[bisect_left(self._entries, entry, lo=self._head)]
        return entry[2]

    def _place(self, index: int) -> None:
        queued = self._entries[index][2]
        before = self._entries[index - 1][2].position if index > self._head else None
        after = self._entries[index + 1][2].position if index + 1 < len(self._entries) else None
        if before is None:
            queued.position = 0.0 if after is None else after - 1.0
        elif after is None:
            queued.position = before + 1.0
        else:
            queued.position = before + (after - before) * _SHARE_OF_GAP
            if not before < queued.position < after:
                self._renumber()

    def _renumber(self) -> None:
        for position, queued in enumerate(self):
            queued.position = float(position)
        self.renumbered = True
