"""The scheduling queue: which pod is tried next, and what brings a failed one back.

    add ──▶ activeQ ──pop──▶ in flight ──placed──▶ waiting | binding ──▶ bound
              ▲  ▲                │                     │
              │  └─ backoffQ ◀────┤◀── an error ────────┘
              │         ▲         │
              └─────────┴── unschedulablePods ◀── rejected by plugins
    PreEnqueue rejects: gated, until that plugin's event or the pod's own update

A rejected pod waits for an event that one of its rejecting plugins finds worth
a new attempt (`queueing_hints`), then first sits out its backoff (`backoff_queue`).
Events that came while it was in flight are weighed when it comes back
(`in_flight`). What an event means for those that wait is `weighing`. Every step is
kept as a `QueueMove` until `drain_moves`, and every pod whose state changed until
`drain_changed` (`journal`): enough to store the queue row by row and to show it live.

Invariant: a uid is in exactly one of activeQ, backoffQ, unschedulablePods, away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from scheduler_core.framework.status import Status
from scheduler_core.queue.active_queue import ActiveQueue, SortKey
from scheduler_core.queue.backoff_queue import BackoffQueue
from scheduler_core.queue.events import (
    BACKOFF_COMPLETE,
    FORCE_ACTIVATE,
    POD_ADD,
    POD_DELETE,
    POD_UPDATE,
    POP_FROM_BACKOFF_Q,
    SCHEDULE_ATTEMPT_FAILURE,
    UNSCHEDULABLE_TIMEOUT,
    ClusterEvent,
    pod_update_events,
)
from scheduler_core.queue.in_flight import InFlightPods
from scheduler_core.queue.journal import Journal
from scheduler_core.queue.nominator import Nominator
from scheduler_core.queue.queued_pod import (
    ACTIVE_Q,
    BACKOFF_Q,
    BINDING,
    BOUND,
    GATED,
    IN_FLIGHT,
    NOWHERE,
    UNSCHEDULABLE_PODS,
    WAITING,
    QueuedPod,
    QueuedPodState,
)
from scheduler_core.queue.queueing_hints import SKIP, Occurrence, QueueingHints, Registrations, Strategy, Worth
from scheduler_core.queue.unschedulable_pods import UnschedulablePods
from scheduler_core.queue.weighing import PreCheck, Weighing
from scheduler_core.report import ClusterEventReport, QueueMove

if TYPE_CHECKING:
    from scheduler_core.objects.pod_info import PodInfo

HINTS_GATE = "SchedulerQueueingHints"
POP_FROM_BACKOFF_GATE = "SchedulerPopFromBackoffQ"
# Off by default here, unlike kube-scheduler: people see backoff as every text explains it.
DEFAULT_GATES: Mapping[str, bool] = {HINTS_GATE: True, POP_FROM_BACKOFF_GATE: False}

# (plugin, its pre_enqueue)
PreEnqueueCheck = tuple[str, Callable[["PodInfo"], Status]]


class Clock(Protocol):
    def now(self) -> float:
        """Cluster time in seconds since the epoch."""
        ...


class QueueState(msgspec.Struct, kw_only=True):
    """The whole queue as JSON."""

    pods: list[QueuedPodState]


class SchedulingQueue:
    """Pods that want a node. Not thread-safe: one scheduler owns it."""

    def __init__(
        self,
        *,
        sort_key: SortKey,
        clock: Clock,
        pre_enqueue: Mapping[str, Sequence[PreEnqueueCheck]] | None = None,
        registrations: Mapping[str, Registrations] | None = None,
        initial_backoff: float = 1.0,
        max_backoff: float = 10.0,
        feature_gates: Mapping[str, bool] | None = None,
        keep_moves: bool = True,
    ) -> None:
        gates = {**DEFAULT_GATES, **(feature_gates or {})}
        self._clock = clock
        # profile -> checks in plugin order
        self._pre_enqueue = pre_enqueue or {}
        self._pop_from_backoff = gates[POP_FROM_BACKOFF_GATE]
        self._active = ActiveQueue(sort_key)
        self._backoff = BackoffQueue(
            initial_backoff=initial_backoff,
            max_backoff=max_backoff,
            pop_early=self._pop_from_backoff,
            sort_key=self._active.key_of,
        )
        self._unschedulable = UnschedulablePods()
        hints = QueueingHints(registrations or {}, use_hints=gates[HINTS_GATE])
        self._weighing = Weighing(hints, self._unschedulable, keep_events=keep_moves)
        self._in_flight = InFlightPods()
        # Popped and not back yet: in their cycle, waiting, or binding.
        self._away: dict[str, QueuedPod] = {}
        # Uids of away pods that were deleted meanwhile.
        self._deleted: set[str] = set()
        self.nominator = Nominator()
        self._arrivals = 0
        self._journal = Journal(keep_moves=keep_moves)

    # Reading

    def __len__(self) -> int:
        """Pods that wait: those in flight, waiting at Permit or binding are not counted."""
        return len(self._active) + len(self._backoff) + len(self._unschedulable)

    def get(self, uid: str) -> QueuedPod | None:
        """The pod wherever it is."""
        return self._away.get(uid) or self._active.get(uid) or self._backoff.get(uid) or self._unschedulable.get(uid)

    def state_of(self, uid: str) -> QueuedPodState | None:
        queued = self.get(uid)
        if queued is None:
            return None
        return self._unschedulable.state_of(queued) if uid in self._unschedulable else queued.state()

    def active(self) -> list[QueuedPod]:
        """activeQ, first to be popped first."""
        return list(self._active)

    def backing_off(self) -> list[QueuedPod]:
        """backoffQ, first to leave first."""
        return list(self._backoff)

    def unschedulable(self) -> list[QueuedPod]:
        """unschedulablePods and gated pods."""
        return list(self._unschedulable)

    def has_active(self) -> bool:
        """Whether `pop` would give a pod."""
        return len(self._active) > 0 or (self._pop_from_backoff and self._backoff.has_early())

    def peek(self) -> QueuedPod | None:
        """What `pop` would give."""
        return next(iter(self._active), None) or (self._backoff.peek_early() if self._pop_from_backoff else None)

    def next_wakeup(self) -> float | None:
        """Cluster time when a pod moves by itself next; None: never."""
        times = [time for time in (self._backoff.next_tick(), self._unschedulable.next_check()) if time is not None]
        return min(times) if times else None

    def drain_moves(self) -> list[QueueMove]:
        return self._journal.drain_moves()

    def drain_events(self) -> list[ClusterEventReport]:
        """Events since the last call that concerned pods that waited, or that nobody who waited had registered for."""
        return self._weighing.drain_events()

    def drain_counted(self, most: int) -> list[str]:
        """Uids of some pods for which nothing but the count of what did not wake them changed; the rest comes later."""
        return self._weighing.drain_counted(most)

    def drain_changed(self) -> list[str]:
        """Uids whose state changed since the last call, those that left the queue included."""
        if self._active.renumbered:
            self._active.renumbered = False
            self._journal.changed(queued.uid for queued in self._active)
        return self._journal.drain_changed()

    # A pod's own life

    def add(self, pod: PodInfo) -> None:
        """A new pod that wants a node."""
        if self.get(pod.uid) is not None:
            self.update(None, pod)
            return
        self.nominator.add(pod)
        self._to_active(self._new(pod), POD_ADD.label)

    def update(self, old: PodInfo | None, new: PodInfo) -> None:
        """The pod itself was changed; that may be what it waited for."""
        queued = self.get(new.uid)
        if queued is None:
            self.nominator.update(old, new)
            self._to_active(self._new(new), POD_UPDATE.label)
            return
        old = old or queued.pod
        events = pod_update_events(old.pod, new.pod)
        self.nominator.update(old, new)
        self._replace(queued, new)
        if queued.queue == IN_FLIGHT:
            for event in events:
                self._in_flight.record(event, old.pod, new.pod, only_uid=new.uid)
        elif new.uid in self._unschedulable:
            self._reconsider(queued, [Occurrence(event, old.pod, new.pod) for event in events])

    def delete(self, uid: str) -> None:
        """The pod is gone; a cycle that is under way with it will find that out when it ends."""
        self.nominator.delete(uid)
        queued = self._take_waiting(uid)
        if queued is not None:
            self._move(queued, NOWHERE, POD_DELETE.label)
        elif uid in self._away:
            self._deleted.add(uid)

    def activate(self, uid: str) -> bool:
        """Brings a pod to activeQ at once, whatever it waits for (a plugin asks for that)."""
        if uid in self._away:
            self._in_flight.record(FORCE_ACTIVATE, None, None, only_uid=uid)
            return False
        queued = self._unschedulable.get(uid) or self._backoff.get(uid)
        return queued is not None and self._to_active(queued, FORCE_ACTIVATE.label)

    def reorder(self, uids: Iterable[str]) -> None:
        """QueueSort has changed its mind about these pods: those in activeQ are sorted anew."""
        for uid in uids:
            queued = self._active.remove(uid)
            if queued is not None:
                self._active.add(queued)
                self._journal.changed((uid,))

    # An attempt

    def pop(self) -> QueuedPod | None:
        """The next pod to try; it is in flight until `done` or until it comes back."""
        if len(self._active):
            queued, event = self._active.pop(), "Pop"
        else:
            early = self._backoff.pop_early()
            if early is None:
                return None
            queued, event = early, POP_FROM_BACKOFF_Q
        queued.start_attempt()
        self._away[queued.uid] = queued
        self._in_flight.start(queued.uid)
        self._move(queued, IN_FLIGHT, event)
        return queued

    def placed(self, uid: str, *, node_name: str, waiting: bool) -> None:
        """The cycle found a node: the pod is held at Permit, or goes on to be bound."""
        queued = self._away[uid]
        self._move(queued, WAITING if waiting else BINDING, "Placed", subject=f"Node/{node_name}")
        if not waiting:
            self._in_flight.done(uid)

    def allowed(self, uid: str, node_name: str) -> None:
        """Permit let the pod go on; from here on only an error can stop it."""
        self.placed(uid, node_name=node_name, waiting=False)

    def done(self, uid: str) -> None:
        """No event can matter to this attempt any more."""
        self._in_flight.done(uid)

    def bound(self, uid: str, node_name: str) -> None:
        """The pod has its node and leaves the queue, whoever bound it."""
        self.nominator.delete(uid)
        queued = self._take(uid)
        if queued is not None:
            self._move(queued, BOUND, "Bound", subject=f"Node/{node_name}")

    def add_unschedulable_if_not_present(
        self,
        pod: PodInfo,
        unschedulable_plugins: Iterable[str] = (),
        pending_plugins: Iterable[str] = (),
        message: str = "",
        error: bool = False,
    ) -> None:
        """The attempt failed. With `error` no plugin rejected the pod: something broke, so it backs off and retries."""
        queued = self._away.pop(pod.uid, None)
        if queued is None:
            return
        if pod.uid in self._deleted:
            self._forget_deleted(queued)
            return
        self._record_failure(queued, () if error else unschedulable_plugins, () if error else pending_plugins, message)
        worth, cause = self._worth_after_flight(queued)
        self._in_flight.done(pod.uid)
        self._requeue(queued, worth, SCHEDULE_ATTEMPT_FAILURE, cause)

    def drop(self, uid: str) -> None:
        """The attempt ended without a result and the pod is not wanted any more (deleted, or bound by others)."""
        queued = self._take(uid)
        if queued is not None:
            self._move(queued, NOWHERE, POD_DELETE.label)

    # The cluster

    def move_all_to_active_or_backoff(
        self,
        event: ClusterEvent,
        old: Any = None,
        new: Any = None,
        pre_check: PreCheck | None = None,
    ) -> None:
        """Something happened: pods for which it is worth another attempt move."""
        self._in_flight.record(event, old, new)
        if not len(self._unschedulable):
            return
        occurrence = Occurrence(event, old, new)
        if event.is_wildcard:
            for queued in list(self._unschedulable):
                self._reconsider(queued, [occurrence])
            return

        def requeue(queued: QueuedPod, worth: Worth) -> None:
            self._requeue(queued, worth, occurrence.label, occurrence)

        self._weighing.wake(occurrence, self._clock.now(), pre_check, requeue)

    # Time

    def flush_backoff_completed(self) -> None:
        """Lets go the pods whose backoff is over."""
        for queued in self._backoff.pop_completed(self._clock.now()):
            self._to_active(queued, BACKOFF_COMPLETE)

    def flush_unschedulable_left_over(self) -> None:
        """Tries pods again that nothing moved for five minutes."""
        occurrence = Occurrence(UNSCHEDULABLE_TIMEOUT, None, None)
        for queued in self._unschedulable.left_over(self._clock.now()):
            self._reconsider(queued, [occurrence])

    # Storing

    def dump(self) -> QueueState:
        places: tuple[Iterable[QueuedPod], ...] = (
            self._active,
            self._backoff,
            self._unschedulable,
            self._away.values(),
        )
        states = (self.state_of(queued.uid) for place in places for queued in place)
        return QueueState(pods=[state for state in states if state is not None])

    def restore(self, state: QueueState, pods: Mapping[str, PodInfo]) -> None:
        """Takes over another worker's queue; `pods` by uid, those that are not in it are gone.

        A pod whose cycle was cut off is tried again. For one that is waiting or binding, the events it
        missed are unknown, so should it come back it is retried after backoff.
        """
        known = [(each, pods[each.pod.uid]) for each in state.pods if each.pod.uid in pods]
        for each, pod in sorted(known, key=lambda pair: (pair[0].timestamp, pair[0].arrival)):
            self._arrivals = max(self._arrivals, each.arrival + 1)
            self.nominator.add(pod)
            self._put_back(QueuedPod.from_state(each, pod))

    def _put_back(self, queued: QueuedPod) -> None:
        if queued.queue in (WAITING, BINDING):
            self._away[queued.uid] = queued
            if queued.queue == WAITING:
                self._in_flight.start_blind(queued.uid)
        elif queued.queue == BACKOFF_Q:
            self._backoff.add(queued)
        elif queued.queue in (UNSCHEDULABLE_PODS, GATED):
            self._unschedulable.add(queued)
        else:
            queued.queue = ACTIVE_Q
            self._active.add(queued)

    # Moving

    def _new(self, pod: PodInfo) -> QueuedPod:
        self._arrivals += 1
        return QueuedPod(pod, self._clock.now(), self._arrivals)

    def _replace(self, queued: QueuedPod, pod: PodInfo) -> None:
        """Puts the new version of a pod in the old one's place."""
        self._journal.changed((queued.uid,))
        if queued.uid in self._active:
            self._active.remove(queued.uid)
            queued.pod = pod
            self._active.add(queued)
        elif queued.uid in self._backoff:
            self._backoff.remove(queued.uid)
            queued.pod = pod
            self._backoff.add(queued)
        else:
            queued.pod = pod
            if queued.uid in self._unschedulable:
                self._unschedulable.file_anew(queued)
            else:
                queued.classify()

    def _record_failure(
        self, queued: QueuedPod, unschedulable_plugins: Iterable[str], pending_plugins: Iterable[str], message: str
    ) -> None:
        queued.unschedulable_plugins = dict.fromkeys(unschedulable_plugins)
        queued.pending_plugins = dict.fromkeys(pending_plugins)
        queued.message = message
        if queued.rejecting_plugins():
            queued.unschedulable_count += 1
            queued.consecutive_errors = 0
        else:
            queued.consecutive_errors += 1
        queued.timestamp = self._clock.now()
        queued.backoff_until = None

    def _worth_after_flight(self, queued: QueuedPod) -> tuple[Worth, Occurrence | None]:
        """Weighs what happened while the pod was in flight; with the event that decided."""
        if not queued.rejecting_plugins() or queued.uid not in self._in_flight:
            return Worth(Strategy.AFTER_BACKOFF), None
        since = self._in_flight.events_of(queued.uid)
        if since.missed:
            return Worth(Strategy.AFTER_BACKOFF), None
        queued.classify()
        best: tuple[Worth, Occurrence | None] = (SKIP, None)
        for each in since.events:
            occurrence = Occurrence(each.event, each.old, each.new)
            worth = self._weighing.weigh(queued, occurrence, self._clock.now())
            if worth.strategy > best[0].strategy:
                best = (worth, occurrence)
                if worth.strategy is Strategy.IMMEDIATELY or not queued.pending_plugins:
                    break
        return best

    def _reconsider(self, queued: QueuedPod, occurrences: Sequence[Occurrence]) -> None:
        """Moves a pod out of unschedulablePods on the first occurrence that is worth it."""
        for occurrence in occurrences:
            worth = self._weighing.weigh(queued, occurrence, self._clock.now())
            if worth.strategy is not Strategy.SKIP and self._requeue(queued, worth, occurrence.label, occurrence):
                return

    def _requeue(self, queued: QueuedPod, worth: Worth, label: str, cause: Occurrence | None) -> bool:
        """Puts a pod where `worth` says; False: it stays (or comes) among the unschedulable or gated."""
        if worth.strategy is Strategy.SKIP:
            self._unschedulable.add(queued)
            self._move(queued, UNSCHEDULABLE_PODS, label)
            return False
        if worth.strategy is Strategy.AFTER_BACKOFF and self._backoff.is_backing_off(queued, self._clock.now()):
            return self._to_backoff(queued, label, worth, cause)
        return self._to_active(queued, label, worth, cause)

    def _to_active(self, queued: QueuedPod, label: str, worth: Worth = SKIP, cause: Occurrence | None = None) -> bool:
        # With early popping PreEnqueue was asked on the way into backoffQ.
        asked = self._pop_from_backoff and label == BACKOFF_COMPLETE
        if not asked and not self._passes_pre_enqueue(queued):
            self._gate(queued, label)
            return False
        self._take_waiting(queued.uid)
        queued.backoff_until = None
        if queued.initial_attempt_at is None:
            queued.initial_attempt_at = self._clock.now()
        self._active.add(queued)
        self._move(queued, ACTIVE_Q, label, worth, cause)
        return True

    def _to_backoff(self, queued: QueuedPod, label: str, worth: Worth, cause: Occurrence | None) -> bool:
        if self._pop_from_backoff and not self._passes_pre_enqueue(queued):
            self._gate(queued, label)
            return False
        self._take_waiting(queued.uid)
        self._backoff.add(queued)
        self._move(queued, BACKOFF_Q, label, worth, cause)
        return True

    def _gate(self, queued: QueuedPod, label: str) -> None:
        if queued.uid not in self._unschedulable:
            self._take_waiting(queued.uid)
        self._unschedulable.add(queued)
        if queued.queue != GATED:
            self._move(queued, GATED, label)

    def _passes_pre_enqueue(self, queued: QueuedPod) -> bool:
        for plugin, check in self._pre_enqueue.get(queued.pod.scheduler_name, ()):
            status = check(queued.pod)
            if not status.is_success:
                queued.gating_plugin = plugin
                queued.unschedulable_plugins = {**queued.unschedulable_plugins, plugin: None}
                queued.message = status.message
                return False
        if queued.is_gated:
            queued.gating_plugin = queued.message = ""
        return True

    def _take_waiting(self, uid: str) -> QueuedPod | None:
        """Takes the pod out of whichever queue holds it."""
        return self._active.remove(uid) or self._backoff.remove(uid) or self._unschedulable.remove(uid)

    def _take(self, uid: str) -> QueuedPod | None:
        self._in_flight.done(uid)
        self._deleted.discard(uid)
        return self._away.pop(uid, None) or self._take_waiting(uid)

    def _forget_deleted(self, queued: QueuedPod) -> None:
        self._deleted.discard(queued.uid)
        self._in_flight.done(queued.uid)
        self._move(queued, NOWHERE, POD_DELETE.label)

    def _move(
        self,
        queued: QueuedPod,
        target: str,
        label: str,
        worth: Worth = SKIP,
        cause: Occurrence | None = None,
        subject: str = "",
    ) -> None:
        source, queued.queue = queued.queue, target
        queued.since = self._clock.now()
        self._journal.moved(queued, source, label, worth, cause, subject)
