"""ReplicaSet (and its forebear ReplicationController): so many pods of one template.

Too few: pods are made, `BATCH` at a time. Too many: the ones whose loss hurts
least go (pod_deletion_order). Finished and deleted pods do not count, so a pod
that the kubelet refused is replaced by a new one and stays behind as Failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from scheduler_core.controllers.combined_events import events
from scheduler_core.controllers.interface import AGAIN, BATCH, DONE, ReconcileResult, Refusal, Store
from scheduler_core.controllers.pod_deletion_order import pods_to_delete
from scheduler_core.controllers.pod_ownership import claim
from scheduler_core.controllers.pod_template import generated_pod
from scheduler_core.objects.conditions import condition, set_condition, without_condition
from scheduler_core.objects.manifest import (
    Manifest,
    ObjectKey,
    available_in,
    controller_of,
    generation_of,
    is_active,
    is_deleting,
    is_ready,
    labels_of,
)

# Refusals are tried again: what was missing (a PriorityClass, a quota) may be there by then.
RETRY_SECONDS = 15.0


def desired_replicas(workload: Manifest) -> int:
    replicas = workload["spec"].get("replicas")
    return 1 if replicas is None else int(replicas)


class ReplicaSetController:
    kind: ClassVar[str] = "ReplicaSet"
    source: ClassVar[str] = "replicaset-controller"

    def __init__(self, generator: Random) -> None:
        self._generator = generator

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        replica_set = store.get(*key)
        if replica_set is None:
            return DONE
        pods = [pod for pod in claim(store, replica_set, "Pod") if is_active(pod)]
        if is_deleting(replica_set):
            return self._report(store, replica_set, pods, now, refusal=None)
        missing = desired_replicas(replica_set) - len(pods)
        refusal = None
        if missing > 0:
            made, refusal = self._create(store, replica_set, min(missing, BATCH))
            pods += made
        elif missing < 0:
            pods = self._delete(store, replica_set, pods, min(-missing, BATCH), now)
        result = self._report(store, replica_set, pods, now, refusal)
        if refusal is not None:
            return ReconcileResult(requeue_after=RETRY_SECONDS)
        return AGAIN if abs(missing) > BATCH else result

    def _create(self, store: Store, replica_set: Manifest, count: int) -> tuple[list[Manifest], Refusal | None]:
        wanted = [generated_pod(replica_set, self._generator) for _ in range(count)]
        answers = store.create_many(wanted)
        made = [answer for answer in answers if not isinstance(answer, Refusal)]
        refused = [answer for answer in answers if isinstance(answer, Refusal)]
        texts = [f"Created pod: {pod['metadata']['name']}" for pod in made]
        store.record_events(events(replica_set, "SuccessfulCreate", texts, source=self.source))
        if not refused:
            return made, None
        failure = f"Error creating: {refused[0].message}"
        store.record_events(events(replica_set, "FailedCreate", [failure], source=self.source, warning=True))
        return made, refused[0]

    def _delete(
        self, store: Store, replica_set: Manifest, pods: Sequence[Manifest], count: int, now: float
    ) -> list[Manifest]:
        doomed = pods_to_delete(pods, count, self._related(store, replica_set, pods), now)
        store.delete_many(doomed)
        texts = [f"Deleted pod: {pod['metadata']['name']}" for pod in doomed]
        store.record_events(events(replica_set, "SuccessfulDelete", texts, source=self.source))
        gone = {id(pod) for pod in doomed}
        return [pod for pod in pods if id(pod) not in gone]

    def _related(self, store: Store, replica_set: Manifest, pods: Sequence[Manifest]) -> Sequence[Manifest]:
        """Pods of the same application: of all ReplicaSets with the same owner."""
        owner = controller_of(replica_set)
        if owner is None:
            return pods
        siblings = store.owned_by(self.kind, owner["uid"])
        return [pod for sibling in siblings for pod in store.owned_by("Pod", sibling["metadata"]["uid"])]

    def _report(
        self, store: Store, replica_set: Manifest, pods: Sequence[Manifest], now: float, refusal: Refusal | None
    ) -> ReconcileResult:
        min_ready = float(replica_set["spec"].get("minReadySeconds") or 0)
        waits = [available_in(pod, min_ready, now) for pod in pods]
        status = self._status(replica_set, pods, sum(wait == 0 for wait in waits), now, refusal)
        if status != (replica_set.get("status") or {}):
            store.update_status(replica_set, status)
        return ReconcileResult(requeue_after=min((wait for wait in waits if wait), default=None))

    def _status(
        self, replica_set: Manifest, pods: Sequence[Manifest], available: int, now: float, refusal: Refusal | None
    ) -> Manifest:
        template_labels = ((replica_set["spec"].get("template") or {}).get("metadata") or {}).get("labels") or {}
        counts = {
            "fullyLabeledReplicas": sum(template_labels.items() <= labels_of(pod).items() for pod in pods),
            "readyReplicas": sum(map(is_ready, pods)),
            "availableReplicas": available,
        }
        status: Manifest = {"replicas": len(pods), **{field: count for field, count in counts.items() if count}}
        status["observedGeneration"] = generation_of(replica_set)
        conditions = self._conditions(replica_set, now, refusal)
        return {**status, "conditions": conditions} if conditions else status

    def _conditions(self, replica_set: Manifest, now: float, refusal: Refusal | None) -> list[Manifest]:
        conditions = (replica_set.get("status") or {}).get("conditions") or []
        if refusal is None:
            return without_condition(conditions, "ReplicaFailure")
        failure = condition("ReplicaFailure", True, now, reason="FailedCreate", message=refusal.message)
        return set_condition(conditions, failure)


class ReplicationControllerController(ReplicaSetController):
    kind: ClassVar[str] = "ReplicationController"
    source: ClassVar[str] = "replication-controller"
