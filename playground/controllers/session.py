"""A cluster as the controllers and kubelets of one process know it: an informer.

A session holds the newest manifests, who is to look at what (the controllers'
manager) and which pods want their kubelet. It follows the feed, so the next
task finds it warm. It is exact only inside a cluster transaction, after
`follow`; outside it may be behind, never wrong for long. Any failure in a
transaction throws the session away, and the next task builds it anew.

One thread at a time uses a session: whoever has `lock`.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from random import Random

from playground.clusters.selectors import feed_version
from playground.common.errors import Expired
from playground.controllers.asking import asking_drop, asking_of
from playground.controllers.kubelet_view import KubeletView
from playground.controllers.selectors import ObjectChange, object_changes, objects_at_a_version
from scheduler_core.controllers import all_controllers
from scheduler_core.controllers.manager import ControllerManager
from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.objects.manifest import Manifest, ObjectKey, key_of

logger = logging.getLogger(__name__)

# Clusters a process keeps warm.
MOST_SESSIONS = 8


class ClusterSession:
    def __init__(self, cluster_id: int) -> None:
        self.cluster_id = cluster_id
        self.lock = threading.Lock()
        # Somebody came while the lock was taken: whoever has it looks again.
        self.called = threading.Event()
        self.generator = Random()
        # Admission webhooks that were asked about objects to be created.
        self.asking = asking_of(cluster_id)
        # The version of the feed that `index` stands for; -1: not read yet.
        self.version = -1
        self._reset()

    def _reset(self) -> None:
        self.version = -1
        self.index = ObjectIndex()
        self.manager = ControllerManager(self.index, all_controllers(self.generator), on_failure=self._report_failure)
        self.kubelet = KubeletView(self.index)

    def forget(self) -> None:
        """Something went wrong: start from the database next time."""
        self._reset()

    def follow(self) -> None:
        """Catch up with the database. Raises NotFound where the cluster is gone."""
        version = feed_version(self.cluster_id)
        if self.version < 0:
            self._read_all()
        if self.version >= version:
            return
        try:
            for change in object_changes(self.cluster_id, self.version, version):
                self.apply(change)
            self.version = version
        except Expired:
            self._reset()
            self._read_all()

    def apply(self, change: ObjectChange) -> None:
        """One change of an object, from the feed or from the transaction that makes it."""
        if change.event == "DELETED":
            self.observe(self.index.remove(key_of(change.manifest)), None)
        else:
            self.observe(self.index.put(change.manifest), change.manifest)

    def observe(self, old: Manifest | None, new: Manifest | None) -> None:
        self.manager.observe(old, new)
        self.kubelet.observe(old, new)

    def _read_all(self) -> None:
        self.version, manifests = objects_at_a_version(self.cluster_id)
        for manifest in manifests:
            self.index.put(manifest)
            self.kubelet.observe(None, manifest)
        self.kubelet.resume_all()
        self.manager.resync()

    def _report_failure(self, key: ObjectKey, error: Exception) -> None:
        logger.error("cluster %s: no look at %s was possible", self.cluster_id, "/".join(key), exc_info=error)


class Sessions:
    """The sessions of this process, the least used ones given up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sessions: OrderedDict[int, ClusterSession] = OrderedDict()

    def get(self, cluster_id: int) -> ClusterSession:
        with self._lock:
            session = self._sessions.pop(cluster_id, None) or ClusterSession(cluster_id)
            self._sessions[cluster_id] = session
            while len(self._sessions) > MOST_SESSIONS:
                self._sessions.popitem(last=False)
            return session

    def drop(self, cluster_id: int) -> None:
        with self._lock:
            self._sessions.pop(cluster_id, None)
        asking_drop(cluster_id)


sessions = Sessions()
