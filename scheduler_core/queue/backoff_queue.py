"""backoffQ: pods that failed lately and must wait a little.

The wait is the initial backoff, doubled with each failure, up to the maximum.
Rejections and errors in a row are counted apart. A ticker empties the queue on
whole seconds of cluster time, and a pod leaves at the first tick after the
second its backoff ends in: so pods that failed in one second come out together
and activeQ's order, not the millisecond, decides among them.

With SchedulerPopFromBackoffQ an idle scheduler takes the first pod before its
time, in the order (second of expiry, QueueSort). Pods that are here because of
an error are never taken early: the error may be a sign of overload. So they
are kept in a heap of their own.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from typing import Any

from scheduler_core.queue.queued_pod import QueuedPod

# Seconds between two ticks; expiry is compared in whole windows of this length.
WINDOW = 1.0

_Entry = tuple[tuple[Any, ...], int, QueuedPod]


class _Heap:
    """Pods by expiry, with removal: a removed pod's entry is passed over when it comes up."""

    def __init__(self, key_of: Callable[[QueuedPod], tuple[Any, ...]]) -> None:
        self._key_of = key_of
        self._entries: list[_Entry] = []
        self.by_uid: dict[str, _Entry] = {}

    def add(self, queued: QueuedPod) -> None:
        entry = (self._key_of(queued), queued.arrival, queued)
        self.by_uid[queued.uid] = entry
        heapq.heappush(self._entries, entry)

    def first(self) -> QueuedPod | None:
        while self._entries:
            entry = self._entries[0]
            if self.by_uid.get(entry[2].uid) is entry:
                return entry[2]
            heapq.heappop(self._entries)
        return None

    def remove(self, uid: str) -> QueuedPod | None:
        entry = self.by_uid.pop(uid, None)
        return entry[2] if entry else None


class BackoffQueue:
    """Pods by the time their backoff ends."""

    def __init__(
        self,
        *,
        initial_backoff: float,
        max_backoff: float,
        pop_early: bool,
        sort_key: Callable[[QueuedPod], tuple[Any, ...]],
    ) -> None:
        self._initial_backoff = initial_backoff
        self._max_backoff = max_backoff
        # SchedulerPopFromBackoffQ
        self._early_allowed = pop_early
        self._sort_key = sort_key
        self._rejected = _Heap(self._order)
        self._errors = _Heap(self._order)

    def __len__(self) -> int:
        return len(self._rejected.by_uid) + len(self._errors.by_uid)

    def __contains__(self, uid: str) -> bool:
        return uid in self._rejected.by_uid or uid in self._errors.by_uid

    def __iter__(self) -> Iterator[QueuedPod]:
        """Pods in the order they leave."""
        entries = [*self._rejected.by_uid.values(), *self._errors.by_uid.values()]
        return (entry[2] for entry in sorted(entries, key=lambda entry: entry[:2]))

    def get(self, uid: str) -> QueuedPod | None:
        entry = self._rejected.by_uid.get(uid) or self._errors.by_uid.get(uid)
        return entry[2] if entry else None

    def expiry(self, queued: QueuedPod) -> float | None:
        """Cluster time when the backoff ends; None: the pod owes none."""
        if queued.backoff_until is None:
            duration = self.duration(queued)
            if duration > 0:
                queued.backoff_until = queued.timestamp + duration
        return queued.backoff_until

    def duration(self, queued: QueuedPod) -> float:
        """Seconds of backoff the pod owes for its failures so far."""
        failures = queued.consecutive_errors or queued.unschedulable_count
        if failures == 0 or self._max_backoff <= 0:
            return 0.0
        # 2 ** 64 seconds are beyond any maximum, so the shift need not grow further.
        doubled = self._initial_backoff * float(2 ** min(failures - 1, 64))
        return min(doubled, self._max_backoff)

    def is_backing_off(self, queued: QueuedPod, now: float) -> bool:
        """A pod whose backoff ends within the current window still waits."""
        expiry = self.expiry(queued)
        return expiry is not None and self._aligned(expiry) >= self._aligned(now)

    def add(self, queued: QueuedPod) -> None:
        expiry = self.expiry(queued)
        queued.position = 0.0 if expiry is None else expiry
        (self._errors if queued.consecutive_errors else self._rejected).add(queued)

    def remove(self, uid: str) -> QueuedPod | None:
        return self._rejected.remove(uid) or self._errors.remove(uid)

    def pop_early(self) -> QueuedPod | None:
        """The first pod before its time, if that is allowed and there is one."""
        queued = self._rejected.first() if self._early_allowed else None
        return self._rejected.remove(queued.uid) if queued else None

    def peek_early(self) -> QueuedPod | None:
        """The pod that `pop_early` would give."""
        return self._rejected.first() if self._early_allowed else None

    def has_early(self) -> bool:
        return self._early_allowed and self._rejected.first() is not None

    def pop_completed(self, now: float) -> list[QueuedPod]:
        """Pods that the last tick at or before `now` lets go, in order."""
        tick = math.floor(now / WINDOW) * WINDOW
        return [*self._pop_completed(self._rejected, tick), *self._pop_completed(self._errors, tick)]

    def next_tick(self) -> float | None:
        """When the next pod leaves."""
        firsts = (self._rejected.first(), self._errors.first())
        expiries = [self.expiry(queued) or 0.0 for queued in firsts if queued is not None]
        return (math.floor(min(expiries) / WINDOW) + 1) * WINDOW if expiries else None

    def _pop_completed(self, heap: _Heap, tick: float) -> Iterator[QueuedPod]:
        while (queued := heap.first()) is not None and not self.is_backing_off(queued, tick):
            heap.remove(queued.uid)
            yield queued

    def _aligned(self, time: float) -> float:
        return math.floor(time / WINDOW) * WINDOW if self._early_allowed else time

    def _order(self, queued: QueuedPod) -> tuple[Any, ...]:
        expiry = self._aligned(self.expiry(queued) or 0.0)
        return (expiry, self._sort_key(queued)) if self._early_allowed else (expiry,)
