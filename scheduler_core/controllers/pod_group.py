"""PodGroups: how far each gang has come, as the scheduler-plugins project's controller tells it.

    Pending ──▶ Scheduling ──▶ Running ──▶ Finished | Failed

Scheduling: there are enough pods; Running: enough of them run. A group whose
pods go is Pending again, one that has ended is looked at no more. The status is
for people: the scheduler decides by the pods alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from scheduler_core.controllers.interface import AGAIN, DONE, ReconcileResult, Store
from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.objects.manifest import Manifest, ObjectKey, labels_of, owner_references, phase_of
from scheduler_core.objects.pod_group import pod_group_of

PENDING, SCHEDULING, RUNNING, FINISHED, FAILED = "Pending", "Scheduling", "Running", "Finished", "Failed"
ENDED = frozenset({FINISHED, FAILED})
# Count in the status -> phase of the pods it counts.
_COUNTS = {"running": "Running", "succeeded": "Succeeded", "failed": "Failed"}


class PodGroupController:
    kind: ClassVar[str] = "PodGroup"
    watches: ClassVar[frozenset[str]] = frozenset({"Pod"})

    def concerned(self, index: ObjectIndex, old: Manifest | None, new: Manifest | None) -> Iterator[ObjectKey]:
        if old is not None and new is not None and _seen(old) == _seen(new):
            return
        for pod in (old, new):
            name = pod_group_of(labels_of(pod)) if pod is not None else ""
            if pod is not None and name:
                yield ObjectKey(self.kind, pod["metadata"]["namespace"], name)

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        group = store.get(*key)
        if group is None:
            return DONE
        status = group.get("status") or {}
        pods = [pod for pod in store.list("Pod", key.namespace) if pod_group_of(labels_of(pod)) == key.name]
        wanted = _next_status(status, pods, (group.get("spec") or {}).get("minMember", 0))
        if wanted == status:
            return DONE
        store.update_status(group, wanted)
        return AGAIN


def _seen(pod: Manifest) -> tuple[str, str]:
    return pod_group_of(labels_of(pod)), phase_of(pod)


def _next_status(status: Manifest, pods: Sequence[Manifest], least: int) -> Manifest:
    """One step: the controller sees its own write and looks again."""
    phase = status.get("phase", "")
    if phase in ENDED:
        return status
    if not phase:
        return {**status, "phase": PENDING}
    if phase == PENDING:
        return status if len(pods) < least or not pods else {**status, "phase": SCHEDULING, **_occupied_by(pods[0])}
    counts = {count: sum(phase_of(pod) == name for pod in pods) for count, name in _COUNTS.items()}
    told = {key: value for key, value in status.items() if key not in _COUNTS}
    shown = {count: number for count, number in counts.items() if number}
    return {**told, **shown, "phase": _phase(counts, len(pods), least)}


def _phase(counts: Manifest, pods: int, least: int) -> str:
    if pods < least or not pods:
        return PENDING
    running, succeeded, failed = counts["running"], counts["succeeded"], counts["failed"]
    if succeeded >= least:
        return FINISHED
    if failed and failed + running + succeeded >= least:
        return FAILED
    return RUNNING if succeeded + running >= least else SCHEDULING


def _occupied_by(pod: Manifest) -> Manifest:
    """Who owns the pods, as "namespace/owner"."""
    namespace = pod["metadata"]["namespace"]
    owners = sorted(f"{namespace}/{owner['name']}" for owner in owner_references(pod))
    return {"occupiedBy": ",".join(owners)} if owners else {}
