"""Waking a background worker of a cluster: one task however many writes there were.

A flag in the cache says that a task is on its way. Whoever sets it sends the
task; everybody else leaves it at that. The task takes the flag down before it
reads the feed, so a write after that moment sends another one: no change is
missed, and a hundred writes are one task. A timer works alike, with a countdown.

Nothing depends on the flags or the messages; the sweeps wake whatever has work
that nobody came for.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from celery import current_app
from django.core.cache import cache
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

# A flag whose task was lost stands in the way for this long.
FLAG_SECONDS = 5
# Later than this is the sweep's affair: a waiting message must not outlive its worker by much.
LONGEST_COUNTDOWN = 60.0
# A timer that much earlier or later serves as well as the one asked for.
TIMER_SLACK = 0.05


# The task that this thread is running, where its own writes are nothing new to it.
_writer = ContextVar("writer", default="")


@contextmanager
def writing(task: str) -> Iterator[None]:
    """What this thread writes inside is the work of `task`; `writer` tells its followers."""
    token = _writer.set(task)
    try:
        yield
    finally:
        _writer.reset(token)


def writer() -> str:
    """The task whose work is being written; "" where it is nobody's."""
    return _writer.get()


@contextmanager
def _broker_may_be_away(task: str) -> Iterator[None]:
    """A write is not the worse for it: it is stored, and the sweeps find it when the broker is back."""
    try:
        yield
    except (RedisError, OperationalError) as error:
        logger.warning("%s is not woken (%s); a sweep will do it when the broker is back", task, error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wakeups:
    """The task of one kind of worker, sent with a cluster's id."""

    task: str
    queue: str

    def wake(self, cluster_id: int) -> None:
        """There is something to look at."""
        with _broker_may_be_away(self.task):
            if cache.add(self._flag(cluster_id), 1, timeout=FLAG_SECONDS):
                self._send(cluster_id)

    def wake_after(self, cluster_id: int, seconds: float) -> None:
        """Look later, unless an earlier timer already runs."""
        if seconds <= 0:
            self.wake(cluster_id)
        elif seconds <= LONGEST_COUNTDOWN:
            with _broker_may_be_away(self.task):
                self._start_timer(cluster_id, seconds)

    def taken(self, cluster_id: int) -> None:
        """A task begins: from now on a write needs a task of its own."""
        cache.delete(self._flag(cluster_id))

    def _start_timer(self, cluster_id: int, seconds: float) -> None:
        now = time.time()
        due = now + seconds
        running = cache.get(self._timer(cluster_id))
        if running is not None and now < running <= due + TIMER_SLACK:
            return
        cache.set(self._timer(cluster_id), due, timeout=seconds + FLAG_SECONDS)
        self._send(cluster_id, countdown=seconds)

    def _send(self, cluster_id: int, countdown: float | None = None) -> None:
        current_app.send_task(self.task, args=[cluster_id], queue=self.queue, countdown=countdown, ignore_result=True)

    def _flag(self, cluster_id: int) -> str:
        return f"{self.task}:{cluster_id}:woken"

    def _timer(self, cluster_id: int) -> str:
        return f"{self.task}:{cluster_id}:timer"
