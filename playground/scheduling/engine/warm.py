"""Sessions kept between tasks, the least used ones given up.

A session is taken out of here while it is used and put back only if all went
well, so one that failed half way is never met again.

The lease belongs to the process. Should somebody run scheduling queues in
several threads of one, the second thread that comes for a scheduler is refused
here: two engines would hold the same lease.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from playground.common.errors import Expired, FenceLost
from playground.scheduling.engine.session import EngineSession
from playground.scheduling.models import ClusterScheduler

# Schedulers whose engine a process keeps.
MOST_SESSIONS = 8


class WarmSessions:
    """Engine sessions of this process by scheduler."""

    def __init__(self, most: int = MOST_SESSIONS) -> None:
        self._most = most
        self._sessions: OrderedDict[int, EngineSession] = OrderedDict()
        # Ids of schedulers whose session is in use.
        self._borrowed: set[int] = set()
        self._lock = threading.Lock()

    @contextmanager
    def borrowed(self, scheduler: ClusterScheduler, revision: int, generation: int) -> Iterator[EngineSession]:
        """The scheduler's session, up to date with its cluster's feed. Whatever is raised inside ends its life.

        A session of another configuration's revision, or of another generation of the lease, is of no use.
        Raises FenceLost while another thread has it.
        """
        with self._lock:
            if scheduler.pk in self._borrowed:
                where = f"{scheduler.name} of cluster {scheduler.cluster.slug!r}"
                raise FenceLost(f"another thread of this process is running {where}")
            self._borrowed.add(scheduler.pk)
            session = self._sessions.pop(scheduler.pk, None)
        try:
            session = self._followed(session, scheduler, revision, generation)
            yield session
            self._keep(session)
        finally:
            with self._lock:
                self._borrowed.discard(scheduler.pk)

    def _keep(self, session: EngineSession) -> None:
        with self._lock:
            self._sessions[session.scheduler_id] = session
            while len(self._sessions) > self._most:
                self._sessions.popitem(last=False)

    def drop(self, scheduler_id: int) -> None:
        with self._lock:
            self._sessions.pop(scheduler_id, None)

    def _followed(
        self, session: EngineSession | None, scheduler: ClusterScheduler, revision: int, generation: int
    ) -> EngineSession:
        if session is None or (session.generation, session.revision) != (generation, revision):
            return EngineSession.build(scheduler.pk, generation)
        if session.version > scheduler.cluster.resource_version:
            # The database was put back to an earlier state.
            return EngineSession.build(scheduler.pk, generation)
        try:
            session.follow(scheduler.cluster)
        except Expired:
            return EngineSession.build(scheduler.pk, generation)
        return session


warm_sessions = WarmSessions()
