"""Waking the scheduler of a cluster: one task however many writes there were."""

from __future__ import annotations

from django.conf import settings

from playground.common.wakeups import Wakeups, writer

RUN_CYCLES = "scheduling.run_cycles"
REARM = "scheduling.rearm"
# For bindings that a slow API server has not answered: how long that is by the wall depends on the clock.
BINDINGS = Wakeups(task=REARM, queue="default")
# Topics of the feed that the scheduler follows; its own messages about the queue and its decisions do not wake it.
WAKING_TOPICS = frozenset({"object", "bindings", "cluster"})


def scheduler_of(cluster_id: int) -> Wakeups:
    """All scheduling tasks of a cluster go to one queue, and so to the worker whose engine is warm."""
    queue = f"scheduling-{cluster_id % settings.PLAYGROUND_SCHEDULING_QUEUES}"
    return Wakeups(task=RUN_CYCLES, queue=queue)


def wake_on_change(cluster_id: int, version: int, topics: frozenset[str]) -> None:
    """The follower of the feed: runs after every commit, in the writer's process."""
    # The bindings a slice makes are nothing new to the scheduler; what becomes of them is told by others.
    waking = WAKING_TOPICS - {"bindings"} if writer() == RUN_CYCLES else WAKING_TOPICS
    if topics & waking:
        scheduler_of(cluster_id).wake(cluster_id)
    if "cluster" in topics:
        BINDINGS.wake(cluster_id)
