"""Pods on their way from assumed to bound: Reserve, Permit, the wait, and the end of the binding cycle.

A placed pod has one stack of what to undo, whichever of these steps fails. Once
undone the room it held is free again, and pods that waited for it are told.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import msgspec

from scheduler_core.cache.cache import Cache
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.diagnosis import Diagnosis, fit_error
from scheduler_core.framework.recorder import status_report
from scheduler_core.framework.reserving import UndoStack, check_binding_data, run_permit, run_reserve, run_unreserve
from scheduler_core.framework.runtime import Framework
from scheduler_core.framework.status import Status
from scheduler_core.framework.waiting_pods import WaitingPod, WaitingPods
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.queue.events import ASSIGNED_POD_DELETE
from scheduler_core.queue.scheduling_queue import Clock, SchedulingQueue
from scheduler_core.report import PermitResult, StatusReport
from scheduler_core.scheduler.cycle import Cycle
from scheduler_core.scheduler.event_handlers import assigned
from scheduler_core.scheduler.reporting import failure_reason, pod_ref


class AssumedPod(msgspec.Struct, frozen=True, kw_only=True):
    """What another worker must know of a placed pod to go on with it; JSON."""

    node_name: str
    # The decision that placed it.
    sequence: int
    # Where it waits at Permit: since when, and the deadline of each plugin that has not allowed it yet.
    waiting_since: float = 0.0
    permit_deadlines: dict[str, float] = {}


class _Placed(NamedTuple):
    pod: PodInfo
    node_name: str
    undo: UndoStack
    sequence: int


def back_to_queue(queue: SchedulingQueue, pod: PodInfo, diagnosis: Diagnosis | None, message: str) -> None:
    """The attempt failed; without a diagnosis no plugin rejected the pod, something broke."""
    queue.add_unschedulable_if_not_present(
        pod,
        diagnosis.unschedulable_plugins if diagnosis else (),
        diagnosis.pending_plugins if diagnosis else (),
        message,
        error=diagnosis is None,
    )


class Placements:
    """Of one scheduler."""

    def __init__(self, cache: Cache, queue: SchedulingQueue, waiting_pods: WaitingPods, clock: Clock) -> None:
        self._cache = cache
        self._queue = queue
        self._waiting = waiting_pods
        self._clock = clock
        self.assumes_pods = True
        # By uid, until the binding cycle is over.
        self._placed: dict[str, _Placed] = {}
        self._permit_results: list[PermitResult] = []
        self._errors: list[StatusReport] = []

    def place(self, cycle: Cycle, sequence: int) -> None:
        """Assume the pod on the cycle's node, reserve, ask for permission; a cycle that failed has no node."""
        pod, node_name = cycle.pod, cycle.node_name
        self._assume(cycle.undo, cycle.framework, cycle.state, pod, node_name)
        self._queue.nominator.delete(pod.uid)
        waits: dict[str, float] = {}
        cycle.status = run_reserve(cycle.framework, cycle.state, pod, node_name, cycle.recorder)
        if cycle.status.is_success:
            cycle.status = check_binding_data(cycle.state)
        if cycle.status.is_success:
            cycle.status, waits = run_permit(cycle.framework, cycle.state, pod, node_name, cycle.recorder)
        if not (cycle.status.is_success or cycle.status.is_wait):
            _reject(cycle)
            return
        self._placed[pod.uid] = _Placed(pod, node_name, cycle.undo, sequence)
        if cycle.status.is_wait:
            cycle.permit_deadline = self._wait(pod, node_name, waits)
        self._queue.placed(pod.uid, node_name=node_name, waiting=cycle.status.is_wait)

    def _assume(self, undo: UndoStack, framework: Framework, state: CycleState, pod: PodInfo, node_name: str) -> None:
        if self.assumes_pods:
            self._cache.assume_pod(pod, node_name)
            undo.push(partial(self._cache.forget_pod, pod.uid))
        if framework.reserve:
            undo.push(partial(self._unreserve, framework, state, pod, node_name))

    def _unreserve(self, framework: Framework, state: CycleState, pod: PodInfo, node_name: str) -> None:
        self._errors += map(status_report, run_unreserve(framework, state, pod, node_name))

    def _wait(self, pod: PodInfo, node_name: str, waits: dict[str, float]) -> float:
        now = self._clock.now()
        waiting = WaitingPod(pod, node_name, {plugin: now + seconds for plugin, seconds in waits.items()}, now)
        self._waiting.add(waiting)
        return waiting.deadline

    def finished(self, uid: str, node_name: str, status: Status) -> None:
        """The binding cycle is over."""
        placed = self._placed.pop(uid, None)
        if status.is_success:
            self._queue.bound(uid, node_name)
        elif placed is not None:
            self._fail(placed, status)

    def _fail(self, placed: _Placed, status: Status) -> str:
        """Undo everything, and let others know of the room. Answers with the FailedScheduling text."""
        placed.undo.undo()
        pod = placed.pod
        diagnosis = Diagnosis.of_one_node(status) if status.is_rejected else None
        message = fit_error(diagnosis) if diagnosis else status.message
        gone = assigned(pod.pod, placed.node_name)
        if diagnosis is None:
            self._queue.move_all_to_active_or_backoff(ASSIGNED_POD_DELETE, gone, None)
        back_to_queue(self._queue, pod, diagnosis, message)
        self._queue.nominator.delete(pod.uid)
        if diagnosis is not None:
            # Told after it came back, so that it is not moved by its own going.
            self._queue.move_all_to_active_or_backoff(
                ASSIGNED_POD_DELETE, gone, None, lambda waiting: waiting.uid != pod.uid
            )
        return message

    def decide_waiting(self) -> None:
        """Pods that all plugins allowed go on, those that were rejected or timed out go back."""
        # One that goes back may take others with it (Unreserve), so until nobody is left who need not wait.
        while decided := self._waiting.take_decided(self._clock.now()):
            for waiting, status in decided:
                self._decide(waiting, status)

    def _decide(self, waiting: WaitingPod, status: Status) -> None:
        placed = self._placed[waiting.pod.uid]
        message = ""
        if status.is_success:
            self._queue.allowed(waiting.pod.uid, waiting.node_name)
        else:
            del self._placed[waiting.pod.uid]
            message = self._fail(placed, status)
        self._permit_results.append(_permit_result(waiting, placed.sequence, status, message))

    def stop_waiting(self, uid: str) -> str:
        """The pod is gone: the node it held; "" where it did not wait."""
        waiting = self._waiting.remove(uid)
        if waiting is None:
            return ""
        self._placed.pop(uid).undo.undo()
        self._queue.drop(uid)
        return waiting.node_name

    def resume(self, pod: PodInfo, assumed: AssumedPod, framework: Framework) -> None:
        """Another worker placed the pod."""
        undo = UndoStack()
        self._assume(undo, framework, CycleState(), pod, assumed.node_name)
        self._placed[pod.uid] = _Placed(pod, assumed.node_name, undo, assumed.sequence)
        if assumed.permit_deadlines:
            self._waiting.add(WaitingPod(pod, assumed.node_name, assumed.permit_deadlines, assumed.waiting_since))

    def assumed_pods(self) -> dict[str, AssumedPod]:
        return {uid: self._assumed_pod(uid, placed) for uid, placed in self._placed.items()}

    def _assumed_pod(self, uid: str, placed: _Placed) -> AssumedPod:
        waiting = self._waiting.get(uid)
        return AssumedPod(
            node_name=placed.node_name,
            sequence=placed.sequence,
            waiting_since=waiting.since if waiting else 0.0,
            permit_deadlines=waiting.deadlines if waiting else {},
        )

    def drain_permit_results(self) -> list[PermitResult]:
        results, self._permit_results = self._permit_results, []
        return results

    def drain_errors(self) -> list[StatusReport]:
        errors, self._errors = self._errors, []
        return errors


def _reject(cycle: Cycle) -> None:
    """The chosen node itself turned the pod down."""
    status = cycle.status
    cycle.undo.undo()
    cycle.fail(status)
    cycle.nominated_node_name = ""
    if status.is_rejected:
        cycle.diagnosis = Diagnosis.of_one_node(status)
        cycle.fits_nowhere = True


def _permit_result(waiting: WaitingPod, sequence: int, status: Status, message: str) -> PermitResult:
    return PermitResult(
        pod=pod_ref(waiting.pod),
        node=waiting.node_name,
        sequence=sequence,
        status=status_report(status),
        message=message,
        reason=failure_reason(status),
    )
