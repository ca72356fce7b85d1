"""An engine that only looks, for questions like "where would this pod fit?".

It follows the same feed as the scheduling session, in the process that was
asked, and counts the pods that the scheduler has placed but not bound yet. It
runs no cycle and writes nothing. Questions come from several threads, so a lock
goes with it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from playground.clusters.models import Cluster
from playground.common.database import consistent_read
from playground.common.errors import Expired
from playground.scheduling.engine.configuration import RunningConfiguration, running_configuration, running_revision
from playground.scheduling.engine.following import FollowingEngine, scheduler_by_id
from playground.scheduling.engine.stored import stored_scheduler
from playground.scheduling.models import ClusterScheduler
from playground.scheduling.models.binding import IN_FLIGHT
from scheduler_core.framework.registry import Registry
from scheduler_core.framework.runtime import Framework
from scheduler_core.profiles import ProfileSpec

# Schedulers whose engine a web process keeps.
MOST_OBSERVERS = 2


class Observer(FollowingEngine):
    """See the module's text."""

    def __init__(self, row: ClusterScheduler, configuration: RunningConfiguration) -> None:
        super().__init__(row, configuration)
        self.lock = threading.Lock()

    @classmethod
    def build(cls, scheduler_id: int) -> Observer:
        with consistent_read():
            row = scheduler_by_id(scheduler_id)
            observer = cls(row, running_configuration(row))
            stored = stored_scheduler(scheduler_id)
            observer.scheduler.restore(observer.stored_objects(), assumed=stored.assumed)
        observer._forget_moves()
        return observer

    def follow(self, cluster: Cluster) -> None:
        super().follow(cluster)
        self._forget_moves()

    def binding_told(self, card: Mapping[str, Any]) -> None:
        uid, cache = card["pod"]["uid"], self.scheduler.cache
        queued = self.scheduler.queue.get(uid)
        if card["phase"] == "failed":
            cache.forget_pod(uid)
        elif card["phase"] in IN_FLIGHT and queued is not None and cache.placement(uid) is None:
            cache.assume_pod(queued.pod, card["node"])

    def frameworks(self, profiles: Iterable[ProfileSpec] | None, registry: Registry) -> Mapping[str, Framework]:
        """Those of other profiles, their plugins from `registry`, by scheduler name; None: the running ones."""
        if profiles is None:
            return self.scheduler.profiles
        return {profile.scheduler_name: self.scheduler.framework_for(profile, registry) for profile in profiles}

    def _forget_moves(self) -> None:
        """Nobody stores this queue."""
        self.scheduler.drain_moves()
        self.scheduler.drain_changed()


class Observers:
    """The observers of this process, the least used ones given up."""

    def __init__(self, most: int = MOST_OBSERVERS) -> None:
        self._most = most
        self._observers: OrderedDict[int, Observer] = OrderedDict()
        self._lock = threading.Lock()
        # By scheduler: who asks for one that is being built waits for it, and for no other.
        self._building: dict[int, threading.Lock] = {}

    @contextmanager
    def looking(self, cluster: Cluster, scheduler_id: int) -> Iterator[Observer]:
        """The scheduler's observer, up to date, for one thread at a time. Whatever is raised inside ends its life."""
        observer = self._get(scheduler_id)
        observer.lock.acquire()
        try:
            observer = self._followed(observer, cluster)
            yield observer
        except BaseException:
            self._drop(observer)
            raise
        finally:
            observer.lock.release()

    def _get(self, scheduler_id: int) -> Observer:
        with self._lock:
            building = self._building.setdefault(scheduler_id, threading.Lock())
        with building:
            revision = running_revision(scheduler_id)
            with self._lock:
                observer = self._observers.get(scheduler_id)
            if observer is None or observer.revision != revision:
                observer = Observer.build(scheduler_id)
            with self._lock:
                self._keep(observer)
        return observer

    def _followed(self, observer: Observer, cluster: Cluster) -> Observer:
        """The observer up to date, or one in its place where the feed does not go back so far; locked, like it."""
        try:
            observer.follow(cluster)
        except Expired:
            successor = Observer.build(observer.scheduler_id)
            successor.lock.acquire()
            with self._lock:
                self._keep(successor)
            observer.lock.release()
            return successor
        return observer

    def _keep(self, observer: Observer) -> None:
        self._observers[observer.scheduler_id] = observer
        self._observers.move_to_end(observer.scheduler_id)
        while len(self._observers) > self._most:
            self._observers.popitem(last=False)

    def _drop(self, observer: Observer) -> None:
        with self._lock:
            if self._observers.get(observer.scheduler_id) is observer:
                del self._observers[observer.scheduler_id]


observers = Observers()
