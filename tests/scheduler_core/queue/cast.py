"""A queue with two plugins one can steer: Fit hears of nodes and deleted pods, Claims of claims."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.framework.events import on
from scheduler_core.framework.interface import HintAnswer, QueueingHint
from scheduler_core.framework.status import SUCCESS, Status, unresolvable
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.queue.queued_pod import QueuedPod
from scheduler_core.queue.scheduling_queue import SchedulingQueue
from scheduler_core.testing import FakeClock, make_pod

FIT = "Fit"
CLAIMS = "Claims"
GATES = "Gates"
PROFILE = "default-scheduler"


class Hints:
    """What the hint functions answer, and how often they were asked."""

    def __init__(self) -> None:
        self.answer = HintAnswer(QueueingHint.QUEUE, "it has room")
        self.asked = 0
        self.fail = False

    def __call__(self, pod: PodInfo, old: Any, new: Any) -> HintAnswer:
        self.asked += 1
        if self.fail:
            raise RuntimeError("boom")
        return self.answer

    def skip(self, reason: str = "too small") -> None:
        self.answer = HintAnswer(QueueingHint.QUEUE_SKIP, reason)


def gates(pod: PodInfo) -> Status:
    return unresolvable("waiting for a gate") if pod.pod.spec.scheduling_gates else SUCCESS


class Cast:
    """A queue, its clock, and short words for what happens to it."""

    def __init__(self, feature_gates: Mapping[str, bool] | None = None, **options: Any) -> None:
        self.clock = FakeClock(start=1000.0)
        self.hints = Hints()
        self.queue = SchedulingQueue(
            sort_key=lambda pod, enqueued_at, first_active_at: (-pod.priority, enqueued_at),
            clock=self.clock,
            pre_enqueue={PROFILE: [(GATES, gates)]},
            registrations={
                PROFILE: [
                    (GATES, [on("Pod", "UpdatePodSchedulingGatesEliminated")]),
                    (FIT, [on("Node", "Add", "UpdateNodeAllocatable", hint=self.hints), on("Pod", "Delete")]),
                    (CLAIMS, [on("PersistentVolumeClaim", "Add", "Update")]),
                ]
            },
            feature_gates=feature_gates,
            **options,
        )

    def add(self, name: str, priority: int = 0) -> PodInfo:
        pod = make_pod(name).priority(priority).pod_info()
        self.queue.add(pod)
        return pod

    def pop(self) -> QueuedPod:
        queued = self.queue.pop()
        assert queued is not None, "there is no pod to pop"
        return queued

    def reject(self, name: str = "web", by: str = FIT) -> QueuedPod:
        """Adds a pod that is tried and rejected at once."""
        self.add(name)
        return self.reject_next(by)

    def reject_next(self, by: str = FIT) -> QueuedPod:
        queued = self.pop()
        self.queue.add_unschedulable_if_not_present(queued.pod, [by], message="no")
        return queued

    def break_next(self) -> QueuedPod:
        """The next attempt ends with an error."""
        queued = self.pop()
        self.queue.add_unschedulable_if_not_present(queued.pod, message="broken", error=True)
        return queued

    def place_of(self, queued: QueuedPod) -> str:
        return queued.queue

    def tick(self, seconds: float = 0.0) -> None:
        self.clock.advance(seconds)
        self.queue.flush_backoff_completed()
        self.queue.flush_unschedulable_left_over()

    def names(self, pods: list[QueuedPod]) -> list[str]:
        return [queued.pod.name for queued in pods]
