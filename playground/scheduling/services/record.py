"""Storing what a slice of scheduling did: one transaction, fenced by the lease.

Either all of it is there afterwards (queue, decisions, bindings, conditions,
events, and the messages about them) or nothing is, and then the engine that did
it is thrown away by the caller.
"""

from __future__ import annotations

from collections.abc import Sequence

from playground.clusters.services.clusters import cluster_clock_advance
from playground.clusters.services.transaction import cluster_transaction
from playground.common.bulk import rows_insert, rows_upsert
from playground.common.database import chunks
from playground.scheduling.engine.slice import Slice
from playground.scheduling.models import (
    Binding,
    ClusterEventRecord,
    ClusterNumbers,
    Decision,
    PodHistory,
    QueuedPod,
    SchedulerMetrics,
    SchedulerState,
)
from playground.scheduling.models.binding import IN_FLIGHT
from playground.scheduling.selectors.sections import NEWEST_DECISIONS
from playground.scheduling.services.breakpoints import breakpoint_hit
from playground.scheduling.services.failures import deallocations_carry_out, failures_record, preemptions_carry_out
from playground.scheduling.services.lease import Lease, fence
from playground.scheduling.services.slice_rows import SliceRows, slice_rows
from playground.scheduling.translation.rows import QUEUED_POD_COLUMNS

# Attempts kept of one pod, and decisions kept of a cluster.
ATTEMPTS_KEPT = 20
DECISIONS_KEPT = 5_000
# The cluster's oldest decisions go in steps of this many.
DECISIONS_STEP = 100
# Rows of what happened to pods, and events, kept of a cluster; the oldest go in steps.
HISTORY_KEPT, HISTORY_STEP = 50_000, 1_000
EVENTS_KEPT, EVENTS_STEP = 2_000, 100
# What a slice writes of `SchedulerState`.
SLICE_COLUMNS = (
    "feed_version",
    "last_sequence",
    "next_wakeup",
    "has_work",
    "steps_done",
    "engine",
)


def slice_record(*, lease: Lease, done: Slice) -> list[int]:
    """Store a slice; answers the sequences of the bindings to be run. Raises FenceLost."""
    if done.is_empty:
        progress_record(lease=lease, done=done)
        return []
    rows = slice_rows(lease=lease, done=done)
    with cluster_transaction(lease.cluster_id, fence=fence(lease)) as tx:
        if done.clock_moved_to is not None:
            cluster_clock_advance(tx, to=done.clock_moved_to)
        failures_record(tx, failures=done.failures)
        preemptions_carry_out(tx, reports=done.reports)
        deallocations_carry_out(tx, reports=done.reports)
        _store_queue(lease.scheduler_id, [*rows.queued, *rows.counted], done.gone)
        _store_decisions(lease.cluster_id, rows.decisions)
        rows_insert(rows.bindings)
        _store_state(lease, done)
        _store_counts(lease.scheduler_id, done)
        _store_log(lease.cluster_id, rows)
        for topic, payload in rows.messages:
            tx.record(topic, payload)
        if done.hit is not None:
            breakpoint_hit(tx, hit=done.hit, attempts=done.hit_attempts)
    return [binding.sequence for binding in done.bindings]


def progress_record(*, lease: Lease, done: Slice) -> None:
    """The feed was followed and nothing came of it: one small statement, no version."""
    progress = {"feed_version": done.feed_version, "next_wakeup": done.next_wakeup, "has_work": done.has_work}
    ours = SchedulerState.objects.filter(pk=lease.scheduler_id, scheduler__lease__generation=lease.generation)
    if not ours.update(**progress):
        # The first slice of a cluster; or the cluster or the lease is gone, which lock and fence find out.
        with cluster_transaction(lease.cluster_id, fence=fence(lease)):
            SchedulerState.objects.get_or_create(scheduler_id=lease.scheduler_id, defaults=progress)


def _store_queue(scheduler_id: int, queued: Sequence[QueuedPod], gone: Sequence[str]) -> None:
    rows_upsert(queued, unique=("scheduler", "pod_uid"), update=QUEUED_POD_COLUMNS)
    for some in chunks(gone):
        QueuedPod.objects.filter(scheduler_id=scheduler_id, pod_uid__in=some).delete()


def _store_decisions(cluster_id: int, decisions: Sequence[Decision]) -> None:
    if decisions:
        rows_insert(decisions)
        _drop_old_decisions(cluster_id, decisions)


def _drop_old_decisions(cluster_id: int, new: Sequence[Decision]) -> None:
    """Keep the newest attempts of each pod, and the newest decisions of the cluster; all that a page has stay.

    So does that of a pod held at Permit, from which a successor would bind it. Bindings that ended go with
    the decisions that caused them.
    """
    first, last = new[0].sequence, new[-1].sequence
    held = QueuedPod.objects.filter(cluster_id=cluster_id, queue="waiting").values("pod_uid")
    decisions = Decision.objects.filter(cluster_id=cluster_id, sequence__lte=last - NEWEST_DECISIONS)
    decisions = decisions.exclude(pod_uid__in=held)
    for decision in new:
        if decision.attempt > ATTEMPTS_KEPT:
            decisions.filter(pod_uid=decision.pod_uid, attempt__lte=decision.attempt - ATTEMPTS_KEPT).delete()
    if first // DECISIONS_STEP != (last + 1) // DECISIONS_STEP and last > DECISIONS_KEPT:
        decisions.filter(sequence__lte=last - DECISIONS_KEPT).delete()
        ended = Binding.objects.filter(cluster_id=cluster_id, sequence__lte=last - DECISIONS_KEPT)
        ended.exclude(phase__in=IN_FLIGHT).delete()


def _store_counts(scheduler_id: int, done: Slice) -> None:
    row = SchedulerMetrics(scheduler_id=scheduler_id, counts=done.counts)
    rows_upsert([row], unique=("scheduler",), update=("counts",))


def _store_log(cluster_id: int, rows: SliceRows) -> None:
    """What happened to pods, and what woke them, under the cluster's next numbers."""
    if not (rows.history or rows.events):
        return
    numbers, _ = ClusterNumbers.objects.get_or_create(cluster_id=cluster_id)
    numbers.last_history = _store_history(cluster_id, rows.history, numbers.last_history)
    numbers.last_event = _store_events(cluster_id, rows.events, numbers.last_event)
    # Not `last_sequence`, which is drawn without the cluster's lock.
    numbers.save(update_fields=["last_history", "last_event"])


def _store_history(cluster_id: int, rows: Sequence[PodHistory], last: int) -> int:
    """Number the rows after `last`, store them, and drop the oldest now and then; answers the newest number."""
    for number, row in enumerate(rows, last + 1):
        row.number = number
    rows_insert(rows)
    newest = last + len(rows)
    if last // HISTORY_STEP != newest // HISTORY_STEP:
        PodHistory.objects.filter(cluster_id=cluster_id, number__lte=newest - HISTORY_KEPT).delete()
    return newest


def _store_events(cluster_id: int, rows: Sequence[ClusterEventRecord], last: int) -> int:
    """As `_store_history`."""
    for number, row in enumerate(rows, last + 1):
        row.number = number
    rows_insert(rows)
    newest = last + len(rows)
    if last // EVENTS_STEP != newest // EVENTS_STEP:
        ClusterEventRecord.objects.filter(cluster_id=cluster_id, number__lte=newest - EVENTS_KEPT).delete()
    return newest


def _store_state(lease: Lease, done: Slice) -> None:
    state, _ = SchedulerState.objects.get_or_create(scheduler_id=lease.scheduler_id)
    state.feed_version = max(state.feed_version, done.feed_version)
    state.last_sequence = done.last_sequence
    state.next_wakeup = done.next_wakeup
    state.has_work = done.has_work
    state.steps_done = min(state.steps_requested, state.steps_done + done.steps)
    state.engine = done.memory
    # Not `steps_requested`: a step may be asked for at this very moment, without the cluster's lock.
    state.save(update_fields=SLICE_COLUMNS)
