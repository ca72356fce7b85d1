"""Waking the scheduler of a cluster: one task however many writes there were.

A flag in the cache says that a scheduling task is on its way. Whoever sets it
sends the task; everybody else leaves it at that. The task takes the flag down
before it reads the feed, so a write after that moment sends another one: no
change is missed, and a hundred writes are one task.

Flags live for seconds only, and nothing depends on them or on the messages: the
sweep wakes whatever cluster has work that nobody came for.
"""

from __future__ import annotations

import logging
import time

from celery import current_app
from django.conf import settings
from django.core.cache import cache

logger = logging.getLogger(__name__)

RUN_CYCLES = "scheduling.run_cycles"
# A flag whose task was lost stands in the way for this long.
FLAG_SECONDS = 5
# Later than this is the sweep's affair: a waiting message must not outlive its worker by much.
LONGEST_COUNTDOWN = 60.0
# A timer that much earlier or later serves as well as the one asked for.
TIMER_SLACK = 0.05


def scheduling_queue(cluster_id: int) -> str:
    """All scheduling tasks of a cluster go to one queue, and so to the worker whose engine is warm."""
    return f"scheduling-{cluster_id % settings.PLAYGROUND_SCHEDULING_QUEUES}"


def wake(cluster_id: int) -> None:
    """There is something for the scheduler of this cluster to look at."""
    if cache.add(_flag(cluster_id), 1, timeout=FLAG_SECONDS):
        _send(cluster_id)


def wake_after(cluster_id: int, seconds: float) -> None:
    """Wake it later, unless an earlier timer already runs."""
    if seconds <= 0:
        return wake(cluster_id)
    if seconds > LONGEST_COUNTDOWN:
        return None
    now = time.time()
    due = now + seconds
    running = cache.get(_timer(cluster_id))
    if running is None or not now < running <= due + TIMER_SLACK:
        cache.set(_timer(cluster_id), due, timeout=seconds + FLAG_SECONDS)
        _send(cluster_id, countdown=seconds)
    return None


def wake_taken(cluster_id: int) -> None:
    """A scheduling task begins: from now on a write needs a task of its own."""
    cache.delete(_flag(cluster_id))


def _send(cluster_id: int, countdown: float | None = None) -> None:
    current_app.send_task(
        RUN_CYCLES, args=[cluster_id], queue=scheduling_queue(cluster_id), countdown=countdown, ignore_result=True
    )


def _flag(cluster_id: int) -> str:
    return f"scheduling:{cluster_id}:woken"


def _timer(cluster_id: int) -> str:
    return f"scheduling:{cluster_id}:timer"
