"""PodDisruptionBudget: how many of its pods may be missed, told in its status.

Preemption reads the number (`disruptionsAllowed`) to spare such pods; the
eviction API counts for itself (`disruption_budgets`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from scheduler_core.controllers.disruption_budgets import BudgetStanding, covers, standing_of
from scheduler_core.controllers.interface import DONE, ReconcileResult, Store
from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.objects.conditions import condition, set_condition
from scheduler_core.objects.manifest import (
    Manifest,
    ObjectKey,
    generation_of,
    is_deleting,
    is_ready,
    key_of,
    labels_of,
    owner_references,
)

_WORKLOADS = frozenset({"Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"})


class DisruptionController:
    kind: ClassVar[str] = "PodDisruptionBudget"
    watches: ClassVar[frozenset[str]] = _WORKLOADS | {"Pod"}

    def concerned(self, index: ObjectIndex, old: Manifest | None, new: Manifest | None) -> Iterator[ObjectKey]:
        """Budgets that cover a pod which changed what is counted; all of a namespace where a workload was scaled."""
        if not _matters(old, new):
            return
        changed = [each for each in (old, new) if each is not None]
        for budget in index.of_kind(self.kind, key_of(changed[0]).namespace):
            if changed[0]["kind"] != "Pod" or any(covers(budget, pod) for pod in changed):
                yield key_of(budget)

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        budget = store.get(*key)
        if budget is None or is_deleting(budget):
            return DONE
        status = _status(budget, standing_of(budget, store.list("Pod", key.namespace), store.get), now)
        if status != budget.get("status"):
            store.update_status(budget, status)
        return DONE


def _matters(old: Manifest | None, new: Manifest | None) -> bool:
    return old is None or new is None or _counted(old) != _counted(new)


def _counted(manifest: Manifest) -> object:
    if manifest["kind"] != "Pod":
        return (manifest.get("spec") or {}).get("replicas")
    return is_ready(manifest), is_deleting(manifest), labels_of(manifest), owner_references(manifest)


def _status(budget: Manifest, standing: BudgetStanding, now: float) -> Manifest:
    before = budget.get("status") or {}
    return {
        **before,
        "observedGeneration": generation_of(budget),
        "disruptionsAllowed": standing.allowed,
        "currentHealthy": standing.healthy,
        "desiredHealthy": standing.desired,
        "expectedPods": standing.expected,
        "conditions": set_condition(before.get("conditions") or (), _condition(standing, now)),
    }


def _condition(standing: BudgetStanding, now: float) -> Manifest:
    reason = "SyncFailed" if standing.problem else "SufficientPods" if standing.allowed else "InsufficientPods"
    return condition("DisruptionAllowed", standing.allowed > 0, now, reason=reason, message=standing.problem)
