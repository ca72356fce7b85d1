"""Sessions kept between tasks, the least used ones given up.

A session is taken out of here while it is used and put back only if all went
well, so one that failed half way is never met again.

The lease belongs to the process. Should somebody run scheduling queues in
several threads of one, the second thread that comes for a cluster is refused
here: two engines would hold the same lease.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from playground.clusters.models import Cluster
from playground.common.errors import Expired, FenceLost
from playground.scheduling.engine.session import EngineSession

# Clusters whose engine a process keeps.
MOST_SESSIONS = 8


class WarmSessions:
    """Engine sessions of this process by cluster."""

    def __init__(self, most: int = MOST_SESSIONS) -> None:
        self._most = most
        self._sessions: OrderedDict[int, EngineSession] = OrderedDict()
        # Ids of clusters whose session is in use.
        self._borrowed: set[int] = set()
        self._lock = threading.Lock()

    @contextmanager
    def borrowed(self, cluster: Cluster, revision: int, generation: int) -> Iterator[EngineSession]:
        """The cluster's session, up to date with its feed. Whatever is raised inside ends its life.

        A session of another configuration's revision, or of another generation of the lease, is of no use.
        Raises FenceLost while another thread has it.
        """
        with self._lock:
            if cluster.pk in self._borrowed:
                raise FenceLost(f"another thread of this process is scheduling cluster {cluster.slug!r}")
            self._borrowed.add(cluster.pk)
            session = self._sessions.pop(cluster.pk, None)
        try:
            session = self._followed(session, cluster, revision, generation)
            yield session
            self._keep(session)
        finally:
            with self._lock:
                self._borrowed.discard(cluster.pk)

    def _keep(self, session: EngineSession) -> None:
        with self._lock:
            self._sessions[session.cluster_id] = session
            while len(self._sessions) > self._most:
                self._sessions.popitem(last=False)

    def drop(self, cluster_id: int) -> None:
        with self._lock:
            self._sessions.pop(cluster_id, None)

    def _followed(
        self, session: EngineSession | None, cluster: Cluster, revision: int, generation: int
    ) -> EngineSession:
        if session is None or (session.generation, session.revision) != (generation, revision):
            return EngineSession.build(cluster.pk, generation)
        if session.version > cluster.resource_version:
            # The database was put back to an earlier state.
            return EngineSession.build(cluster.pk, generation)
        try:
            session.follow(cluster)
        except Expired:
            return EngineSession.build(cluster.pk, generation)
        return session


warm_sessions = WarmSessions()
