"""What one slice of scheduling did, as plain data: everything that has to be stored, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scheduler_core.queue.queued_pod import QueuedPodState
from scheduler_core.report import CycleReport, QueueMove


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyBinding:
    """A pod that a binding cycle can start for."""

    namespace: str
    name: str
    uid: str
    node: str
    scheduler_name: str
    # The decision that placed it.
    sequence: int
    # Cluster time.
    at: float
    binding_data: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """A few cycles, and what the feed and the clock did to the queue before and after them."""

    reports: list[CycleReport] = field(default_factory=list)
    # Pods allowed to be bound: placed by one of the reports, or let go by Permit.
    bindings: list[ReadyBinding] = field(default_factory=list)
    moves: list[QueueMove] = field(default_factory=list)
    # Pods whose place changed and that are still queued, as they stand now.
    queued: list[QueuedPodState] = field(default_factory=list)
    # uid -> node of those of them that wait at Permit or are being bound.
    nodes: dict[str, str] = field(default_factory=dict)
    # uids of pods that moved out of every queue.
    gone: list[str] = field(default_factory=list)
    # The version up to which the feed was followed.
    feed_version: int
    last_sequence: int
    next_wakeup: float | None
    # Pods left in activeQ.
    active_pods: int
    # Single steps that were taken.
    steps: int = 0
    # Cluster time the clock was moved to, by a step that had nothing else to do.
    clock_moved_to: float | None = None
    # The engine's memory beside the queue.
    engine_state: dict[str, Any] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Nothing happened that anybody could see."""
        return not (self.reports or self.moves or self.queued or self.gone or self.bindings or self.steps)
