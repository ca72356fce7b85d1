"""A pod in the queue, with its history of attempts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from scheduler_core.report import PodRef, SkipCount

if TYPE_CHECKING:
    from scheduler_core.objects.pod_info import PodInfo

ACTIVE_Q = "activeQ"
BACKOFF_Q = "backoffQ"
UNSCHEDULABLE_PODS = "unschedulablePods"
GATED = "gated"
IN_FLIGHT = "inFlight"
WAITING = "waiting"
BINDING = "binding"
BOUND = "bound"
NOWHERE = ""

# Pods of one hint class are treated alike by every hint: profile, class, rejecting and pending plugins.
HintClass = tuple[str, bytes, tuple[str, ...], tuple[str, ...]]

# Distinct QueueSkip answers that are remembered for one pod.
MAX_SKIPS = 32


# (event label, plugin, reason) of a QueueSkip
Skip = tuple[str, str, str]


class SkipTally(NamedTuple):
    """How often, and for which object when last."""

    times: int
    object: str
    at: float


def count_skips(
    counted: dict[Skip, SkipTally], skips: Iterable[Skip], subject: str, at: float
) -> dict[Skip, SkipTally]:
    """`counted` with one more of each; of new ones only as many as are remembered."""
    for skip in skips:
        before = counted.get(skip)
        if before is not None:
            counted[skip] = SkipTally(before.times + 1, subject, at)
        elif len(counted) < MAX_SKIPS:
            counted[skip] = SkipTally(1, subject, at)
    return counted


def skip_counts(skips: dict[Skip, SkipTally]) -> list[SkipCount]:
    return [
        SkipCount(event=event, plugin=plugin, reason=reason, count=tally.times, object=tally.object, at=tally.at)
        for (event, plugin, reason), tally in skips.items()
    ]


class QueuedPodState(msgspec.Struct, kw_only=True):
    """All the queue knows of a pod, as JSON: what another worker needs to go on."""

    pod: PodRef
    queue: str
    # Place in the queue's true order, smallest first; compare only within a queue.
    position: float
    priority: int
    # Order of arrival, the last tie-break of activeQ.
    arrival: int
    # Cluster time when the pod was queued, or when its last attempt failed; QueueSort sees this one.
    timestamp: float
    # Cluster time since when it is in `queue`.
    since: float
    attempts: int = 0
    # Attempts that ended with a rejection, and errors in a row: each has its own backoff.
    unschedulable_count: int = 0
    consecutive_errors: int = 0
    # Cluster time when it first was in activeQ (InitialAttemptTimestamp); None: it never was.
    initial_attempt_at: float | None = None
    unschedulable_plugins: list[str] = []
    pending_plugins: list[str] = []
    # The PreEnqueue plugin that holds the pod; "" when it is not gated.
    gating_plugin: str = ""
    message: str = ""
    backoff_until: float | None = None
    skips: list[SkipCount] = []


class QueuedPod:
    """A pod in the queue. The queue writes it, everybody else reads."""

    __slots__ = (
        "arrival",
        "attempts",
        "backoff_until",
        "consecutive_errors",
        "gating_plugin",
        "hint_class",
        "initial_attempt_at",
        "message",
        "pending_plugins",
        "pod",
        "position",
        "queue",
        "since",
        "skips",
        "timestamp",
        "unschedulable_count",
        "unschedulable_plugins",
    )

    def __init__(self, pod: PodInfo, timestamp: float, arrival: int) -> None:
        self.pod = pod
        self.queue = NOWHERE
        self.position = 0.0
        self.arrival = arrival
        self.timestamp = timestamp
        self.since = timestamp
        self.attempts = 0
        self.unschedulable_count = 0
        self.consecutive_errors = 0
        self.initial_attempt_at: float | None = None
        # Plugins in the order they were met, so that a report repeats.
        self.unschedulable_plugins: dict[str, None] = {}
        self.pending_plugins: dict[str, None] = {}
        self.gating_plugin = ""
        self.message = ""
        # Computed when first asked for, dropped whenever a count or the timestamp changes.
        self.backoff_until: float | None = None
        # What did not wake it; while it waits, the group it is filed in counts for it, too.
        self.skips: dict[Skip, SkipTally] = {}
        # Set by `classify` whenever the pod starts to wait.
        self.hint_class: HintClass = ("", b"", (), ())

    @property
    def uid(self) -> str:
        return self.pod.uid

    @property
    def is_gated(self) -> bool:
        return bool(self.gating_plugin)

    @property
    def ref(self) -> PodRef:
        return PodRef(namespace=self.pod.namespace, name=self.pod.name, uid=self.pod.uid)

    def rejecting_plugins(self) -> dict[str, None]:
        """Plugins that rejected the last attempt, or gate the pod."""
        if not self.pending_plugins:
            return self.unschedulable_plugins
        return self.unschedulable_plugins | self.pending_plugins

    @property
    def first_active_at(self) -> float:
        """When it first was in activeQ; of a pod that never was, when it was queued."""
        return self.timestamp if self.initial_attempt_at is None else self.initial_attempt_at

    def start_attempt(self) -> None:
        """The pod is popped: what the last attempt left behind is void."""
        self.attempts += 1
        self.backoff_until = None
        self.unschedulable_plugins = {}
        self.pending_plugins = {}
        self.gating_plugin = ""
        self.message = ""
        self.skips = {}

    def classify(self) -> None:
        """Brings `hint_class` up to date with the pod and the plugins that rejected it."""
        self.hint_class = (
            self.pod.scheduler_name,
            self.pod.class_key,
            tuple(self.unschedulable_plugins),
            tuple(self.pending_plugins),
        )

    def state(self, skips: dict[Skip, SkipTally] | None = None) -> QueuedPodState:
        """`skips`: where others counted for it, too."""
        return QueuedPodState(
            pod=self.ref,
            queue=self.queue,
            position=self.position,
            priority=self.pod.priority,
            arrival=self.arrival,
            timestamp=self.timestamp,
            since=self.since,
            attempts=self.attempts,
            unschedulable_count=self.unschedulable_count,
            consecutive_errors=self.consecutive_errors,
            initial_attempt_at=self.initial_attempt_at,
            unschedulable_plugins=list(self.unschedulable_plugins),
            pending_plugins=list(self.pending_plugins),
            gating_plugin=self.gating_plugin,
            message=self.message,
            backoff_until=self.backoff_until,
            skips=skip_counts(self.skips if skips is None else skips),
        )

    @classmethod
    def from_state(cls, state: QueuedPodState, pod: PodInfo) -> QueuedPod:
        queued = cls(pod, state.timestamp, state.arrival)
        queued.queue = state.queue
        queued.position = state.position
        queued.since = state.since
        queued.attempts = state.attempts
        queued.unschedulable_count = state.unschedulable_count
        queued.consecutive_errors = state.consecutive_errors
        queued.initial_attempt_at = state.initial_attempt_at
        queued.unschedulable_plugins = dict.fromkeys(state.unschedulable_plugins)
        queued.pending_plugins = dict.fromkeys(state.pending_plugins)
        queued.gating_plugin = state.gating_plugin
        queued.message = state.message
        queued.backoff_until = state.backoff_until
        queued.skips = {
            (skip.event, skip.plugin, skip.reason): SkipTally(skip.count, skip.object, skip.at) for skip in state.skips
        }
        return queued
