"""Threads for work that waits for services of others, so that nobody else waits for them.

A worker's task hands such work over and is done; a few threads of its process
run it, one piece of a key at a time. Work that comes for a key under way is run
once more afterwards, so nothing is missed. Keys whose work took long the last
time get only some of the threads, so that slow services never have them all.
Nothing is kept for a process that dies: whoever hands work over must find it
again from its rows (a sweep).
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

from django.db import connections

logger = logging.getLogger(__name__)

Work = Callable[[], None]

# Work that took longer than this is expected to do so again.
SLOW_SECONDS = 1.0
# Keys that may never come again.
MOST_REMEMBERED = 1_000


class CallsOut(Exception):
    """This work waits for services of others, and must not do so here."""


class CallingThreads:
    """Started when there is work for them; daemons, so that they keep no process alive."""

    def __init__(self, name: str, most: int = 16) -> None:
        self._name = name
        self._most = most
        self._most_slow = max(1, most * 3 // 4)
        # In order of arrival; the newest work of a key replaces what still waits.
        self._waiting: OrderedDict[Hashable, Work] = OrderedDict()
        self._running: set[Hashable] = set()
        self._slow: set[Hashable] = set()
        self._idle = self._started = 0
        self._changed = threading.Condition()

    def run(self, key: Hashable, work: Work) -> None:
        """Soon, and not while other work of that key runs."""
        with self._changed:
            self._waiting[key] = work
            # Threads that were called but have not come yet still count as idle, so the work is counted, too.
            if len(self._waiting) > self._idle and self._started < self._most:
                self._started += 1
                threading.Thread(target=self._serve, name=f"{self._name}-{self._started}", daemon=True).start()
            self._changed.notify()

    def wait_until_idle(self, seconds: float) -> bool:
        """For tests and for those who tidy up: whether all work was done within that time."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._running, seconds)

    def _serve(self) -> None:
        while True:
            key, work = self._next()
            began = time.monotonic()
            try:
                work()
            except Exception:
                # As in a task: it is logged, and the sweep comes for what was left.
                logger.exception("work for %s of %s failed", key, self._name)
            finally:
                connections.close_all()
                self._done(key, time.monotonic() - began)

    def _next(self) -> tuple[Hashable, Work]:
        with self._changed:
            self._idle += 1
            self._changed.wait_for(lambda: self._free() is not None)
            self._idle -= 1
            key = self._free()
            self._running.add(key)
            return key, self._waiting.pop(key)

    def _free(self) -> Hashable | None:
        """The first key with work that is not under way, and for which a thread may be spent."""
        slow_allowed = len(self._running & self._slow) < self._most_slow
        return next(
            (key for key in self._waiting if key not in self._running and (slow_allowed or key not in self._slow)),
            None,
        )

    def _done(self, key: Hashable, seconds: float) -> None:
        with self._changed:
            self._running.discard(key)
            if seconds > SLOW_SECONDS:
                if len(self._slow) >= MOST_REMEMBERED:
                    self._slow.clear()
                self._slow.add(key)
            else:
                self._slow.discard(key)
            self._changed.notify_all()
