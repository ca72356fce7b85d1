"""A slice of scheduling as rows and messages.

They are made before the cluster is locked: working out summaries, compressing
reports and encoding messages takes longer than writing them, and everybody else
who writes to the cluster waits for the lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from django.utils import timezone

from playground.clusters.services.transaction import Topic
from playground.common.fields import raw_json
from playground.scheduling.engine.slice import ReadyBinding, Slice
from playground.scheduling.models import Binding, ClusterEventRecord, Decision, PodHistory, QueuedPod
from playground.scheduling.services.lease import Lease
from playground.scheduling.translation.cards import binding_card, queued_pod_card
from playground.scheduling.translation.queue_messages import queue_messages
from playground.scheduling.translation.reports import compress_report
from playground.scheduling.translation.rows import queued_pod_row
from playground.scheduling.translation.summary import summarize
from scheduler_core.queue.queued_pod import QueuedPodState
from scheduler_core.report import ClusterEventReport, CycleReport, DecisionSummary, QueueMove


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceRows:
    """Everything of a slice that is new."""

    queued: list[QueuedPod]
    decisions: list[Decision]
    bindings: list[Binding]
    # Not numbered yet.
    history: list[PodHistory]
    events: list[ClusterEventRecord]
    # Rows of pods that nothing is told of.
    counted: list[QueuedPod]
    # Payloads by topic, encoded, in the order in which they are told.
    messages: list[tuple[Topic, msgspec.Raw]]


def slice_rows(*, lease: Lease, done: Slice) -> SliceRows:
    queued = [_queued_row(lease, done, state) for state in done.queued]
    summaries = [summarize(report, lease.name) for report in done.reports]
    reports = zip(done.reports, summaries, strict=True)
    bindings = [_binding_row(lease, ready) for ready in done.bindings]
    return SliceRows(
        queued=queued,
        decisions=[_decision_row(lease, report, summary) for report, summary in reports],
        bindings=bindings,
        history=_history_rows(lease, done.moves),
        events=[_event_row(lease.cluster_id, report) for report in done.events],
        counted=[_queued_row(lease, done, state) for state in done.counted],
        messages=[
            (topic, raw_json(payload)) for topic, payload in _messages(lease.name, done, queued, summaries, bindings)
        ],
    )


def _messages(
    scheduler: str,
    done: Slice,
    queued: list[QueuedPod],
    summaries: list[DecisionSummary],
    bindings: list[Binding],
) -> Iterator[tuple[Topic, dict[str, Any]]]:
    cards = [queued_pod_card(row, scheduler) for row in queued]
    for message in queue_messages(scheduler, done.moves, cards, done.gone, done.events):
        yield "queue", message
    if summaries:
        yield "decisions", {"decisions": summaries}
    if bindings:
        yield "bindings", {"bindings": [binding_card(row, scheduler) for row in bindings]}


def _queued_row(lease: Lease, done: Slice, state: QueuedPodState) -> QueuedPod:
    uid = state.pod.uid
    waiting = done.memory.waiting.get(uid) if state.queue == "waiting" else None
    waits_until = min(waiting.permit_deadlines.values()) if waiting else None
    return queued_pod_row(lease.cluster_id, lease.scheduler_id, state, done.nodes.get(uid, ""), waits_until)


def _history_rows(lease: Lease, moves: Iterable[QueueMove]) -> list[PodHistory]:
    """A row for each pod that moved."""
    by_pod: dict[str, list[QueueMove]] = {}
    for move in moves:
        by_pod.setdefault(move.pod.uid, []).append(move)
    return [
        PodHistory(
            cluster_id=lease.cluster_id,
            scheduler=lease.name,
            pod_uid=uid,
            namespace=some[0].pod.namespace,
            name=some[0].pod.name,
            moves=raw_json(some),
        )
        for uid, some in by_pod.items()
    ]


def _event_row(cluster_id: int, report: ClusterEventReport) -> ClusterEventRecord:
    return ClusterEventRecord(
        cluster_id=cluster_id, at=report.at, event=report.event, object=report.object, report=raw_json(report)
    )


def _decision_row(lease: Lease, report: CycleReport, summary: DecisionSummary) -> Decision:
    return Decision(
        cluster_id=lease.cluster_id,
        scheduler_id=lease.scheduler_id,
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


def _binding_row(lease: Lease, ready: ReadyBinding) -> Binding:
    return Binding(
        cluster_id=lease.cluster_id,
        scheduler_id=lease.scheduler_id,
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
