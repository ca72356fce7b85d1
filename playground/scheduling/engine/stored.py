"""What a scheduler left in the database, in the engine's words.

The rows of the queue hold each pod's entry. A pod that was on its way to a node
is found again through its binding: still in flight, or ended with nobody there
to hear of it. What has no row of its own is in `EngineMemory`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from playground.common.database import chunks
from playground.scheduling.engine.metrics import Counts
from playground.scheduling.models import Binding, QueuedPod, SchedulerMetrics, SchedulerState
from playground.scheduling.translation.rows import queued_pod_state
from scheduler_core.queue.queued_pod import QueuedPodState
from scheduler_core.queue.scheduling_queue import QueueState
from scheduler_core.scheduler.scheduler import AssumedPod


class EngineMemory(msgspec.Struct, frozen=True, kw_only=True):
    """The engine's own memory beside the queue, as JSON."""

    # Of the configuration it ran with.
    revision: int = 0
    # The row at which the next node search begins.
    next_start: int = 0
    # Pods held at Permit, by uid.
    waiting: dict[str, AssumedPod] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredScheduler:
    """Everything another worker needs to go on."""

    # The feed up to here is in the queue.
    feed_version: int
    last_sequence: int
    memory: EngineMemory
    queue: list[QueuedPodState]
    # Bindings in flight, and those that failed after the queue was stored.
    bindings: list[Binding]
    counts: Counts

    @property
    def queue_state(self) -> QueueState:
        return QueueState(pods=self.queue)

    @property
    def assumed(self) -> dict[str, AssumedPod]:
        """By uid, as `Scheduler.restore` takes them."""
        placed = {row.pod_uid: AssumedPod(node_name=row.node, sequence=row.sequence) for row in self.bindings}
        return {**self.memory.waiting, **placed}

    @property
    def failed(self) -> list[Binding]:
        return [row for row in self.bindings if row.phase == "failed"]


def stored_scheduler(scheduler_id: int) -> StoredScheduler:
    """Reads what the last slice left. Call inside `consistent_read` with the objects."""
    state = SchedulerState.objects.filter(pk=scheduler_id).first() or SchedulerState(scheduler_id=scheduler_id)
    rows = list(QueuedPod.objects.filter(scheduler_id=scheduler_id))
    return StoredScheduler(
        feed_version=state.feed_version,
        last_sequence=state.last_sequence,
        memory=msgspec.convert(state.engine, EngineMemory),
        queue=[queued_pod_state(row) for row in rows],
        counts=_counts(scheduler_id),
        bindings=_unfinished_bindings(scheduler_id, {row.pod_uid for row in rows if row.queue == "binding"}),
    )


def _counts(scheduler_id: int) -> Counts:
    row = SchedulerMetrics.objects.filter(pk=scheduler_id).first()
    return msgspec.convert(row.counts, Counts) if row else Counts()


def _unfinished_bindings(scheduler_id: int, binding_uids: Iterable[str]) -> list[Binding]:
    """The newest binding of each pod that the queue believes to be binding, unless the pod is bound."""
    newest: dict[str, Binding] = {}
    for uids in chunks(binding_uids):
        rows = Binding.objects.filter(scheduler_id=scheduler_id, pod_uid__in=uids).order_by("sequence")
        newest.update((row.pod_uid, row) for row in rows)
    return [row for row in newest.values() if row.phase != "bound"]
