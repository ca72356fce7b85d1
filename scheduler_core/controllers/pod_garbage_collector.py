"""Pods of nodes that are gone: Failed after 40 seconds, and removed.

A deleted node has no kubelet that could end its pods. They are given a while,
in case the node comes back under its name; then the pod says why it was
disrupted, and its controller makes another one.
"""

from __future__ import annotations

from typing import ClassVar

from scheduler_core.controllers.interface import BATCH, DONE, ReconcileResult, Store
from scheduler_core.objects.conditions import condition, set_condition
from scheduler_core.objects.manifest import Manifest, ObjectKey, is_finished

QUARANTINE_SECONDS = 40.0
MESSAGE = "PodGC: node no longer exists"


class PodGarbageCollector:
    kind: ClassVar[str] = "Node"

    def __init__(self) -> None:
        # node -> cluster time it was first missed. Lost with the process: the quarantine then begins anew.
        self._missed_since: dict[str, float] = {}

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        if store.get(*key) is not None:
            self._missed_since.pop(key.name, None)
            return DONE
        orphans = store.pods_on(key.name)
        if not orphans:
            self._missed_since.pop(key.name, None)
            return DONE
        left = self._missed_since.setdefault(key.name, now) + QUARANTINE_SECONDS - now
        if left > 0:
            return ReconcileResult(requeue_after=left)
        doomed = [self._disrupted(store, pod, now) for pod in orphans[:BATCH]]
        store.delete_many(doomed)
        return ReconcileResult(requeue_after=0.0)

    def _disrupted(self, store: Store, pod: Manifest, now: float) -> Manifest:
        if is_finished(pod):
            return pod
        status = pod.get("status") or {}
        target = condition("DisruptionTarget", True, now, reason="DeletionByPodGC", message=MESSAGE)
        conditions = set_condition(status.get("conditions") or (), target)
        return store.update_status(pod, {**status, "phase": "Failed", "conditions": conditions})
