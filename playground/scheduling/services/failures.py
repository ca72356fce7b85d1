"""What the API learns of a pod that was not placed: its condition, its nomination, an event, and its victims.

Texts are kube-scheduler's: the condition has the whole message, the event's
note is cut by the recorder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from playground.clusters.services.events import NewEvent, Regarding, event_record_many
from playground.clusters.services.objects import StatusPatch, object_delete_many, object_status_update_many
from playground.clusters.services.transaction import ClusterTransaction
from scheduler_core.report import CycleReport, PodRef

# Condition reason by outcome; cycles that ended otherwise have nothing to say about their pod.
_CONDITION_REASONS = {"unschedulable": "Unschedulable", "error": "SchedulerError"}


def failures_record(tx: ClusterTransaction, *, reports: Sequence[CycleReport]) -> None:
    """Tell the API of every cycle that placed nothing."""
    told = [report for report in reports if report.outcome in _CONDITION_REASONS]
    object_status_update_many(tx, kind="Pod", patches=[_status_patch(report) for report in told])
    victims_delete(tx, reports=told)
    events = [_failed_scheduling(report) for report in reports if report.message and report.outcome != "scheduled"]
    if events:
        event_record_many(tx, events=events)


def victims_delete(tx: ClusterTransaction, *, reports: Sequence[CycleReport]) -> None:
    """Make room for the pods that were nominated: their victims are marked, deleted and told why."""
    victims = [(report, victim) for report in reports for victim in _victims(report)]
    if not victims:
        return
    object_status_update_many(tx, kind="Pod", patches=[_disruption(report, victim) for report, victim in victims])
    object_delete_many(tx, kind="Pod", uids=[victim.uid for _, victim in victims])
    event_record_many(tx, events=[_preempted(report, victim) for report, victim in victims])


def pod_regarding(pod: PodRef) -> Regarding:
    return Regarding(kind="Pod", namespace=pod.namespace, name=pod.name, uid=pod.uid)


def _victims(report: CycleReport) -> Iterator[PodRef]:
    if report.preemption is not None and report.preemption.node:
        yield from report.preemption.victims


def _status_patch(report: CycleReport) -> StatusPatch:
    status: dict[str, Any] = {"conditions": [pod_not_scheduled(_CONDITION_REASONS[report.outcome], report.message)]}
    if report.nominated_node_name is not None:
        status["nominatedNodeName"] = report.nominated_node_name or None
    return StatusPatch(uid=report.pod.uid, status=status)


def pod_not_scheduled(reason: str, message: str) -> dict[str, Any]:
    """The PodScheduled condition of a pod that waits."""
    return {"type": "PodScheduled", "status": "False", "lastProbeTime": None, "reason": reason, "message": message}


def _failed_scheduling(report: CycleReport) -> NewEvent:
    return failed_scheduling(report.pod, report.scheduler_name, report.message)


def failed_scheduling(pod: PodRef, scheduler_name: str, message: str) -> NewEvent:
    return NewEvent(
        regarding=pod_regarding(pod),
        type="Warning",
        reason="FailedScheduling",
        action="Scheduling",
        message=message,
        source=scheduler_name,
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
