"""What one slice of scheduling did, as plain data: everything that has to be stored, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playground.live.messages import BreakpointHit
from playground.scheduling.engine.metrics import Counts
from playground.scheduling.engine.stored import EngineMemory
from scheduler_core.queue.queued_pod import QueuedPodState
from scheduler_core.report import ClusterEventReport, CycleReport, PodRef, QueueMove


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyBinding:
    """A pod whose binding cycle can start."""

    pod: PodRef
    node: str
    scheduler_name: str
    # The decision that placed it.
    sequence: int
    # Cluster time.
    at: float
    binding_data: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A pod that was not placed after all, and what the API is told about it."""

    pod: PodRef
    scheduler_name: str
    # Reason of condition PodScheduled=False; "": the condition stays as it is.
    reason: str
    message: str
    # None: leave nominatedNodeName as it is; "": clear it.
    nominated_node_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """A few cycles, and what the feed and the clock did to the queue before and after them."""

    reports: list[CycleReport] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    # Of pods placed by one of the reports, or let go by Permit.
    bindings: list[ReadyBinding] = field(default_factory=list)
    moves: list[QueueMove] = field(default_factory=list)
    # What happened while pods waited.
    events: list[ClusterEventReport] = field(default_factory=list)
    # Pods whose place changed and that are still queued, as they stand now.
    queued: list[QueuedPodState] = field(default_factory=list)
    # Pods that stand where they did; but what did not wake them was counted.
    counted: list[QueuedPodState] = field(default_factory=list)
    # uid -> node of those of them that wait at Permit or are being bound.
    nodes: dict[str, str] = field(default_factory=dict)
    # uids of pods that left the queue.
    gone: list[str] = field(default_factory=list)
    # The version up to which the feed was followed.
    feed_version: int
    last_sequence: int
    next_wakeup: float | None
    # A pod is left in activeQ.
    has_work: bool
    # The breakpoint that ended the slice, and the attempts its pod had before.
    hit: BreakpointHit | None = None
    hit_attempts: int = 0
    # Single steps that were taken.
    steps: int = 0
    # Cluster time the clock was moved to, by a step that had nothing else to do.
    clock_moved_to: float | None = None
    memory: EngineMemory
    # Totals since the cluster's first slice.
    counts: Counts = field(default_factory=Counts)

    @property
    def is_empty(self) -> bool:
        """Nothing happened that anybody could see."""
        happened = self.reports or self.failures or self.moves or self.queued or self.gone or self.steps
        return not (happened or self.events or self.counted or self.hit)
