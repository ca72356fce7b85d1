"""Rows of this app as the cards that pages see."""

from __future__ import annotations

import msgspec

from playground.live.messages import BindingCard, BindingStep, QueuedPodCard
from playground.scheduling.models import Binding, QueuedPod
from scheduler_core.report import PodRef


def pod_ref(row: QueuedPod | Binding) -> PodRef:
    return PodRef(namespace=row.namespace, name=row.name, uid=row.pod_uid)


def queued_pod_card(row: QueuedPod, scheduler: str = "") -> QueuedPodCard:
    """`scheduler`: its name, where it is known; else the row is asked."""
    return QueuedPodCard(
        pod=pod_ref(row),
        scheduler=scheduler or row.scheduler.name,
        queue=row.queue,  # type: ignore[arg-type]  # a check constraint keeps it to QueueName
        position=row.position,
        priority=row.priority,
        attempts=row.attempts,
        since=row.since,
        backoff_until=row.backoff_until,
        waits_until=row.waits_until,
        unschedulable_plugins=row.unschedulable_plugins,
        pending_plugins=row.pending_plugins,
        message=row.message,
        node=row.node,
    )


def binding_card(row: Binding, scheduler: str = "") -> BindingCard:
    """As `queued_pod_card`; "" for a scheduler that is not deployed any more."""
    return BindingCard(
        pod=pod_ref(row),
        scheduler=scheduler or (row.scheduler.name if row.scheduler else ""),
        node=row.node,
        sequence=row.sequence,
        phase=row.phase,  # type: ignore[arg-type]  # a check constraint keeps it to the four phases
        at=row.at,
        due_at=row.due_at if row.phase == "binding" else None,
        ended_at=row.ended_at,
        steps=msgspec.convert(row.steps, list[BindingStep]),
        message=row.message,
    )
