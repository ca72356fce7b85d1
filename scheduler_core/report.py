"""What the engine tells: reports and moves. Pure data, ready to be encoded as JSON.

Everything a person may ask about a decision is in a `CycleReport`; everything
about the queue is in a `QueueMove`. Columns are NumPy arrays in memory and
lists of numbers once encoded (`encode`), so that keeping a report costs the
scheduling cycle next to nothing. These types are also the schema that the
REST API and the browser see; add fields at will, rename none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, overload

import msgspec
import numpy as np

# A NumPy array in memory, a list of integers as JSON.
Integers = Annotated[Any, msgspec.Meta(extra_json_schema={"type": "array", "items": {"type": "integer"}})]


class NodeNames(Sequence[str]):
    """Names of some rows, looked up when somebody reads them."""

    __slots__ = ("_names", "_rows")

    def __init__(self, names: Sequence[str], rows: Sequence[int] | np.ndarray[Any, np.dtype[np.integer[Any]]]) -> None:
        # Of all nodes, by row; never changed by its owner.
        self._names = names
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> NodeNames: ...
    def __getitem__(self, index: int | slice) -> str | NodeNames:
        if isinstance(index, slice):
            return NodeNames(self._names, self._rows[index])
        return self._names[self._rows[index]]

    def __iter__(self) -> Iterator[str]:
        names = self._names
        rows = self._rows.tolist() if isinstance(self._rows, np.ndarray) else self._rows
        return (names[row] for row in rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))


# A NodeNames in memory, a list of strings as JSON.
Names = Annotated[Any, msgspec.Meta(extra_json_schema={"type": "array", "items": {"type": "string"}})]


class PodRef(msgspec.Struct, frozen=True, kw_only=True):
    namespace: str
    name: str
    uid: str


class StatusReport(msgspec.Struct, frozen=True, kw_only=True):
    """A Status as people read it."""

    # Kubernetes' word: "Success", "Unschedulable", ...
    code: str
    plugin: str = ""
    reasons: list[str] = []


class RejectionReport(StatusReport, frozen=True, kw_only=True):
    """One plugin's rejection of one node, with what would have to change there."""

    remedies: list[str] = []


class PluginRun(msgspec.Struct, kw_only=True):
    """One plugin at one extension point of one cycle."""

    name: str
    # For Filter: Success where it passed at least one node or was not asked to reject.
    status: StatusReport
    # Microseconds of processor time; 0 where the detail was not kept.
    duration_us: int = 0
    # Filter only: nodes this plugin was the first to reject.
    rejected: int = 0


class PointReport(msgspec.Struct, kw_only=True):
    # The configuration key: "preFilter", "filter", ...
    point: str
    plugins: list[PluginRun]


class FilterReport(msgspec.Struct, kw_only=True):
    """Filter's table in columns: one entry per node that was looked at, in evaluation order."""

    nodes: Names
    # Index into `statuses`, or -1: the node passed.
    status: Integers
    # The distinct first rejections.
    statuses: list[StatusReport]
    # Nodes of the cluster, and how many were looked at (sampling stops early).
    total_nodes: int
    evaluated: int
    # Of every node that was not looked at because PreFilter rejected the pod or left the node out;
    # None: the rest was not needed.
    absent: StatusReport | None = None


class ScoreColumn(msgspec.Struct, kw_only=True):
    """One Score plugin over the feasible nodes, same order as `ScoreReport.nodes`."""

    plugin: str
    weight: int
    raw: Integers
    normalized: Integers
    weighted: Integers


class ScoreReport(msgspec.Struct, kw_only=True):
    nodes: Names
    plugins: list[ScoreColumn]
    totals: Integers
    # Every node with the highest total; one of them is drawn at random.
    best: Names
    chosen: str


class TouchedBudget(msgspec.Struct, frozen=True, kw_only=True):
    """A PodDisruptionBudget that covers some of a candidate's victims."""

    namespace: str
    name: str
    # Disruptions it allowed, and victims it covers.
    allowed: int
    covered: int


class Candidate(msgspec.Struct, kw_only=True):
    """A node where preemption could make room."""

    node: str
    victims: list[PodRef]
    pdb_violations: int
    highest_priority: int
    sum_priority: int
    # RFC 3339; of the highest-priority victims.
    latest_start: str | None = None
    # Of `victims`, same order.
    priorities: list[int] = []
    budgets: list[TouchedBudget] = []


class PreemptionReport(msgspec.Struct, kw_only=True):
    status: StatusReport
    # Made when they are read.
    candidates: Sequence[Candidate] = []
    # "" when none was chosen.
    node: str = ""
    # To be deleted.
    victims: list[PodRef] = []
    # Victims that were held at Permit: they are rejected there and wait anew, nobody deletes them.
    waiting_victims: list[PodRef] = []
    # The tie-break rule that decided, in words.
    decided_by: str = ""
    # Pods of lower priority that were nominated to the node and lose their nomination.
    nominations_cleared: list[PodRef] = []
    # Nodes that were tried and where removing pods would not help, as Filter's table.
    not_helpful: FilterReport | None = None


class ClaimDeallocation(msgspec.Struct, kw_only=True):
    """A ResourceClaim to be freed, so that the pod gets another chance: clear its allocation and reservedFor."""

    namespace: str
    name: str
    uid: str


class SkipCount(msgspec.Struct, kw_only=True):
    """How often an event was not worth another attempt of a pod, and why."""

    # Event label.
    event: str
    plugin: str
    reason: str
    count: int
    # The object of the last such event, "Node/n7", and its cluster time.
    object: str = ""
    at: float = 0.0


class QueueMove(msgspec.Struct, kw_only=True):
    """A pod going from one queue to another, and why."""

    pod: PodRef
    # "" (new), activeQ, backoffQ, unschedulablePods, gated, inFlight, waiting, binding, bound, "" (gone)
    source: str
    target: str
    # The cluster event, as kube-scheduler names it: "PodAdd", "NodeAdd", "ScheduleAttemptFailure", ...
    event: str
    # The object the event was about: "Node/n7"; "" where there is none.
    object: str = ""
    # The plugin whose hint said Queue, and its words.
    plugin: str = ""
    hint: str = ""
    attempts: int = 0
    # Cluster time, seconds since the epoch.
    at: float = 0.0
    # Cluster time until which the pod backs off; None: not backing off.
    backoff_until: float | None = None
    # Plugins that rejected the pod last.
    unschedulable_plugins: list[str] = []
    pending_plugins: list[str] = []
    # Why it waits (unschedulablePods, gated): the message of the last attempt.
    message: str = ""
    # What did not wake it, where it waited before this move.
    skips: list[SkipCount] = []


class WokenPod(msgspec.Struct, kw_only=True):
    """A pod that an event brought back to activeQ or backoffQ."""

    pod: PodRef
    target: str
    # The plugin whose hint said Queue, and its words.
    plugin: str
    hint: str


class SkippedPods(msgspec.Struct, kw_only=True):
    """Pods that an event was not worth another attempt for, by the same plugin for the same reason."""

    plugin: str
    reason: str
    count: int
    # Some of them, oldest first.
    pods: list[PodRef]


class ClusterEventReport(msgspec.Struct, kw_only=True):
    """Something that happened while pods waited: whom it woke, whom it did not, and why."""

    # As kube-scheduler names it: "NodeAdd", "AssignedPodDelete", ...
    event: str
    # "Node/n7"
    object: str
    # Cluster time.
    at: float
    # Pods in unschedulablePods at that time, and those of them that it concerned: one of the plugins that
    # rejected them had registered for the event.
    waiting: int
    concerned: int
    # Some of those that woke, and how many did.
    woken: list[WokenPod]
    woken_count: int
    skipped: list[SkippedPods]
    # Of pods that were asked, but by reasons beyond those in `skipped`.
    skipped_otherwise: int = 0


class ExtenderCall(msgspec.Struct, kw_only=True):
    """One call of an HTTP extender."""

    # Its urlPrefix.
    extender: str
    # "filter", "prioritize", "preempt" or "bind".
    verb: str
    url: str
    # Nodes it was asked about, and how many of them were left; None: it did not say.
    nodes: int
    nodes_passed: int | None = None
    # The beginning of the body, and its whole size.
    request: str
    request_bytes: int
    # HTTP status; 0: there was no answer.
    status: int = 0
    response: str = ""
    response_bytes: int = 0
    duration_us: int = 0
    # What went wrong; "": nothing did.
    error: str = ""
    # Of the extender: its errors are passed over.
    ignorable: bool = False


Outcome = Literal["scheduled", "unschedulable", "error", "waiting", "skipped"]


class CycleReport(msgspec.Struct, kw_only=True):
    """One scheduling cycle of one pod, whole."""

    # Unique and ordered within a cluster's scheduler; the cause named by later moves and bindings.
    sequence: int
    pod: PodRef
    scheduler_name: str
    # 1 for the first attempt.
    attempt: int
    # Cluster time at the start, seconds since the epoch.
    at: float
    # scheduled: assumed and on its way to be bound; waiting: held by Permit;
    # skipped: deleted or already assumed, nothing was tried.
    outcome: Outcome
    node: str = ""
    # FailedScheduling text, uncut; "" when scheduled.
    message: str = ""
    # Of the PodScheduled condition where it is False: "Unschedulable" or "SchedulerError".
    reason: str = ""
    points: list[PointReport] = []
    filter: FilterReport | None = None
    score: ScoreReport | None = None
    # What PostFilter as a whole answered; None: it did not run.
    post_filter: StatusReport | None = None
    preemption: PreemptionReport | None = None
    # A claim PostFilter found unused; who stores the decision frees it.
    deallocation: ClaimDeallocation | None = None
    nominated_node_name: str | None = None
    unschedulable_plugins: list[str] = []
    pending_plugins: list[str] = []
    # JSON values that PreBind needs (CycleState.binding_data).
    binding_data: dict[str, Any] = {}
    # Permit's deadline in cluster time when outcome is "waiting".
    permit_deadline: float | None = None
    # Of HTTP extenders, in order.
    extender_calls: list[ExtenderCall] = []
    duration_us: int = 0


class PermitResult(msgspec.Struct, kw_only=True):
    """What became of a pod that waited at Permit."""

    pod: PodRef
    node: str
    # The cycle that placed it.
    sequence: int
    # Success: its binding cycle may begin. Otherwise it is back in the queue.
    status: StatusReport
    # FailedScheduling text and PodScheduled reason of a rejection.
    message: str = ""
    reason: str = ""


class BindingStepReport(msgspec.Struct, kw_only=True):
    """One plugin of a binding cycle."""

    # preBind, bind or postBind.
    point: str
    plugin: str
    status: StatusReport
    # Where an HTTP extender bound the pod.
    call: ExtenderCall | None = None


class BindingReport(msgspec.Struct, kw_only=True):
    """One binding cycle of one pod."""

    pod: PodRef
    node: str
    # Success: the pod is bound.
    status: StatusReport
    # In the order in which they ran.
    steps: list[BindingStepReport] = []
    # FailedScheduling text of a failure.
    message: str = ""


class ReasonCount(msgspec.Struct, kw_only=True):
    plugin: str
    reason: str
    count: int


class TopNode(msgspec.Struct, kw_only=True):
    node: str
    total: int
    # plugin -> score after normalising and weight
    scores: dict[str, int]


class DecisionSummary(msgspec.Struct, kw_only=True):
    """A report small enough to be streamed for every pod."""

    sequence: int
    pod: PodRef
    attempt: int
    at: float
    outcome: Outcome
    # The profile's name.
    scheduler_name: str
    # Name of the deployed scheduler, of which a cluster may have several; "": nobody said.
    scheduler: str = ""
    node: str = ""
    message: str = ""
    total_nodes: int = 0
    evaluated: int = 0
    feasible: int = 0
    # Nodes by their first rejecting plugin and its reasons.
    rejected: list[ReasonCount] = []
    # The best nodes, at most five, highest total first.
    top: list[TopNode] = []
    # How many nodes shared the highest total.
    tied: int = 0
    nominated_node_name: str | None = None
    victims: list[PodRef] = []
    duration_us: int = 0


def _encode_column(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Sequence):
        # NodeNames and the like.
        return list(value)
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"cannot encode {type(value).__name__}")


_encoder = msgspec.json.Encoder(enc_hook=_encode_column)


def encode(value: Any) -> bytes:
    """JSON bytes of any report type; arrays become lists."""
    return _encoder.encode(value)
