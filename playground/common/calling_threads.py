"""Threads for work that waits for services of others, so that nobody else waits for them.

A worker's task hands such work over and is done; a few threads of its process
run it, one piece of a key at a time. Work that comes for a key under way is run
once more afterwards, so nothing is missed. Nothing is kept for a process that
dies: whoever hands work over must find it again from its rows (a sweep).
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from django.db import connections

logger = logging.getLogger(__name__)

Work = Callable[[], None]


class CallsOut(Exception):
    """This work waits for services of others, and must not do so here."""


class CallingThreads:
    """Started when there is work for them; daemons, so that they keep no process alive."""

    def __init__(self, name: str, most: int = 4) -> None:
        self._name = name
        self._most = most
        # In order of arrival; the newest work of a key replaces what still waits.
        self._waiting: OrderedDict[Hashable, Work] = OrderedDict()
        self._running: set[Hashable] = set()
        self._idle = self._started = 0
        self._changed = threading.Condition()

    def run(self, key: Hashable, work: Work) -> None:
        """Soon, and not while other work of that key runs."""
        with self._changed:
            self._waiting[key] = work
            if not self._idle and self._started < self._most:
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
            try:
                work()
            except Exception:
                # As in a task: it is logged, and the sweep comes for what was left.
                logger.exception("work for %s of %s failed", key, self._name)
            finally:
                connections.close_all()
                self._done(key)

    def _next(self) -> tuple[Hashable, Work]:
        with self._changed:
            self._idle += 1
            self._changed.wait_for(lambda: self._free() is not None)
            self._idle -= 1
            key = self._free()
            self._running.add(key)
            return key, self._waiting.pop(key)

    def _free(self) -> Hashable | None:
        """The first key with work that is not under way."""
        return next((key for key in self._waiting if key not in self._running), None)

    def _done(self, key: Hashable) -> None:
        with self._changed:
            self._running.discard(key)
            self._changed.notify_all()
