"""The extension points of the scheduling framework, one small Protocol each.

Kubernetes calls Filter and Score once per node. Here a plugin is called once
per pod with many nodes and answers with arrays: `rows` selects nodes of the
snapshot (a slice, or an int array, either of which indexes any column of
`Snapshot`), and every returned array has one entry per selected row, in that
order. `PerNodePlugin` adapts a plugin written the Kubernetes way, node by node,
so that a first plugin is five lines.

A plugin is built once per profile with its decoded arguments and a `Handle`;
it keeps no state between cycles except caches that can be dropped at any time.
It does no I/O, reads no clock but `handle.now()`, draws no random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.status import SKIP, SUCCESS, Status

if TYPE_CHECKING:
    from scheduler_core.framework.extenders import Extenders
    from scheduler_core.framework.room import RoomFilter
    from scheduler_core.framework.waiting_pods import WaitingPods
    from scheduler_core.objects.pod_info import PodInfo
    from scheduler_core.snapshot.node_view import NodeView
    from scheduler_core.snapshot.snapshot import Snapshot

IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int16]
# Selects nodes: indexes the last axis of any Snapshot column.
Rows = slice | NDArray[np.intp]


class ExtensionPoint(StrEnum):
    """Every extension point, in the order of a pod's life; the value is its key in a configuration."""

    PRE_ENQUEUE = "preEnqueue"
    QUEUE_SORT = "queueSort"
    PRE_FILTER = "preFilter"
    FILTER = "filter"
    POST_FILTER = "postFilter"
    PRE_SCORE = "preScore"
    SCORE = "score"
    RESERVE = "reserve"
    PERMIT = "permit"
    PRE_BIND = "preBind"
    BIND = "bind"
    POST_BIND = "postBind"


class Verdicts(NamedTuple):
    """Filter's answer for many nodes at once."""

    # Shape (len(rows),): 0 fits; k > 0 is rejected with `statuses[k - 1]`. None: every node fits.
    codes: CodeArray | None
    # The distinct rejections that `codes` points into.
    statuses: Sequence[Status]


ALL_FIT = Verdicts(None, ())


class PreFilterResult(NamedTuple):
    """PreFilter's answer."""

    # Success, Skip (Filter is not called for this pod), or a rejection of the whole cycle.
    status: Status = SUCCESS
    # Only these nodes may be looked at; None: all of them.
    node_names: frozenset[str] | None = None


# Most plugins have nothing to do with most pods.
NOTHING_TO_FILTER = PreFilterResult(SKIP)


class QueueingHint(StrEnum):
    """What a hint function answers."""

    QUEUE = "Queue"
    QUEUE_SKIP = "QueueSkip"


# (pending pod, old object or None, new object or None) -> hint, and in words why.
HintFunction = Callable[["PodInfo", Any, Any], "HintAnswer"]


class HintAnswer(NamedTuple):
    hint: QueueingHint
    # Shown to people, e.g. "node labels still do not match".
    reason: str = ""


@dataclass(frozen=True, slots=True)
class EventRegistration:
    """One kind of event that may make a pod rejected by this plugin schedulable."""

    # As Kubernetes names it: "Node", "Pod", "PersistentVolumeClaim", "storage.k8s.io/StorageClass", ...
    resource: str
    # Kubernetes action names: "Add", "Delete", "UpdateNodeLabel", ...
    actions: frozenset[str]
    # None: every such event queues the pod.
    hint: HintFunction | None = None


class Lister(Protocol):
    """Reads the objects a plugin may need beside pods and nodes."""

    def get(self, kind: str, namespace: str | None, name: str) -> Any | None: ...
    def list(self, kind: str, namespace: str | None = None) -> Iterable[Any]: ...
    def generation(self, kind: str) -> int:
        """Rises with every change of an object of the kind."""
        ...


class GroupMembers(Protocol):
    """The pods of pod groups, those included that wait or are gated, whichever scheduler they are for."""

    def of(self, namespace: str, group: str) -> Mapping[str, PodInfo]:
        """By uid, finished pods left out."""
        ...

    def placed(self, namespace: str, group: str) -> Mapping[str, str]:
        """Uid -> node of those that are on one, bound or assumed."""
        ...


class Handle(Protocol):
    """What the framework lends a plugin."""

    @property
    def snapshot(self) -> Snapshot: ...
    @property
    def lister(self) -> Lister: ...
    def now(self) -> float:
        """Cluster time in seconds since the epoch."""
        ...

    # Feature gates by Kubernetes name.
    @property
    def feature_gates(self) -> Mapping[str, bool]: ...

    @property
    def group_members(self) -> GroupMembers:
        """Who belongs to which pod group."""
        ...

    def reorder(self, uids: Iterable[str]) -> None:
        """For a QueueSort plugin: `sort_key` answers something else for these pods now."""
        ...

    # --- for PostFilter plugins ---

    @property
    def nominated_pods(self) -> NominatedPods:
        """Who is nominated where."""
        ...

    @property
    def waiting_pods(self) -> WaitingPods:
        """Pods held at Permit; a plugin may allow or reject them."""
        ...

    @property
    def random(self) -> Random:
        """The scheduler's seeded generator."""
        ...

    @property
    def extenders(self) -> Extenders | None:
        """HTTP extenders, which have a say in who is preempted; None: there are none to ask."""
        ...

    def room_filter(self, state: CycleState) -> RoomFilter | None:
        """The plugin that alone decides by the pods on a node, where there is just one and it comes last."""
        ...

    def filter_nodes(self, state: CycleState, pod: PodInfo, rows: Rows) -> Verdicts:
        """All Filter plugins of the profile on these nodes as the snapshot stands, nominated pods considered."""
        ...

    def add_pod(self, state: CycleState, pod: PodInfo, added: PodInfo, row: int) -> Status:
        """Keep PreFilter state true after `added` was put on the node in a trial."""
        ...

    def remove_pod(self, state: CycleState, pod: PodInfo, removed: PodInfo, row: int) -> Status:
        """Keep PreFilter state true after `removed` was taken off the node in a trial."""
        ...


class NominatedPods(Protocol):
    """Pods that wait for the room their preemption makes."""

    def __len__(self) -> int: ...
    @property
    def nodes(self) -> Sequence[str]:
        """Names of nodes with at least one nominated pod."""
        ...

    def pods_for_node(self, node_name: str) -> Sequence[PodInfo]: ...


class FilterReads(Enum):
    """What Filter looks at, beside the pod."""

    # What is written on the node: no pod changes the answer.
    NODE = "node"
    # The node and the room on it (requests, number of pods); see `framework.room`.
    ROOM = "room"
    # Anything else about the pods on this node or on others.
    PODS = "pods"


class Plugin:
    """Base of every plugin. Subclass it and write the methods of the extension points you want."""

    # The name used in configurations and reports.
    name: ClassVar[str]
    # The struct that `pluginConfig` is decoded into, each field with a default; it may have a method `validate`.
    # None: it takes no arguments, or is in a table that says their type.
    args_type: ClassVar[type[Any] | None] = None
    # True: Filter works node by node, so it is asked only about nodes that every plugin before it passed.
    costly: ClassVar[bool] = False
    # Lets nominations and preemption be computed for many nodes at once; PODS is always right.
    filter_reads: ClassVar[FilterReads] = FilterReads.PODS
    # True: its normalised scores cannot leave 0..100, so the runtime does not look at each of them.
    scores_stay_in_range: ClassVar[bool] = False

    def __init__(self, args: Any, handle: Handle) -> None:
        self.args = args
        self.handle = handle

    def events_to_register(self) -> Sequence[EventRegistration]:
        """The events after which a pod this plugin rejected is worth another try."""
        return ()

    def further_events(self) -> Sequence[EventRegistration]:
        """Events that kube-scheduler's plugin of this name does not register, though it should."""
        return ()


@runtime_checkable
class PreEnqueuePlugin(Protocol):
    def pre_enqueue(self, pod: PodInfo) -> Status:
        """Before the pod enters activeQ. A rejection keeps it gated, with no attempt and no event."""
        ...


@runtime_checkable
class QueueSortPlugin(Protocol):
    def sort_key(self, pod: PodInfo, enqueued_at: float, first_active_at: float) -> tuple[Any, ...]:
        """activeQ's order: the smallest key is popped first. The queue breaks ties by order of arrival.

        `enqueued_at`: when the pod was queued, or its last attempt failed; `first_active_at`: when it first was in
        activeQ, whatever happened since.
        """
        ...


@runtime_checkable
class PreFilterPlugin(Protocol):
    def pre_filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot) -> PreFilterResult:
        """Once per cycle, before any node is looked at."""
        ...


@runtime_checkable
class PreFilterExtensions(Protocol):
    """Keeps PreFilter state true while preemption tries a node without some pods.

    The snapshot itself is changed before the call; only what the plugin keeps in `state` is its own work.
    """

    def add_pod(self, state: CycleState, pod: PodInfo, added: PodInfo, row: int) -> Status: ...
    def remove_pod(self, state: CycleState, pod: PodInfo, removed: PodInfo, row: int) -> Status: ...


@runtime_checkable
class FilterPlugin(Protocol):
    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        """Which of the selected nodes can take the pod. Must not change anything."""
        ...


@runtime_checkable
class RemedyPlugin(Protocol):
    """A Filter plugin that can say more than why. Asked for people, never in a scheduling cycle."""

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        """What would have to change for this plugin not to reject the node, in words."""
        ...


class PostFilterResult(NamedTuple):
    status: Status
    # None: leave nominatedNodeName as it is; "": clear it.
    nominated_node_name: str | None = None
    # A `PreemptionReport` where preemption ran.
    detail: Any = None


@runtime_checkable
class PostFilterPlugin(Protocol):
    def post_filter(self, state: CycleState, pod: PodInfo, diagnosis: Any) -> PostFilterResult:
        """Only when no node fits. Success: the pod may fit soon (somebody makes room)."""
        ...


@runtime_checkable
class DeletionObserver(Protocol):
    """A plugin that evicts pods and holds their preemptors back until it sees them go."""

    def deletion_seen(self, uid: str) -> Sequence[str]:
        """A pod is terminating or gone. Answers with the pods that need not be held back any more."""
        ...


@runtime_checkable
class PreScorePlugin(Protocol):
    def pre_score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Status:
        """With the feasible nodes only. Skip: Score is not called for this pod."""
        ...


@runtime_checkable
class ScorePlugin(Protocol):
    def score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        """Raw scores of the feasible nodes, shape (len(rows),). 0..100 unless `normalize` is written."""
        ...


@runtime_checkable
class ScoreExtensions(Protocol):
    def normalize(self, state: CycleState, pod: PodInfo, scores: IntArray) -> IntArray:
        """Scores of all feasible nodes brought to 0..100, before the weight."""
        ...


@runtime_checkable
class ReservePlugin(Protocol):
    def reserve(self, state: CycleState, pod: PodInfo, node_name: str) -> Status: ...
    def unreserve(self, state: CycleState, pod: PodInfo, node_name: str) -> None:
        """Undo; called in reverse order, must be idempotent and cannot fail."""
        ...


class PermitResult(NamedTuple):
    # Success, Wait or a rejection.
    status: Status
    # Seconds of cluster time to wait at the most; the framework caps it at 15 minutes.
    timeout: float = 0.0


@runtime_checkable
class PermitPlugin(Protocol):
    def permit(self, state: CycleState, pod: PodInfo, node_name: str) -> PermitResult: ...


class BindingApi(Protocol):
    """The writes a binding cycle may make; given to it by whoever runs it."""

    def bind(self, namespace: str, name: str, uid: str, node_name: str) -> Status: ...
    def get(self, kind: str, namespace: str | None, name: str) -> Mapping[str, Any] | None: ...
    def patch(self, kind: str, namespace: str | None, name: str, patch: Mapping[str, Any]) -> Status: ...


@runtime_checkable
class PreBindPlugin(Protocol):
    def pre_bind(self, state: CycleState, pod: PodInfo, node_name: str, api: BindingApi) -> Status:
        """In the binding cycle, perhaps in another process: only `state.binding_data` came along."""
        ...


@runtime_checkable
class BindPlugin(Protocol):
    def bind(self, state: CycleState, pod: PodInfo, node_name: str, api: BindingApi) -> Status:
        """Skip: the next Bind plugin is asked."""
        ...


@runtime_checkable
class PostBindPlugin(Protocol):
    def post_bind(self, state: CycleState, pod: PodInfo, node_name: str, api: BindingApi) -> None: ...


EXTENSION_POINT_PROTOCOLS: Mapping[ExtensionPoint, type] = {
    ExtensionPoint.PRE_ENQUEUE: PreEnqueuePlugin,
    ExtensionPoint.QUEUE_SORT: QueueSortPlugin,
    ExtensionPoint.PRE_FILTER: PreFilterPlugin,
    ExtensionPoint.FILTER: FilterPlugin,
    ExtensionPoint.POST_FILTER: PostFilterPlugin,
    ExtensionPoint.PRE_SCORE: PreScorePlugin,
    ExtensionPoint.SCORE: ScorePlugin,
    ExtensionPoint.RESERVE: ReservePlugin,
    ExtensionPoint.PERMIT: PermitPlugin,
    ExtensionPoint.PRE_BIND: PreBindPlugin,
    ExtensionPoint.BIND: BindPlugin,
    ExtensionPoint.POST_BIND: PostBindPlugin,
}


class PerNodePlugin(Plugin):
    """Adapter: write `filter_node` and `score_node` as Kubernetes would, one node at a time.

    `filter_node` answers a Status, `score_node` an int in 0..100. A subclass that has only one of them
    is only a plugin of that point (`implements`).
    """

    costly = True

    def filter_node(self, pod: PodInfo, node: NodeView) -> Status:
        raise NotImplementedError

    def score_node(self, pod: PodInfo, node: NodeView) -> int:
        raise NotImplementedError

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        # Distinct rejections, with their codes; most nodes are rejected for the same few reasons.
        known: dict[Status, int] = {}
        codes = [self._code(known, pod, view) for view in snapshot.views(rows)]
        return Verdicts(np.array(codes, dtype=np.int16), list(known)) if known else ALL_FIT

    def _code(self, known: dict[Status, int], pod: PodInfo, view: NodeView) -> int:
        status = self.filter_node(pod, view)
        if status is SUCCESS:
            return 0
        if not isinstance(status, Status):
            raise TypeError(f"filter_node answered {status!r} for node {view.name}, expected a Status")
        return 0 if status.is_success else known.setdefault(status, len(known) + 1)

    def score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        views = snapshot.views(rows)
        scores: list[object] = [self.score_node(pod, view) for view in views]
        for score, view in zip(scores, views, strict=True):
            if type(score) is not int:
                raise TypeError(f"score_node answered {score!r} for node {view.name}, expected a whole number")
        return np.array(scores, dtype=np.int64)


def implements(plugin: type[Plugin], point: ExtensionPoint) -> bool:
    """Whether a plugin class takes part at an extension point."""
    if issubclass(plugin, PerNodePlugin) and point in (ExtensionPoint.FILTER, ExtensionPoint.SCORE):
        method = "filter_node" if point is ExtensionPoint.FILTER else "score_node"
        vector = "filter" if point is ExtensionPoint.FILTER else "score"
        own = getattr(plugin, method) is not getattr(PerNodePlugin, method)
        return own or getattr(plugin, vector) is not getattr(PerNodePlugin, vector)
    return isinstance(plugin, type) and issubclass(plugin, EXTENSION_POINT_PROTOCOLS[point])
