"""Waking the scheduler of a cluster: one task however many writes there were."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.conf import settings

from playground.common.wakeups import Wakeups

RUN_CYCLES = "scheduling.run_cycles"
# Topics of the feed that the scheduler follows; its own messages about the queue and its decisions do not wake it.
WAKING_TOPICS = frozenset({"object", "bindings", "cluster"})


# Set while a scheduling slice is stored: its own bindings are nothing new to the scheduler.
_storing = ContextVar("storing", default=False)


@contextmanager
def own_slice() -> Iterator[None]:
    """What is written inside is a slice of scheduling."""
    token = _storing.set(True)
    try:
        yield
    finally:
        _storing.reset(token)


def scheduler_of(cluster_id: int) -> Wakeups:
    """All scheduling tasks of a cluster go to one queue, and so to the worker whose engine is warm."""
    queue = f"scheduling-{cluster_id % settings.PLAYGROUND_SCHEDULING_QUEUES}"
    return Wakeups(task=RUN_CYCLES, queue=queue)


def wake_on_change(cluster_id: int, version: int, topics: frozenset[str]) -> None:
    """The follower of the feed: runs after every commit, in the writer's process."""
    waking = WAKING_TOPICS - {"bindings"} if _storing.get() else WAKING_TOPICS
    if topics & waking:
        scheduler_of(cluster_id).wake(cluster_id)
