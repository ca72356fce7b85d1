"""Writes the report of a cycle."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.diagnosis import fit_error
from scheduler_core.framework.recorder import status_report
from scheduler_core.framework.status import Status
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.report import CycleReport, FilterReport, Outcome, PodRef, ScoreReport
from scheduler_core.scheduler.cycle import Cycle

UNSCHEDULABLE_REASON = "Unschedulable"
ERROR_REASON = "SchedulerError"


def pod_ref(pod: PodInfo) -> PodRef:
    return PodRef(namespace=pod.namespace, name=pod.name, uid=pod.uid)


def failure_message(cycle: Cycle) -> str:
    """The FailedScheduling text; "" where nothing failed."""
    if cycle.status.is_success or cycle.status.is_wait:
        return ""
    return fit_error(cycle.diagnosis) if cycle.fits_nowhere else cycle.status.message


def failure_reason(status: Status) -> str:
    """The reason of condition PodScheduled=False."""
    if status.is_success or status.is_wait:
        return ""
    return UNSCHEDULABLE_REASON if status.is_rejected else ERROR_REASON


def outcome_of(cycle: Cycle) -> Outcome:
    if cycle.status.is_success:
        return "scheduled"
    if cycle.status.is_wait:
        return "waiting"
    # A rejection that no plugin stands behind (a cluster without nodes) is retried like an error.
    return "unschedulable" if cycle.fits_nowhere else "error"


def cycle_report(cycle: Cycle, *, sequence: int, attempt: int, at: float, duration_us: int) -> CycleReport:
    detail = cycle.recorder is not None
    return CycleReport(
        sequence=sequence,
        pod=pod_ref(cycle.pod),
        scheduler_name=cycle.framework.profile_name,
        attempt=attempt,
        at=at,
        outcome=outcome_of(cycle),
        node=cycle.node_name,
        message=failure_message(cycle),
        reason=failure_reason(cycle.status),
        points=cycle.recorder.points if cycle.recorder is not None else [],
        filter=_filter_report(cycle, detail),
        score=_score_report(cycle) if detail else None,
        post_filter=None if cycle.post_filter is None else status_report(cycle.post_filter),
        preemption=cycle.preemption,
        deallocation=cycle.deallocation,
        nominated_node_name=cycle.nominated_node_name,
        unschedulable_plugins=list(cycle.diagnosis.unschedulable_plugins) if cycle.fits_nowhere else [],
        pending_plugins=list(cycle.diagnosis.pending_plugins) if cycle.fits_nowhere else [],
        binding_data=cycle.state.binding_data,
        permit_deadline=cycle.permit_deadline,
        extender_calls=cycle.extender_calls,
        duration_us=duration_us,
    )


def skipped_report(pod: PodInfo, message: str, *, sequence: int, attempt: int, at: float) -> CycleReport:
    return CycleReport(
        sequence=sequence,
        pod=pod_ref(pod),
        scheduler_name=pod.scheduler_name,
        attempt=attempt,
        at=at,
        outcome="skipped",
        message=message,
    )


def _filter_report(cycle: Cycle, detail: bool) -> FilterReport | None:
    found, snapshot = cycle.found, cycle.snapshot
    absent = cycle.diagnosis.absent
    absent_report = status_report(absent) if absent.reasons else None
    if found is None:
        if absent_report is None:
            return None
        return FilterReport(nodes=[], status=[], statuses=[], total_nodes=snapshot.n, evaluated=0, absent=absent_report)
    codes = found.codes
    return FilterReport(
        nodes=snapshot.names_of(found.evaluated) if detail else [],
        status=_all_passed(found.evaluated_count) if codes is None else codes - np.int16(1),
        statuses=[status_report(status) for status in found.statuses],
        total_nodes=snapshot.n,
        evaluated=found.evaluated_count,
        absent=absent_report,
    )


@lru_cache(maxsize=8)
def _all_passed(count: int) -> NDArray[np.int16]:
    return np.full(count, -1, dtype=np.int16)


def _score_report(cycle: Cycle) -> ScoreReport | None:
    if cycle.scores is None or cycle.found is None:
        return None
    return ScoreReport(
        nodes=cycle.snapshot.names_of(cycle.found.feasible),
        plugins=cycle.scores.columns,
        totals=cycle.scores.totals,
        best=cycle.best,
        chosen=cycle.node_name,
    )
