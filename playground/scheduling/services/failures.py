"""What the API learns of a pod that was not placed: its condition, its nomination, an event, and its victims.

Texts are kube-scheduler's: the condition has the whole message, the event's
note is cut by the recorder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from playground.clusters.selectors import object_get
from playground.clusters.services.events import NewEvent, Regarding, event_record_many
from playground.clusters.services.objects import StatusPatch, object_delete_many, object_status_update_many
from playground.clusters.services.transaction import ClusterTransaction
from playground.scheduling.engine.slice import Failure
from scheduler_core.report import ClaimDeallocation, CycleReport, PodRef


def failures_record(tx: ClusterTransaction, *, failures: Sequence[Failure]) -> None:
    """Tell the API of pods that were not placed."""
    if not failures:
        return
    told = [failure for failure in failures if failure.reason]
    object_status_update_many(tx, kind="Pod", patches=[_status_patch(failure) for failure in told])
    event_record_many(tx, events=[_failed_scheduling(failure) for failure in failures])


def preemptions_carry_out(tx: ClusterTransaction, *, reports: Sequence[CycleReport]) -> None:
    """Make room for the pods that were nominated: their victims are marked, deleted and told why."""
    outranked = [pod for report in reports if report.preemption for pod in report.preemption.nominations_cleared]
    object_status_update_many(
        tx, kind="Pod", patches=[StatusPatch(uid=pod.uid, status={"nominatedNodeName": None}) for pod in outranked]
    )
    victims = [(report, victim) for report in reports for victim in _victims(report)]
    if not victims:
        return
    object_status_update_many(tx, kind="Pod", patches=[_disruption(report, victim) for report, victim in victims])
    object_delete_many(tx, kind="Pod", uids=[victim.uid for _, victim in victims])
    event_record_many(tx, events=[_preempted(report, victim) for report, victim in victims])


def deallocations_carry_out(tx: ClusterTransaction, *, reports: Sequence[CycleReport]) -> None:
    """Free the device claims that stood in a pod's way, unless somebody has begun to use them meanwhile."""
    freed = [
        StatusPatch(uid=report.deallocation.uid, status={"allocation": None, "reservedFor": None})
        for report in reports
        if report.deallocation is not None and _is_unused(tx, report.deallocation, report.pod)
    ]
    if freed:
        object_status_update_many(tx, kind="ResourceClaim", patches=freed)


def _is_unused(tx: ClusterTransaction, wanted: ClaimDeallocation, pod: PodRef) -> bool:
    claim = object_get(tx.cluster.pk, "ResourceClaim", wanted.namespace, wanted.name)
    if claim is None or claim["metadata"]["uid"] != wanted.uid:
        return False
    users = (claim.get("status") or {}).get("reservedFor") or ()
    return all(user.get("uid") == pod.uid for user in users)


def pod_regarding(pod: PodRef) -> Regarding:
    return Regarding(kind="Pod", namespace=pod.namespace, name=pod.name, uid=pod.uid)


def _victims(report: CycleReport) -> Iterator[PodRef]:
    if report.preemption is not None and report.preemption.node:
        yield from report.preemption.victims


def _status_patch(failure: Failure) -> StatusPatch:
    condition = {
        "type": "PodScheduled",
        "status": "False",
        "lastProbeTime": None,
        "reason": failure.reason,
        "message": failure.message,
    }
    status: dict[str, Any] = {"conditions": [condition]}
    if failure.nominated_node_name is not None:
        status["nominatedNodeName"] = failure.nominated_node_name or None
    return StatusPatch(uid=failure.pod.uid, status=status)


def _failed_scheduling(failure: Failure) -> NewEvent:
    return NewEvent(
        regarding=pod_regarding(failure.pod),
        type="Warning",
        reason="FailedScheduling",
        action="Scheduling",
        message=failure.message,
        source=failure.scheduler_name,
    )


def _disruption(report: CycleReport, victim: PodRef) -> StatusPatch:
    condition = {
        "type": "DisruptionTarget",
        "status": "True",
        "lastProbeTime": None,
        "reason": "PreemptionByScheduler",
        "message": f"{report.scheduler_name}: preempting to accommodate a higher priority pod",
    }
    return StatusPatch(uid=victim.uid, status={"conditions": [condition]})


def _preempted(report: CycleReport, victim: PodRef) -> NewEvent:
    node = report.preemption.node if report.preemption else ""
    return NewEvent(
        regarding=pod_regarding(victim),
        related=pod_regarding(report.pod),
        reason="Preempted",
        action="Preempting",
        message=f"Preempted by pod {report.pod.uid} on node {node}",
        source=report.scheduler_name,
    )
