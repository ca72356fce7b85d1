"""In-flight events: what happened while a pod was being tried.

A pod that is popped sees the cluster of that moment. If its attempt fails, an
event that came meanwhile may already have made room, and would otherwise be
missed. So while any pod is in flight all events are kept, from the place the
oldest pod in flight started at. A pod held at Permit can be in flight for
minutes: beyond MAX_EVENTS the oldest events are dropped, and pods that should
have seen them count as `missed`, which queues them again after backoff.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from scheduler_core.queue.events import ClusterEvent

MAX_EVENTS = 10_000


class InFlightEvent(NamedTuple):
    event: ClusterEvent
    old: Any
    new: Any
    # Concerns only this pod; "": all.
    only_uid: str


class EventsSince(NamedTuple):
    """Events during one pod's attempt, oldest first."""

    events: list[InFlightEvent]
    # Some were dropped.
    missed: bool


class InFlightPods:
    """Pods being tried, and the events since the oldest of them was popped."""

    def __init__(self) -> None:
        # uid -> number of the first event it has not seen; in order of popping, so the first is the smallest.
        self._start: dict[str, int] = {}
        self._events: list[InFlightEvent] = []
        # Number of `_events[0]`.
        self._first = 0

    def __len__(self) -> int:
        return len(self._start)

    def __contains__(self, uid: str) -> bool:
        return uid in self._start

    def start(self, uid: str) -> None:
        self._start[uid] = self._first + len(self._events)

    def start_blind(self, uid: str) -> None:
        """For a pod taken over from another worker, whose events are lost."""
        self._start = {uid: -1, **self._start}

    def record(self, event: ClusterEvent, old: Any, new: Any, only_uid: str = "") -> None:
        if not self._start:
            return
        self._events.append(InFlightEvent(event, old, new, only_uid))
        if len(self._events) > MAX_EVENTS:
            self._drop_before(self._first + len(self._events) - MAX_EVENTS)

    def events_of(self, uid: str) -> EventsSince:
        start = self._start[uid]
        events = self._events[max(start - self._first, 0) :]
        mine = [event for event in events if event.only_uid in ("", uid)]
        return EventsSince(mine, missed=start < self._first)

    def done(self, uid: str) -> None:
        """The pod came back, or can only fail with an error from here on."""
        if self._start.pop(uid, None) is None:
            return
        oldest = next(iter(self._start.values()), None)
        self._drop_before(self._first + len(self._events) if oldest is None else oldest)

    def _drop_before(self, number: int) -> None:
        if number > self._first:
            del self._events[: number - self._first]
            self._first = number
