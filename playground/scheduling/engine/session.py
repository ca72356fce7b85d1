"""The engine of one scheduler under the lease: follows the feed, runs cycles, tells what came of it.

A session is exact as long as everything it did was stored: the caller stores
each `Slice` before it asks for the next, and throws the session away when that
fails. Built from the database it goes on where the last one stopped. It does
not know which events its predecessor missed, so if objects (or the profiles)
changed in the meantime every waiting pod is worth a new look.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from playground.clusters.models import Change
from playground.common.database import consistent_read
from playground.live.messages import BreakpointHit
from playground.scheduling.engine.breakpoints import Breakpoints
from playground.scheduling.engine.configuration import RunningConfiguration, running_configuration
from playground.scheduling.engine.extender_calls import HttpCaller
from playground.scheduling.engine.following import FollowingEngine, scheduler_by_id
from playground.scheduling.engine.metrics import Counts, count_binding, count_bound, count_slice
from playground.scheduling.engine.slice import Failure, ReadyBinding, Slice
from playground.scheduling.engine.stored import EngineMemory, StoredScheduler, stored_scheduler
from playground.scheduling.models import ClusterScheduler, Decision
from playground.scheduling.selectors.queue import next_answer
from playground.scheduling.selectors.schedulers import others_have_work
from playground.scheduling.translation.cards import pod_ref
from playground.scheduling.translation.reports import decompress_report
from scheduler_core.framework.status import SUCCESS, Code, Status
from scheduler_core.objects.decode import KINDS
from scheduler_core.queue.events import ClusterEvent
from scheduler_core.queue.queued_pod import QueuedPodState
from scheduler_core.report import CycleReport, PermitResult, PodRef

logger = logging.getLogger(__name__)

# A slice ends after so many pods or so much time, whichever comes first.
SLICE_PODS = 128
SLICE_SECONDS = 0.1
# Pods whose rows are written in one slice only because it was counted what did not wake them.
COUNTED_PODS = 200

NO_BREAKPOINTS = Breakpoints()
# Another worker, or a new configuration, takes over the queue: what pods wait for may have come.
TAKEOVER = ClusterEvent("*", "All", "SchedulerTakeover")
# Reasons of condition PodScheduled=False.
UNSCHEDULABLE = "Unschedulable"
SCHEDULER_ERROR = "SchedulerError"
_REJECTIONS = {code.text: code for code in (Code.UNSCHEDULABLE, Code.UNSCHEDULABLE_AND_UNRESOLVABLE, Code.PENDING)}
DELETING = "skip schedule deleting pod"

# Reserves so many numbers for decisions; answers the one before the first of them.
Numbers = Callable[[int], int]


class EngineSession(FollowingEngine):
    """See the module's text. One owner at a time."""

    def __init__(self, row: ClusterScheduler, configuration: RunningConfiguration, generation: int) -> None:
        super().__init__(row, configuration, HttpCaller())
        # Of the lease under which it was built: under another one, somebody else has written meanwhile.
        self.generation = generation
        # The queue as it is stored, by uid.
        self._stored: dict[str, QueuedPodState] = {}
        # Uids whose state may differ from the stored one, beside those the queue says it changed.
        self._unsure: list[str] = []
        # Nodes of pods that wait at Permit or are being bound, by uid.
        self._nodes: dict[str, str] = {}
        # Placed pods held at Permit, by uid.
        self._held: dict[str, ReadyBinding] = {}
        # Profiles of bindings that were sent and not heard of since, by uid. The queue may forget the pod before.
        self._sent: dict[str, str] = {}
        self._failures: list[Failure] = []
        self._counts = Counts()
        # The breakpoint that ended the cycles of this slice, and how often its pod had been tried.
        self._hit: BreakpointHit | None = None
        self._hit_attempts = 0

    @classmethod
    def build(cls, scheduler_id: int, generation: int) -> EngineSession:
        """From the database. Raises NotFound."""
        with consistent_read():
            row = scheduler_by_id(scheduler_id)
            session = cls(row, running_configuration(row), generation)
            session._restore(stored_scheduler(scheduler_id))
        return session

    def run(
        self,
        *,
        steps: int = 0,
        pods: int = SLICE_PODS,
        seconds: float = SLICE_SECONDS,
        numbers: Numbers | None = None,
        breakpoints: Breakpoints = NO_BREAKPOINTS,
    ) -> Slice:
        """What is due, then some cycles: as many as fit into a slice, or `steps` of them while paused.

        Steps that were asked for before the clock ran again count as taken. `numbers` gives numbers to
        decisions where this is not the only scheduler that makes some. The first of the `breakpoints` that is hit
        ends the cycles; single steps are not stopped.
        """
        self.scheduler.tick()
        if numbers is not None:
            pods = self._reserve(numbers, steps if self.clock.is_paused else min(pods, self.scheduler.ready_pods()))
        reports: list[CycleReport] = []
        moved_to: float | None = None
        if self.clock.is_paused:
            for _ in range(steps):
                moved_to = self._jump() or moved_to
                reports += filter(None, [self.scheduler.schedule_one()])
        else:
            reports = self._cycles(pods, time.monotonic() + seconds, breakpoints)
        return self._slice(reports, steps=steps, moved_to=moved_to)

    def binding_told(self, card: Mapping[str, Any]) -> None:
        if card["phase"] in ("bound", "failed"):
            self._count_binding(card)
        if card["phase"] == "bound":
            self._binding_ended(card["pod"]["uid"], card["node"], SUCCESS)
        elif card["phase"] == "failed":
            self._binding_failed(PodRef(**card["pod"]), card["node"], card["message"], card["steps"])

    # Cycles

    def _reserve(self, numbers: Numbers, cycles: int) -> int:
        """So many numbers, for so many cycles at the most."""
        if cycles:
            self.scheduler.number_from(numbers(cycles))
        return cycles

    def _cycles(self, pods: int, deadline: float, breakpoints: Breakpoints) -> list[CycleReport]:
        reports: list[CycleReport] = []
        while len(reports) < pods and time.monotonic() < deadline and not self._stopped_before(breakpoints):
            report = self.scheduler.schedule_one()
            if report is None:
                break
            reports.append(report)
            self._hit = breakpoints.after(report) if breakpoints else None
            if self._hit is not None:
                break
        return reports

    def _stopped_before(self, breakpoints: Breakpoints) -> bool:
        if not breakpoints:
            return False
        queued = self.scheduler.next_pod()
        self._hit = breakpoints.before(queued, self.clock.now())
        self._hit_attempts = queued.attempts if queued is not None else 0
        return self._hit is not None

    def _jump(self) -> float | None:
        """With nothing to pop, let it be the time at which something is due; that time, or None."""
        if self.scheduler.has_work() or others_have_work(scheduler_id=self.scheduler_id, cluster_id=self.cluster_id):
            return None
        due = (self.scheduler.next_wakeup(), next_answer(cluster_id=self.cluster_id, after=self.clock.now()))
        at = min((each for each in due if each is not None), default=None)
        if at is not None:
            self.clock.move_to(at)
            self.scheduler.tick()
        return at

    # What came of it

    def _slice(self, reports: list[CycleReport], *, steps: int, moved_to: float | None) -> Slice:
        bindings = [ready for report in reports if (ready := self._placed(report))]
        bindings += [ready for result in self.scheduler.drain_permit_results() if (ready := self._permit_ended(result))]
        self._sent.update((ready.pod.uid, ready.scheduler_name) for ready in bindings)
        for problem in self.scheduler.drain_plugin_errors():
            logger.error("cluster %s: plugin %s: %s", self.cluster_id, problem.plugin, "; ".join(problem.reasons))
        failures = self._failures + [failure for report in reports if (failure := _failure(report))]
        self._failures = []
        hit, self._hit = self._hit, None
        queued, gone = self._changed_pods()
        moves = self.scheduler.drain_moves()
        count_slice(self._counts, reports, moves)
        return Slice(
            reports=reports,
            failures=failures,
            bindings=bindings,
            moves=moves,
            events=self.scheduler.drain_events(),
            queued=queued,
            counted=self._counted_pods(queued),
            nodes=dict(self._nodes),
            gone=gone,
            feed_version=self.version,
            last_sequence=self.scheduler.sequence,
            next_wakeup=self.scheduler.next_wakeup(),
            has_work=self.scheduler.has_work(),
            hit=hit,
            hit_attempts=self._hit_attempts,
            steps=steps,
            clock_moved_to=moved_to,
            memory=self._memory(),
            counts=self._counts,
        )

    def _placed(self, report: CycleReport) -> ReadyBinding | None:
        """Remembers the node of a placed pod; its binding, if that can start at once."""
        if report.outcome not in ("scheduled", "waiting"):
            return None
        self._nodes[report.pod.uid] = report.node
        ready = _ready_binding(report)
        if report.outcome == "scheduled":
            return ready
        self._held[report.pod.uid] = ready
        return None

    def _permit_ended(self, result: PermitResult) -> ReadyBinding | None:
        held = self._held.pop(result.pod.uid, None)
        if result.status.code == Code.SUCCESS.text:
            return held or self._held_before(result.sequence)
        queued = self.scheduler.queue.get(result.pod.uid)
        if queued is not None:
            self._fail(result.pod, queued.pod.scheduler_name, result.reason, result.message)
        return None

    def _held_before(self, sequence: int) -> ReadyBinding:
        """A pod that a predecessor placed: its decision tells all."""
        row = Decision.objects.get(cluster_id=self.cluster_id, sequence=sequence)
        return _ready_binding(decompress_report(bytes(row.report)))

    def _binding_ended(self, uid: str, node: str, status: Status) -> str | None:
        """The profile that sent it; None: it is not a binding of ours."""
        profile = self._sent.pop(uid, None)
        if profile is not None:
            self.scheduler.binding_finished(uid, node, status)
        return profile

    def _binding_failed(self, pod: PodRef, node: str, message: str, steps: Sequence[Mapping[str, Any]]) -> None:
        status = failed_binding_status(message, steps)
        profile = self._binding_ended(pod.uid, node, status)
        if profile is not None:
            self._fail(pod, profile, UNSCHEDULABLE if status.is_rejected else SCHEDULER_ERROR, message)

    def _fail(self, pod: PodRef, profile: str, reason: str, message: str) -> None:
        """As kube-scheduler, an event for whatever became of the pod; a condition only while it is pending."""
        is_pending = self.scheduler.queue.get(pod.uid) is not None
        self._failures.append(
            Failure(
                pod=pod,
                scheduler_name=profile,
                reason=reason if is_pending else "",
                message=message,
                nominated_node_name="",
            )
        )

    def _changed_pods(self) -> tuple[list[QueuedPodState], list[str]]:
        """Pods that stand elsewhere than stored, and uids of stored ones that are gone."""
        queued: list[QueuedPodState] = []
        gone: list[str] = []
        unsure, self._unsure = self._unsure, []
        for uid in dict.fromkeys([*unsure, *self.scheduler.drain_changed()]):
            state = self.scheduler.queued_pod_state(uid)
            if state is None:
                self._nodes.pop(uid, None)
                if self._stored.pop(uid, None) is not None:
                    gone.append(uid)
            elif state != self._stored.get(uid):
                self._stored[uid] = state
                queued.append(state)
            if state is not None and state.queue not in ("waiting", "binding"):
                self._nodes.pop(uid, None)
        return queued, gone

    def _counted_pods(self, queued: Sequence[QueuedPodState]) -> list[QueuedPodState]:
        told = {state.pod.uid for state in queued}
        uids = [uid for uid in self.scheduler.drain_counted(COUNTED_PODS) if uid not in told and uid in self._stored]
        states = [state for uid in uids if (state := self.scheduler.queued_pod_state(uid)) is not None]
        self._stored.update((state.pod.uid, state) for state in states)
        return states

    def _count_binding(self, card: Mapping[str, Any]) -> None:
        """The feed shows the pod on its node before it tells of the binding: the queue has forgotten it by then."""
        uid = card["pod"]["uid"]
        state = self._stored.get(uid)
        known = self.scheduler.queue.get(uid) or self.scheduler.cache.placement(uid)
        if state is None or known is None or uid not in self._nodes:
            return
        bound, ended_at = card["phase"] == "bound", card.get("ended_at") or card["at"]
        count_binding(self._counts, profile=known.pod.scheduler_name, seconds=ended_at - card["at"], bound=bound)
        if bound and state.initial_attempt_at is not None:
            count_bound(self._counts, attempts=state.attempts, seconds=ended_at - state.initial_attempt_at)

    def _memory(self) -> EngineMemory:
        waiting = {uid: pod for uid, pod in self.scheduler.assumed_pods().items() if pod.permit_deadlines}
        return EngineMemory(revision=self.revision, next_start=self.scheduler.next_start, waiting=waiting)

    # Going on where another stopped

    def _restore(self, stored: StoredScheduler) -> None:
        assumed = stored.assumed
        self._counts = stored.counts
        self._stored = {state.pod.uid: state for state in stored.queue}
        self._unsure = list(self._stored)
        self._nodes = {uid: pod.node_name for uid, pod in assumed.items()}
        self.scheduler.restore(
            self.stored_objects(),
            stored.queue_state,
            assumed,
            sequence=stored.last_sequence,
            next_start=stored.memory.next_start,
        )
        self._sent = {row.pod_uid: row.scheduler_name for row in stored.bindings}
        for row in stored.failed:
            self._binding_failed(pod_ref(row), row.node, row.message, row.steps)
        if stored.queue and (stored.memory.revision != self.revision or self._missed_changes(stored)):
            self.scheduler.queue.move_all_to_active_or_backoff(TAKEOVER)

    def _missed_changes(self, stored: StoredScheduler) -> bool:
        missed = Change.objects.filter(cluster_id=self.cluster_id, version__gt=stored.feed_version, topic="object")
        return missed.filter(kind__in=list(KINDS)).exists()


def _ready_binding(report: CycleReport) -> ReadyBinding:
    return ReadyBinding(
        pod=report.pod,
        node=report.node,
        scheduler_name=report.scheduler_name,
        sequence=report.sequence,
        at=report.at,
        binding_data=report.binding_data,
    )


def failed_binding_status(message: str, steps: Sequence[Mapping[str, Any]]) -> Status:
    """How a binding cycle ended: rejected by a plugin (its last step says so), or with an error."""
    last = steps[-1]["status"] if steps else {}
    rejection = _REJECTIONS.get(last.get("code", ""))
    if rejection is None:
        return Status(Code.ERROR, (message,))
    return Status(rejection, tuple(last.get("reasons", ())), last.get("plugin") or steps[-1]["plugin"])


def _failure(report: CycleReport) -> Failure | None:
    """What a cycle that placed nothing has to tell of its pod."""
    is_told = report.outcome in ("unschedulable", "error") or report.message.startswith(DELETING)
    if not is_told:
        return None
    return Failure(
        pod=report.pod,
        scheduler_name=report.scheduler_name,
        reason=report.reason,
        message=report.message,
        nominated_node_name=report.nominated_node_name,
    )
