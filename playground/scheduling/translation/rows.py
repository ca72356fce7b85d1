"""The queue's own record of a pod as a row, and back."""

from __future__ import annotations

import msgspec

from playground.common.fields import raw_json
from playground.scheduling.models import QueuedPod
from scheduler_core.queue.queued_pod import QueuedPodState

# What a move may change.
QUEUED_POD_COLUMNS = (
    "queue",
    "position",
    "priority",
    "attempts",
    "since",
    "backoff_until",
    "waits_until",
    "unschedulable_plugins",
    "pending_plugins",
    "message",
    "node",
    "entry",
)


def queued_pod_row(
    cluster_id: int, scheduler_id: int, state: QueuedPodState, node: str, waits_until: float | None = None
) -> QueuedPod:
    return QueuedPod(
        cluster_id=cluster_id,
        scheduler_id=scheduler_id,
        pod_uid=state.pod.uid,
        namespace=state.pod.namespace,
        name=state.pod.name,
        queue=state.queue,
        position=state.position,
        priority=state.priority,
        attempts=state.attempts,
        since=state.since,
        backoff_until=state.backoff_until,
        waits_until=waits_until,
        unschedulable_plugins=state.unschedulable_plugins,
        pending_plugins=state.pending_plugins,
        message=state.message,
        node=node,
        entry=raw_json(state),
    )


def queued_pod_state(row: QueuedPod) -> QueuedPodState:
    return msgspec.convert(row.entry, QueuedPodState)
