"""What the server says over the WebSocket: one snapshot, then numbered messages.

`snapshot + messages = a later snapshot` holds for every service (tests prove
it). A message carries the version of the feed's change it stands for; a page
that lost the connection asks for what came after its last version, and gets a
new snapshot where the feed no longer goes back that far.

Objects travel as cards: what a page shows at a glance, computed by the engine's
own rules (a pod's effective request, say). The manifest is one GET away, under
`/k8s/`. The JSON schema of these types is the front end's source of types.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from scheduler_core.report import ClusterEventReport, DecisionSummary, ExtenderCall, PodRef, QueueMove, StatusReport

PROTOCOL_VERSION = 1


class Taint(msgspec.Struct, kw_only=True):
    key: str
    value: str = ""
    effect: str


class DrainBlocked(msgspec.Struct, kw_only=True):
    """A pod that a drain cannot evict for now, or at all."""

    namespace: str
    name: str
    # The PodDisruptionBudget in the way; "" where it is something else.
    budget: str
    message: str


class DrainCard(msgspec.Struct, kw_only=True):
    """How far the drain of a node has come."""

    state: Literal["draining", "drained", "failed", "cancelled"]
    # Pods it is about, and those of them that are not gone yet.
    total: int
    left: int
    # Asked to go and not gone yet.
    evicted: int
    # The first ones, at most 20.
    blocked: list[DrainBlocked]
    # Cluster time.
    started_at: float
    ended_at: float | None
    # When the blocked ones are tried again.
    retry_at: float | None
    # The newest line that kubectl would print.
    message: str


class NodeCard(msgspec.Struct, kw_only=True, tag_field="kind", tag="Node"):
    uid: str
    name: str
    resource_version: int
    created_at: str
    labels: dict[str, str]
    taints: list[Taint]
    unschedulable: bool
    # Condition Ready: "True", "False", "Unknown".
    ready: str
    # Canonical integers by resource: cpu in millicores, the rest in their unit (bytes, pieces).
    allocatable: dict[str, int]
    # From node-role.kubernetes.io/*.
    roles: list[str]
    # topology.kubernetes.io/zone; "" where there is none.
    zone: str
    # Names of images present.
    images: list[str]
    # Its kubelet stopped: the node is about to be given up, or was.
    kubelet_stopped: bool = False
    # Of the newest drain, until the node is uncordoned.
    drain: DrainCard | None = None


class OwnerRef(msgspec.Struct, kw_only=True):
    kind: str
    name: str
    uid: str


class PodCard(msgspec.Struct, kw_only=True, tag_field="kind", tag="Pod"):
    uid: str
    namespace: str
    name: str
    resource_version: int
    created_at: str
    labels: dict[str, str]
    # "" while it is not bound.
    node_name: str
    nominated_node_name: str
    # Pending, Running, Succeeded, Failed.
    phase: str
    # Pods that are Pending for a reason of the kubelet's: "ContainerCreating", "OutOfcpu", ...
    reason: str
    message: str
    scheduler_name: str
    priority: int
    # Effective requests, canonical integers; without zero entries.
    requests: dict[str, int]
    scheduling_gates: list[str]
    # RFC 3339 or "".
    deletion_timestamp: str
    owner: OwnerRef | None = None
    # First image, for the chip's icon and text.
    image: str = ""


class WorkloadCard(msgspec.Struct, kw_only=True, tag_field="kind", tag="Workload"):
    """A Deployment, ReplicaSet, StatefulSet, DaemonSet or Job."""

    # The Kubernetes kind.
    workload_kind: str
    uid: str
    namespace: str
    name: str
    resource_version: int
    created_at: str
    replicas: int
    ready_replicas: int
    owner: OwnerRef | None = None


class EventCard(msgspec.Struct, kw_only=True, tag_field="kind", tag="Event"):
    uid: str
    namespace: str
    name: str
    resource_version: int
    # Normal or Warning.
    event_type: str
    reason: str
    message: str
    regarding_kind: str
    regarding_name: str
    regarding_uid: str
    source: str
    count: int
    first_at: str
    last_at: str


class ObjectCard(msgspec.Struct, kw_only=True, tag_field="kind", tag="Object"):
    """Any other kind: known to exist, read over /k8s/."""

    object_kind: str
    api_version: str
    uid: str
    namespace: str
    name: str
    resource_version: int
    created_at: str


Card = NodeCard | PodCard | WorkloadCard | EventCard | ObjectCard


BreakpointKind = Literal["pod", "plugin", "failure", "preemption"]


class BreakpointHit(msgspec.Struct, kw_only=True):
    """Why the clock was stopped: a breakpoint, and what hit it."""

    # The breakpoint's number in its cluster.
    id: int
    on: BreakpointKind
    pod: PodRef
    # Cluster time.
    at: float
    # The cycle that hit it; None: the pod's cycle has not begun.
    sequence: int | None = None
    # on == "plugin": which one, at which extension point.
    plugin: str = ""
    point: str = ""
    # In words, for people.
    message: str = ""


class ClusterCard(msgspec.Struct, kw_only=True):
    # The slug used in every URL.
    id: str
    name: str
    version: int
    # running or paused
    state: Literal["running", "paused"]
    speed: float
    # Cluster time (seconds since the epoch) at `clock_wall` (wall clock); a page extrapolates while running.
    clock_at: float
    clock_wall: float
    seed: int
    # The breakpoint that paused it; None: it runs, or somebody paused it.
    paused_by: BreakpointHit | None = None
    # Id of the preset it was made from; "": from none.
    preset: str = ""


QueueName = Literal["activeQ", "backoffQ", "unschedulablePods", "gated", "inFlight", "waiting", "binding"]


class QueuedPodCard(msgspec.Struct, kw_only=True):
    """Where a pod that is not bound yet stands with a scheduler; two may be after the same pod."""

    pod: PodRef
    # Name of the deployed scheduler whose queue it is.
    scheduler: str = "kube-scheduler"
    queue: QueueName
    # Place in the queue's true order, smallest first; compare only within a queue.
    position: float
    priority: int
    attempts: int
    # Cluster time, seconds since the epoch.
    since: float
    backoff_until: float | None = None
    # While waiting at Permit: cluster time at which the first plugin's patience ends.
    waits_until: float | None = None
    unschedulable_plugins: list[str] = []
    pending_plugins: list[str] = []
    message: str = ""
    # While waiting or binding.
    node: str = ""


class BindingCard(msgspec.Struct, kw_only=True):
    """A pod on its way from assumed to bound."""

    pod: PodRef
    # Name of the deployed scheduler that binds it; "": it is not deployed any more.
    scheduler: str = "kube-scheduler"
    node: str
    # The decision that caused it.
    sequence: int
    # pending -> binding -> bound | failed
    phase: Literal["pending", "binding", "bound", "failed"]
    at: float
    # Cluster time at which a slow API server answers; None: at once, or it has answered.
    due_at: float | None = None
    # Cluster time at which it was bound or failed.
    ended_at: float | None = None
    # Status of each plugin that ran: WaitOnPermit, PreBind, Bind, PostBind.
    steps: list[BindingStep] = []
    message: str = ""


class BindingStep(msgspec.Struct, kw_only=True):
    point: str
    plugin: str
    status: StatusReport
    # Where an HTTP extender bound the pod.
    call: ExtenderCall | None = None


class ObjectMessage(msgspec.Struct, kw_only=True, tag_field="type", tag="object"):
    version: int
    event: Literal["ADDED", "MODIFIED", "DELETED"]
    object: Card


class QueueMessage(msgspec.Struct, kw_only=True, tag_field="type", tag="queue"):
    """Moves in one scheduler's queue, in order, with the cards of the pods that are still queued after them."""

    version: int
    # Name of the deployed scheduler.
    scheduler: str = "kube-scheduler"
    moves: list[QueueMove]
    pods: list[QueuedPodCard]
    # uids that are not in this queue any more.
    gone: list[str]
    # What happened while pods waited: whom it woke, whom it did not, and why.
    events: list[ClusterEventReport] = []


class DecisionsMessage(msgspec.Struct, kw_only=True, tag_field="type", tag="decisions"):
    version: int
    decisions: list[DecisionSummary]


class BindingsMessage(msgspec.Struct, kw_only=True, tag_field="type", tag="bindings"):
    version: int
    bindings: list[BindingCard]


class ClusterMessage(msgspec.Struct, kw_only=True, tag_field="type", tag="cluster"):
    version: int
    cluster: ClusterCard


Message = ObjectMessage | QueueMessage | DecisionsMessage | BindingsMessage | ClusterMessage


class SnapshotFrame(msgspec.Struct, kw_only=True, tag_field="frame", tag="snapshot"):
    protocol: int
    # Commit or build of the server: a page of another build asks to be loaded anew.
    build: str
    version: int
    cluster: ClusterCard
    objects: list[Card]
    queue: list[QueuedPodCard]
    bindings: list[BindingCard]
    # The newest decisions, oldest first, at most 200.
    decisions: list[DecisionSummary]


class BatchFrame(msgspec.Struct, kw_only=True, tag_field="frame", tag="batch"):
    """Messages with versions in (after, version], complete and in order."""

    after: int
    version: int
    messages: list[Message]


class ResumedFrame(msgspec.Struct, kw_only=True, tag_field="frame", tag="resumed"):
    """The answer to ?from=N where the feed still goes back to N: batches follow."""

    protocol: int
    build: str
    version: int
    cluster: ClusterCard


class GoneFrame(msgspec.Struct, kw_only=True, tag_field="frame", tag="gone"):
    """The cluster does not exist (any more)."""

    message: str


Frame = SnapshotFrame | BatchFrame | ResumedFrame | GoneFrame
