"""SchedulingGates: a pod with gates does not enter activeQ until the last one is removed."""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import EventRegistration, HintAnswer, Plugin
from scheduler_core.framework.status import SUCCESS, Status, unresolvable
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo


class SchedulingGates(Plugin):
    """Holds gated pods back, without an attempt."""

    name = "SchedulingGates"

    def pre_enqueue(self, pod: PodInfo) -> Status:
        gates = pod.pod.spec.scheduling_gates
        if not gates:
            return SUCCESS
        return unresolvable(f"waiting for scheduling gates: [{' '.join(gate.name for gate in gates)}]")

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (on("Pod", "UpdatePodSchedulingGatesEliminated", hint=self._gates_eliminated),)

    def _gates_eliminated(self, pod: PodInfo, old: Pod | None, new: Pod | None) -> HintAnswer:
        if new is not None and PodInfo(new).uid != pod.uid:
            return skip("the gates of another pod were removed")
        return queue("its last scheduling gate was removed")
