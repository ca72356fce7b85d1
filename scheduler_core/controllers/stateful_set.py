"""StatefulSet: pods with a name and storage of their own, in order.

One step a look, from the lowest ordinal up: a pod is made when all before it
are ready, removed when all above it are gone, and brought to a new template
from the highest ordinal down, one at a time. `podManagementPolicy: Parallel`
makes and removes them all at once; updates go one by one even so.
"""

from __future__ import annotations

from typing import ClassVar

from scheduler_core.controllers.interface import DONE, ReconcileResult, Refusal, Store
from scheduler_core.controllers.names import template_hash
from scheduler_core.controllers.pod_ownership import claim
from scheduler_core.controllers.replica_set import RETRY_SECONDS, desired_replicas
from scheduler_core.controllers.stateful_pods import (
    claims,
    first_ordinal,
    ordinal_of,
    revision,
    revision_of,
    stateful_pod,
)
from scheduler_core.objects.event_record import EventRecord
from scheduler_core.objects.manifest import (
    Manifest,
    ObjectKey,
    available_in,
    generation_of,
    is_deleting,
    is_finished,
    is_ready,
    uid_of,
)


class StatefulSetController:
    kind: ClassVar[str] = "StatefulSet"
    source: ClassVar[str] = "statefulset-controller"

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        stateful_set = store.get(*key)
        if stateful_set is None or is_deleting(stateful_set):
            return DONE
        return _Look(store, stateful_set, now, self.source).result()


class _Look:
    """One look at one StatefulSet."""

    def __init__(self, store: Store, stateful_set: Manifest, now: float, source: str) -> None:
        self._store = store
        self._set = stateful_set
        self._now = now
        self._source = source
        numbered = ((ordinal_of(stateful_set, pod), pod) for pod in claim(store, stateful_set, "Pod"))
        # By ordinal.
        self._pods: dict[int, Manifest] = {number: pod for number, pod in numbered if number is not None}
        self._refusal: Refusal | None = None
        self._wait: float | None = None
        name = stateful_set["metadata"]["name"]
        self._update_revision = f"{name}-{template_hash(stateful_set['spec']['template'])}"
        self._current_revision = (stateful_set.get("status") or {}).get("currentRevision") or self._update_revision

    def result(self) -> ReconcileResult:
        self._record_revision()
        if self._fill_up() and self._cut_down():
            self._update()
        self._report()
        return ReconcileResult(requeue_after=RETRY_SECONDS if self._refusal else self._wait)

    @property
    def _is_parallel(self) -> bool:
        return bool(self._set["spec"].get("podManagementPolicy") == "Parallel")

    @property
    def _wanted(self) -> range:
        start = first_ordinal(self._set)
        return range(start, start + desired_replicas(self._set))

    @property
    def _partition(self) -> int:
        strategy = self._set["spec"].get("updateStrategy") or {}
        return int((strategy.get("rollingUpdate") or {}).get("partition") or 0)

    def _is_available(self, pod: Manifest) -> bool:
        wait = available_in(pod, float(self._set["spec"].get("minReadySeconds") or 0), self._now)
        if wait:
            self._wait = min(wait, self._wait or wait)
        return wait == 0 and not is_deleting(pod)

    # Steps. Each answers whether the next one's turn has come.

    def _fill_up(self) -> bool:
        for ordinal in self._wanted:
            pod = self._pods.get(ordinal)
            if pod is not None and is_finished(pod) and not is_deleting(pod):
                self._delete(ordinal)
                pod = self._pods.get(ordinal)
            if pod is None:
                self._create(ordinal)
                pod = self._pods.get(ordinal)
            if not self._is_parallel and (pod is None or not self._is_available(pod)):
                return False
        return True

    def _cut_down(self) -> bool:
        spare = sorted((ordinal for ordinal in self._pods if ordinal not in self._wanted), reverse=True)
        for ordinal in spare:
            if not is_deleting(self._pods[ordinal]):
                self._delete(ordinal)
            if not self._is_parallel:
                return False
        return not spare

    def _update(self) -> None:
        strategy = self._set["spec"].get("updateStrategy") or {}
        if strategy.get("type", "RollingUpdate") != "RollingUpdate":
            return
        for ordinal in sorted(self._wanted, reverse=True):
            pod = self._pods.get(ordinal)
            if pod is None or ordinal < self._partition:
                return
            if revision_of(pod) != self._update_revision and not is_deleting(pod):
                self._delete(ordinal)
                return
            if not self._is_available(pod):
                return

    # How.

    def _template_for(self, ordinal: int) -> tuple[Manifest, str]:
        """Below an update's partition a pod is made as it was."""
        if ordinal < self._partition and self._current_revision != self._update_revision:
            recorded = self._store.get("ControllerRevision", self._namespace, self._current_revision)
            if recorded is not None:
                template: Manifest = recorded["data"]["spec"]["template"]
                return template, self._current_revision
        return self._set["spec"]["template"], self._update_revision

    @property
    def _namespace(self) -> str:
        namespace: str = self._set["metadata"]["namespace"]
        return namespace

    def _record_revision(self) -> None:
        if self._store.get("ControllerRevision", self._namespace, self._update_revision) is None:
            number = len(self._store.owned_by("ControllerRevision", uid_of(self._set))) + 1
            self._store.create_many([revision(self._set, self._update_revision, number)])

    def _create(self, ordinal: int) -> None:
        template, revision_name = self._template_for(ordinal)
        pod = stateful_pod(self._set, template, revision_name, ordinal)
        name = pod["metadata"]["name"]
        for each in claims(self._set, name):
            self._create_claim(each, name)
        answer = self._store.create_many([pod])[0]
        if isinstance(answer, Refusal):
            self._refusal = answer
            self._tell("FailedCreate", f"create Pod {name} in StatefulSet {self._name} failed error: {answer.message}")
            return
        self._pods[ordinal] = answer
        self._tell("SuccessfulCreate", f"create Pod {name} in StatefulSet {self._name} successful")

    def _create_claim(self, claim_manifest: Manifest, pod_name: str) -> None:
        name = claim_manifest["metadata"]["name"]
        if self._store.get("PersistentVolumeClaim", self._namespace, name) is None:
            self._store.create_many([claim_manifest])
            where = f"Pod {pod_name} in StatefulSet {self._name}"
            self._tell("SuccessfulCreate", f"create Claim {name} {where} success")

    def _delete(self, ordinal: int) -> None:
        pod = self._pods[ordinal]
        self._store.delete_many([pod])
        name = pod["metadata"]["name"]
        self._tell("SuccessfulDelete", f"delete Pod {name} in StatefulSet {self._name} successful")
        left = self._store.get("Pod", self._namespace, name)
        if left is None:
            del self._pods[ordinal]
        else:
            self._pods[ordinal] = left

    @property
    def _name(self) -> str:
        name: str = self._set["metadata"]["name"]
        return name

    def _report(self) -> None:
        pods = list(self._pods.values())
        alive = [pod for pod in pods if not is_deleting(pod) and not is_finished(pod)]
        updated = sum(revision_of(pod) == self._update_revision for pod in alive)
        if updated == desired_replicas(self._set) and all(map(is_ready, alive)):
            self._current_revision = self._update_revision
        status = {
            "observedGeneration": generation_of(self._set),
            "replicas": len(pods),
            "readyReplicas": sum(map(is_ready, alive)),
            "availableReplicas": sum(map(self._is_available, alive)),
            "currentReplicas": sum(revision_of(pod) == self._current_revision for pod in alive),
            "updatedReplicas": updated,
            "currentRevision": self._current_revision,
            "updateRevision": self._update_revision,
            "collisionCount": 0,
        }
        if status != self._set.get("status"):
            self._store.update_status(self._set, status)

    def _tell(self, reason: str, message: str) -> None:
        self._store.record_events(
            [
                EventRecord(
                    regarding=self._set,
                    event_type="Warning" if reason.startswith("Failed") else "Normal",
                    reason=reason,
                    message=message,
                    source=self._source,
                )
            ]
        )
