"""The scheduler of one cluster: object changes in, reports out.

`schedule_one` is kube-scheduler's ScheduleOne up to Permit; the binding cycle
runs elsewhere and comes back through `binding_finished`. There is no thread, no
I/O and no wall clock in here: whoever owns the scheduler feeds it changes, lets
it run cycles, and calls `tick` when `next_wakeup` has come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Protocol

from scheduler_core.cache.cache import Cache
from scheduler_core.cache.manifests import Manifests
from scheduler_core.framework.cycle_state import PODS_TO_ACTIVATE
from scheduler_core.framework.explaining import explain_rows, rejection_report
from scheduler_core.framework.extenders import EXTENDER, ExtenderCaller, Extenders
from scheduler_core.framework.filtering import FilterRun
from scheduler_core.framework.handle import FrameworkHandle
from scheduler_core.framework.interface import DeletionObserver
from scheduler_core.framework.post_filter import run_post_filter
from scheduler_core.framework.pre_enqueue import pre_enqueue_checks
from scheduler_core.framework.pre_filter import bracketed, run_pre_filter
from scheduler_core.framework.queue_sort import queue_order
from scheduler_core.framework.recorder import CycleRecorder, Stopwatch, no_stopwatch
from scheduler_core.framework.registry import Registry
from scheduler_core.framework.runtime import Framework
from scheduler_core.framework.search import nodes_to_find
from scheduler_core.framework.seeded_random import SeededRandom
from scheduler_core.framework.status import Status, unresolvable
from scheduler_core.framework.waiting_pods import WaitingPods
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.model import KubernetesObject
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.profiles import ConfigurationSpec, ProfileSpec, build_framework, build_frameworks
from scheduler_core.queue.events import EVERY_EVENT
from scheduler_core.queue.queued_pod import QueuedPod, QueuedPodState
from scheduler_core.queue.scheduling_queue import QueueState, SchedulingQueue
from scheduler_core.report import (
    ClaimDeallocation,
    ClusterEventReport,
    CycleReport,
    PermitResult,
    PreemptionReport,
    QueueMove,
    RejectionReport,
    StatusReport,
)
from scheduler_core.scheduler.cycle import Cycle, Enough, NodeSearch, TieBreaker
from scheduler_core.scheduler.event_handlers import EventHandlers
from scheduler_core.scheduler.placements import AssumedPod as AssumedPod
from scheduler_core.scheduler.placements import Placements, back_to_queue
from scheduler_core.scheduler.reporting import (
    cycle_report,
    failure_message,
    skipped_report,
)


class Clock(Protocol):
    def now(self) -> float:
        """Cluster time in seconds since the epoch."""
        ...


class Scheduler:
    """Not thread-safe: one owner."""

    def __init__(
        self,
        configuration: ConfigurationSpec,
        clock: Clock,
        seed: int,
        feature_gates: Mapping[str, bool] | None = None,
        keep_detail: bool = True,
        registry: Registry = DEFAULT_REGISTRY,
        stopwatch: Stopwatch = no_stopwatch,
        choose: TieBreaker | None = None,
        sample: bool = True,
        caller: ExtenderCaller | None = None,
    ) -> None:
        """`choose` takes one of the best nodes (default: drawn); `sample=False` looks at all nodes for every pod.

        Without a `caller` the configuration's extenders are not asked.
        """
        self._configuration = configuration
        self._clock = clock
        self._gates = dict(feature_gates or {})
        self._keep_detail = keep_detail
        self._stopwatch = stopwatch
        self._sample = sample
        self.cache = Cache()
        # For extenders, who are sent whole objects: fed by whoever feeds the changes. Empty without extenders.
        self.manifests = Manifests()
        self._extenders = (
            Extenders(configuration.extenders, caller, self.manifests, stopwatch)
            if caller is not None and configuration.extenders
            else None
        )
        self.waiting_pods = WaitingPods()
        self._random = SeededRandom(seed)
        self._sequence = 0
        self._registry = registry
        self.profiles = build_frameworks(configuration.profiles, registry, self._new_handle)
        plugins = [plugin for framework in self.profiles.values() for plugin in framework.all_plugins()]
        self._deletion_observers = [plugin for plugin in plugins if isinstance(plugin, DeletionObserver)]
        self.queue = self._new_queue()
        self._search = NodeSearch(self.queue.nominator, choose or self._random.choice, self._extenders)
        self._placements = Placements(self.cache, self.queue, self.waiting_pods, clock)
        self._handlers = EventHandlers(
            self.cache, self.queue, self.profiles.__contains__, self._placements.stop_waiting
        )

    @property
    def asks_extenders(self) -> bool:
        """Whether `manifests` are read at all."""
        return self._extenders is not None

    @property
    def assumes_pods(self) -> bool:
        """Whether a placed pod takes up its room at once. Off, it does so when the feed shows it on its node:
        until then others may be placed into the same room, which is what AssumePod is there to prevent."""
        return self._placements.assumes_pods

    @assumes_pods.setter
    def assumes_pods(self, on: bool) -> None:
        self._placements.assumes_pods = on

    # --- the cluster ---

    def handle(self, change: ObjectChange) -> None:
        """Something happened to an object."""
        released = self._released_preemptors(change)
        self._handlers.handle(change)
        for uid in released:
            queued = self.queue.get(uid)
            if queued is not None and queued.is_gated:
                self.queue.activate(uid)

    def _released_preemptors(self, change: ObjectChange) -> list[str]:
        """Pods that need not wait any more for their victims' deletion; asked before the queue hears of it."""
        pod = change.object
        if not isinstance(pod, Pod) or not (change.event == "DELETED" or pod.is_terminating):
            return []
        uid = PodInfo(pod).uid
        return [preemptor for observer in self._deletion_observers for preemptor in observer.deletion_seen(uid)]

    def restore(
        self,
        objects: Iterable[KubernetesObject],
        queue_state: QueueState | None = None,
        assumed: Mapping[str, AssumedPod] | None = None,
        sequence: int = 0,
        next_start: int = 0,
    ) -> None:
        """For a fresh scheduler: the cluster as it stands, and what another worker left. `assumed` is by uid."""
        pending: dict[str, PodInfo] = {}
        for each in objects:
            self._handlers.load(each)
            if isinstance(each, Pod) and not each.spec.node_name and not each.is_finished:
                pending.setdefault((info := PodInfo(each)).uid, info)
        self._sequence = sequence
        self._search.next_start = next_start
        for uid, placed in (assumed or {}).items():
            pod = pending.get(uid)
            framework = self.profiles.get(pod.scheduler_name) if pod else None
            if pod is not None and framework is not None:
                self._placements.resume(pod, placed, framework)
        if queue_state is not None:
            self.queue.restore(queue_state, pending)
        for pod in pending.values():
            if pod.scheduler_name in self.profiles and self.queue.get(pod.uid) is None:
                self.queue.add(pod)

    # --- one pod ---

    def schedule_one(self) -> CycleReport | None:
        """Pop a pod and find it a node. None: there is nothing to pop."""
        if self.waiting_pods.any_decided:
            # The room of pods that were just rejected at Permit is free for this one.
            self._placements.decide_waiting()
        queued = self.queue.pop()
        if queued is None:
            return None
        started, at = self._stopwatch(), self._clock.now()
        self._sequence += 1
        self._random.begin(self._sequence)
        reason = self._why_skip(queued.pod)
        if reason:
            return self._skip(queued, reason, at)
        cycle = self._new_cycle(queued.pod, keep_detail=self._keep_detail)
        self._search.decide(cycle, self._enough_nodes(cycle.framework), self.queue.nominator.node_of(queued.uid))
        if cycle.node_name:
            self._placements.place(cycle, self._sequence)
        elif cycle.fits_nowhere:
            self._make_room(cycle)
        else:
            cycle.nominated_node_name = ""
        if not cycle.node_name:
            self._requeue(cycle)
        else:
            self._activate(cycle)
        if self._extenders is not None:
            cycle.extender_calls = self._extenders.take_calls()
        return cycle_report(
            cycle,
            sequence=self._sequence,
            attempt=queued.attempts,
            at=at,
            duration_us=(self._stopwatch() - started) // 1000,
        )

    def schedule_pod(self, pod: PodInfo, dry: bool = True, framework: Framework | None = None) -> CycleReport:
        """What would be decided about the pod on all nodes, now; touches nothing."""
        if not dry:
            raise ValueError("a pod is only scheduled from the queue: add it with handle() and call schedule_one()")
        self._random.begin(self._sequence + 1)
        cycle = self._new_cycle(pod, keep_detail=True, framework=framework)
        self._search.decide(cycle, _all_nodes, "", everything=True)
        return cycle_report(cycle, sequence=0, attempt=0, at=self._clock.now(), duration_us=0)

    def framework_for(self, profile: ProfileSpec, registry: Registry | None = None) -> Framework:
        """Another profile over the same cluster, for `schedule_pod` and `explain`; ask for it anew each time.

        `registry` is the table its names are from, where that is not the scheduler's own.
        """
        return build_framework(profile, self._registry if registry is None else registry, self._new_handle())

    def explain(self, pod: PodInfo, node_name: str, framework: Framework | None = None) -> list[RejectionReport]:
        """Every reason against the pod on that node, not only the first, with remedies; empty: it fits."""
        return self.explain_nodes(pod, [node_name], framework)[0]

    def explain_nodes(
        self, pod: PodInfo, node_names: Sequence[str], framework: Framework | None = None
    ) -> list[list[RejectionReport]]:
        """The same of many nodes; PreFilter runs once."""
        cycle = self._new_cycle(pod, keep_detail=False, framework=framework)
        outcome = run_pre_filter(cycle.framework, cycle.state, pod, cycle.snapshot, None)
        if not outcome.status.is_success:
            return [[rejection_report(outcome.status)] for _ in node_names]
        run = FilterRun(cycle.framework, cycle.state, pod, cycle.snapshot, self.queue.nominator, None)
        found = explain_rows(run, [cycle.snapshot.row_of(name) for name in node_names])
        if outcome.node_names is None:
            return found
        left_out = unresolvable(f"node(s) didn't satisfy plugin(s) {bracketed(outcome.narrowing_plugins)}")
        return [
            told if name in outcome.node_names else [rejection_report(left_out)]
            for name, told in zip(node_names, found, strict=True)
        ]

    @contextmanager
    def as_if_unplaced(self, pod: PodInfo) -> Iterator[None]:
        """For questions about a pod that has its node: it does not take up its own room there meanwhile."""
        placed = self.cache.placement(pod.uid)
        record = self.cache.snapshot.record_of(placed.node_name) if placed else None
        with self.cache.snapshot.trial() as trial:
            if placed is not None and record is not None:
                trial.remove_pod(record.row, placed.pod)
            yield

    def _why_skip(self, pod: PodInfo) -> str:
        if pod.is_terminating:
            return f"skip schedule deleting pod: {pod.key}"
        if self.cache.is_assumed(pod.uid):
            return f"pod {pod.key} is assumed on a node already"
        if pod.scheduler_name not in self.profiles:
            return f"no profile has the scheduler name {pod.scheduler_name}"
        return ""

    def _skip(self, queued: QueuedPod, message: str, at: float) -> CycleReport:
        self.queue.drop(queued.uid)
        return skipped_report(queued.pod, message, sequence=self._sequence, attempt=queued.attempts, at=at)

    def _make_room(self, cycle: Cycle) -> None:
        """PostFilter: the pod fits nowhere, perhaps others can go."""
        if not cycle.framework.post_filter:
            return
        outcome = run_post_filter(cycle.framework, cycle.state, cycle.pod, cycle.diagnosis, cycle.recorder)
        cycle.post_filter = outcome.status
        cycle.diagnosis.post_filter_message = outcome.status.message
        cycle.nominated_node_name = outcome.nominated_node_name
        for detail in outcome.details:
            if isinstance(detail, ClaimDeallocation):
                cycle.deallocation = detail
            if isinstance(detail, PreemptionReport):
                cycle.preemption = detail
                # They may not fit there any more; whoever stores the decision clears their status, too.
                for outranked in detail.nominations_cleared:
                    self.queue.nominator.delete(outranked.uid)

    def _activate(self, cycle: Cycle) -> None:
        """A plugin of a cycle that succeeded wants others to be tried at once."""
        for uid in cycle.state.get(PODS_TO_ACTIVATE, ()):
            self.queue.activate(uid)

    def _requeue(self, cycle: Cycle) -> None:
        """The attempt failed: where the pod waits now depends on who rejected it."""
        back_to_queue(self.queue, cycle.pod, cycle.diagnosis if cycle.fits_nowhere else None, failure_message(cycle))
        if cycle.nominated_node_name == "":
            self.queue.nominator.delete(cycle.pod.uid)
        elif cycle.nominated_node_name is not None:
            self.queue.nominator.add(cycle.pod, cycle.nominated_node_name)

    # --- after the cycle ---

    def binding_finished(self, uid: str, node_name: str, status: Status) -> None:
        """The binding cycle of a placed pod is over. On success the feed will confirm the pod on its node."""
        self._placements.finished(uid, node_name, status)

    # --- time ---

    def tick(self) -> None:
        """What is due by now: backoffs that are over, pods that waited too long, Permit deadlines."""
        self._placements.decide_waiting()
        self.queue.flush_backoff_completed()
        self.queue.flush_unschedulable_left_over()

    def next_wakeup(self) -> float | None:
        """Cluster time of the next thing due by itself."""
        times = (self.queue.next_wakeup(), self.waiting_pods.next_deadline())
        return min((time for time in times if time is not None), default=None)

    def next_pod(self) -> QueuedPod | None:
        """The pod that `schedule_one` would take."""
        return self.queue.peek()

    def has_work(self) -> bool:
        """Whether `schedule_one` would find a pod."""
        return self.queue.has_active()

    def ready_pods(self) -> int:
        """About how many pods `schedule_one` would find, one after the other."""
        return max(len(self.queue.active()), int(self.queue.has_active()))

    # --- reading ---

    def drain_moves(self) -> list[QueueMove]:
        """Queue moves since the last call."""
        return self.queue.drain_moves()

    def drain_changed(self) -> list[str]:
        """Uids of pods whose state in the queue changed since the last call."""
        return self.queue.drain_changed()

    def drain_events(self) -> list[ClusterEventReport]:
        """Events that pods waited for or might have, since the last call."""
        return self.queue.drain_events()

    def drain_counted(self, most: int) -> list[str]:
        """Uids of some pods that did not move, but of which it was counted what did not wake them."""
        return self.queue.drain_counted(most)

    def drain_permit_results(self) -> list[PermitResult]:
        """Waiting pods that were let go or rejected since the last call."""
        self._placements.decide_waiting()
        return self._placements.drain_permit_results()

    def drain_plugin_errors(self) -> list[StatusReport]:
        """What broke where no report can tell it (Unreserve), since the last call."""
        return self._placements.drain_errors()

    def queue_state(self) -> QueueState:
        return self.queue.dump()

    def queued_pod_state(self, uid: str) -> QueuedPodState | None:
        """None: the pod is in no queue."""
        return self.queue.state_of(uid)

    def assumed_pods(self) -> dict[str, AssumedPod]:
        """Placed pods whose binding has not finished, by uid."""
        return self._placements.assumed_pods()

    @property
    def sequence(self) -> int:
        """Of the last cycle."""
        return self._sequence

    def number_from(self, sequence: int) -> None:
        """Let the next cycle have the number after `sequence`: another scheduler has used those before."""
        self._sequence = max(self._sequence, sequence)

    @property
    def next_start(self) -> int:
        """The row at which the next search begins."""
        return self._search.next_start

    # --- making parts ---

    def _new_cycle(self, pod: PodInfo, *, keep_detail: bool, framework: Framework | None = None) -> Cycle:
        framework = framework or self._framework_of(pod)
        return Cycle(framework, pod, self.cache.snapshot, CycleRecorder(self._stopwatch) if keep_detail else None)

    def _framework_of(self, pod: PodInfo) -> Framework:
        try:
            return self.profiles[pod.scheduler_name]
        except KeyError:
            known = ", ".join(self.profiles)
            raise ValueError(f"no profile has the scheduler name {pod.scheduler_name!r}; there is {known}") from None

    def _enough_nodes(self, framework: Framework) -> Enough:
        if not self._sample:
            return _all_nodes
        if not framework.score and not (self._extenders and self._extenders.want_choice):
            return _one_node
        percentage = framework.percentage_of_nodes_to_score
        if percentage is None:
            percentage = self._configuration.percentage_of_nodes_to_score
        return partial(nodes_to_find, percentage=percentage)

    def _new_handle(self) -> FrameworkHandle:
        return FrameworkHandle(
            snapshot=lambda: self.cache.snapshot,
            lister=self.cache.objects,
            now=self._clock.now,
            feature_gates=self._gates,
            random=self._random,
            nominated_pods=lambda: self.queue.nominator,
            waiting_pods=self.waiting_pods,
            group_members=self.cache.group_members,
            reorder=lambda uids: self.queue.reorder(uids),
            extenders=self._extenders,
        )

    def _new_queue(self) -> SchedulingQueue:
        first = next(iter(self.profiles.values()))
        return SchedulingQueue(
            sort_key=queue_order(first),
            clock=self._clock,
            pre_enqueue={name: pre_enqueue_checks(framework) for name, framework in self.profiles.items()},
            registrations={
                name: [
                    (plugin.name, [*plugin.events_to_register(), *plugin.further_events()])
                    for plugin in framework.all_plugins()
                ]
                + ([(EXTENDER, EVERY_EVENT)] if self._extenders else [])
                for name, framework in self.profiles.items()
            },
            initial_backoff=self._configuration.pod_initial_backoff_seconds,
            max_backoff=self._configuration.pod_max_backoff_seconds,
            feature_gates=self._gates,
        )


def _all_nodes(node_count: int) -> int:
    return node_count


def _one_node(_: int) -> int:
    return 1
