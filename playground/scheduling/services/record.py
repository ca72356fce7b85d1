"""Storing what a slice of scheduling did: one transaction, fenced by the lease.

Either all of it is there afterwards (queue, decisions, bindings, conditions,
events, and the messages about them) or nothing is, and then the engine that did
it is thrown away by the caller.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from django.utils import timezone

from playground.clusters.services.clusters import cluster_clock_advance
from playground.clusters.services.transaction import ClusterTransaction, cluster_transaction
from playground.common.bulk import rows_insert, rows_upsert
from playground.common.database import chunks
from playground.scheduling.engine.slice import ReadyBinding, Slice
from playground.scheduling.models import Binding, Decision, QueuedPod, SchedulerState
from playground.scheduling.models.binding import IN_FLIGHT
from playground.scheduling.selectors.sections import NEWEST_DECISIONS
from playground.scheduling.services.failures import failures_record, preemptions_carry_out
from playground.scheduling.services.lease import Lease, fence
from playground.scheduling.translation.cards import binding_card, queued_pod_card
from playground.scheduling.translation.queue_messages import queue_messages
from playground.scheduling.translation.reports import compress_report
from playground.scheduling.translation.rows import QUEUED_POD_COLUMNS, queued_pod_row
from playground.scheduling.translation.summary import summarize
from scheduler_core.report import CycleReport, DecisionSummary

# Attempts kept of one pod, and decisions kept of a cluster.
ATTEMPTS_KEPT = 20
DECISIONS_KEPT = 5_000
# The cluster's oldest decisions go in steps of this many.
DECISIONS_STEP = 100
# What a slice writes of `SchedulerState`.
SLICE_COLUMNS = ("feed_version", "last_sequence", "next_wakeup", "has_work", "steps_done", "engine")


def slice_record(*, lease: Lease, done: Slice) -> list[int]:
    """Store a slice; answers the sequences of the bindings to be run. Raises FenceLost."""
    if done.is_empty:
        progress_record(lease=lease, done=done)
        return []
    with cluster_transaction(lease.cluster_id, fence=fence(lease)) as tx:
        if done.clock_moved_to is not None:
            cluster_clock_advance(tx, to=done.clock_moved_to)
        failures_record(tx, failures=done.failures)
        preemptions_carry_out(tx, reports=done.reports)
        _store_queue(tx, done)
        _store_decisions(tx, done.reports)
        _store_bindings(tx, lease, done.bindings)
        _store_state(lease, done)
    return [binding.sequence for binding in done.bindings]


def progress_record(*, lease: Lease, done: Slice) -> None:
    """The feed was followed and nothing came of it: one small statement, no version."""
    progress = {"feed_version": done.feed_version, "next_wakeup": done.next_wakeup, "has_work": done.has_work}
    ours = SchedulerState.objects.filter(
        cluster_id=lease.cluster_id, cluster__scheduler_lease__generation=lease.generation
    )
    if not ours.update(**progress):
        # The first slice of a cluster; or the cluster is gone, which the lock finds out.
        with cluster_transaction(lease.cluster_id):
            SchedulerState.objects.get_or_create(cluster_id=lease.cluster_id, defaults=progress)


def _store_queue(tx: ClusterTransaction, done: Slice) -> None:
    if not (done.moves or done.queued or done.gone):
        return
    rows = [queued_pod_row(tx.cluster.pk, state, done.nodes.get(state.pod.uid, "")) for state in done.queued]
    rows_upsert(rows, unique=("cluster", "pod_uid"), update=QUEUED_POD_COLUMNS)
    for some in chunks(done.gone):
        QueuedPod.objects.filter(cluster_id=tx.cluster.pk, pod_uid__in=some).delete()
    cards = [queued_pod_card(row) for row in rows]
    for message in queue_messages(done.moves, cards, done.gone):
        tx.record("queue", message)


def _store_decisions(tx: ClusterTransaction, reports: Sequence[CycleReport]) -> None:
    if not reports:
        return
    summaries = [summarize(report) for report in reports]
    rows_insert(
        [_decision_row(tx.cluster.pk, report, summary) for report, summary in zip(reports, summaries, strict=True)]
    )
    _drop_old_decisions(tx.cluster.pk, reports)
    tx.record("decisions", {"decisions": summaries})


def _decision_row(cluster_id: int, report: CycleReport, summary: DecisionSummary) -> Decision:
    return Decision(
        cluster_id=cluster_id,
        sequence=report.sequence,
        pod_uid=report.pod.uid,
        namespace=report.pod.namespace,
        name=report.pod.name,
        attempt=report.attempt,
        at=report.at,
        outcome=report.outcome,
        node=report.node,
        summary=msgspec.json.encode(summary),
        report=compress_report(report),
    )


def _drop_old_decisions(cluster_id: int, reports: Sequence[CycleReport]) -> None:
    """Keep the newest attempts of each pod, and the newest decisions of the cluster; all that a page has stay.

    So does that of a pod held at Permit, from which a successor would bind it. Bindings that ended go with
    the decisions that caused them.
    """
    first, last = reports[0].sequence, reports[-1].sequence
    held = QueuedPod.objects.filter(cluster_id=cluster_id, queue="waiting").values("pod_uid")
    decisions = Decision.objects.filter(cluster_id=cluster_id, sequence__lte=last - NEWEST_DECISIONS)
    decisions = decisions.exclude(pod_uid__in=held)
    for report in reports:
        if report.attempt > ATTEMPTS_KEPT:
            decisions.filter(pod_uid=report.pod.uid, attempt__lte=report.attempt - ATTEMPTS_KEPT).delete()
    if first // DECISIONS_STEP != (last + 1) // DECISIONS_STEP and last > DECISIONS_KEPT:
        decisions.filter(sequence__lte=last - DECISIONS_KEPT).delete()
        ended = Binding.objects.filter(cluster_id=cluster_id, sequence__lte=last - DECISIONS_KEPT)
        ended.exclude(phase__in=IN_FLIGHT).delete()


def _store_bindings(tx: ClusterTransaction, lease: Lease, ready: Sequence[ReadyBinding]) -> None:
    if not ready:
        return
    rows = [_binding_row(lease, binding) for binding in ready]
    rows_insert(rows)
    tx.record("bindings", {"bindings": [binding_card(row) for row in rows]})


def _binding_row(lease: Lease, ready: ReadyBinding) -> Binding:
    return Binding(
        cluster_id=lease.cluster_id,
        pod_uid=ready.pod.uid,
        namespace=ready.pod.namespace,
        name=ready.pod.name,
        node=ready.node,
        scheduler_name=ready.scheduler_name,
        sequence=ready.sequence,
        at=ready.at,
        generation=lease.generation,
        binding_data=ready.binding_data,
        sent_at=timezone.now(),
    )


def _store_state(lease: Lease, done: Slice) -> None:
    state, _ = SchedulerState.objects.get_or_create(cluster_id=lease.cluster_id)
    state.feed_version = max(state.feed_version, done.feed_version)
    state.last_sequence = done.last_sequence
    state.next_wakeup = done.next_wakeup
    state.has_work = done.has_work
    state.steps_done = min(state.steps_requested, state.steps_done + done.steps)
    state.engine = done.memory
    # Not `steps_requested`: a step may be asked for at this very moment, without the cluster's lock.
    state.save(update_fields=SLICE_COLUMNS)
