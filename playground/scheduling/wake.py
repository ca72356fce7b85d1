"""Waking the schedulers of a cluster: one task however many writes there were.

A write wakes the cluster's first scheduler, whose task wakes the others, if
there are any: who writes need not know which.
"""

from __future__ import annotations

from django.conf import settings

from playground.common.wakeups import Wakeups, writer

RUN_CYCLES = "scheduling.run_cycles"
RUN_FURTHER = "scheduling.run_further"
REARM = "scheduling.rearm"
# For bindings that a slow API server has not answered: how long that is by the wall depends on the clock.
BINDINGS = Wakeups(task=REARM, queue="default")
# Topics of the feed that the scheduler follows; its own messages about the queue and its decisions do not wake it.
WAKING_TOPICS = frozenset({"object", "bindings", "cluster"})


def scheduler_of(cluster_id: int) -> Wakeups:
    """All tasks of a cluster's first scheduler go to one queue, and so to the worker whose engine is warm."""
    return Wakeups(task=RUN_CYCLES, queue=_queue(cluster_id))


def further_scheduler(cluster_id: int, ordinal: int) -> Wakeups:
    """Of a scheduler beside the first, woken by its own id; where there are more workers, another one's work."""
    return Wakeups(task=RUN_FURTHER, queue=_queue(cluster_id + ordinal))


def _queue(number: int) -> str:
    return f"scheduling-{number % settings.PLAYGROUND_SCHEDULING_QUEUES}"


def wake_on_change(cluster_id: int, version: int, topics: frozenset[str]) -> None:
    """The follower of the feed: runs after every commit, in the writer's process."""
    # The bindings a slice makes are nothing new to the scheduler; what becomes of them is told by others.
    waking = WAKING_TOPICS - {"bindings"} if writer() == RUN_CYCLES else WAKING_TOPICS
    if topics & waking:
        scheduler_of(cluster_id).wake(cluster_id)
    if "cluster" in topics:
        BINDINGS.wake(cluster_id)
