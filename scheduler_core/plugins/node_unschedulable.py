"""NodeUnschedulable: a cordoned node takes only pods that tolerate being there."""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import (
    ALL_FIT,
    EventRegistration,
    FilterReads,
    Handle,
    HintAnswer,
    Plugin,
    Rows,
    Verdicts,
)
from scheduler_core.framework.memo import GenerationMemo
from scheduler_core.framework.status import unresolvable
from scheduler_core.framework.verdicts import reject_where
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.taints import NO_SCHEDULE, UNSCHEDULABLE_TAINT_KEY, Taint, is_tolerated
from scheduler_core.snapshot.snapshot import Snapshot

UNSCHEDULABLE = unresolvable("node(s) were unschedulable")

_CORDON = Taint(key=UNSCHEDULABLE_TAINT_KEY, effect=NO_SCHEDULE)


class NodeUnschedulable(Plugin):
    """Rejects cordoned nodes, unless the taint a cordon stands for is tolerated."""

    name = "NodeUnschedulable"
    filter_reads = FilterReads.NODE

    def __init__(self, args: object, handle: Handle) -> None:
        super().__init__(args, handle)
        self._any_cordoned: GenerationMemo[bool] = GenerationMemo()

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        if not self._is_any_cordoned(snapshot) or _tolerates_cordon(pod.pod):
            return ALL_FIT
        return reject_where(snapshot.unschedulable[rows], UNSCHEDULABLE)

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        return ("uncordon the node", f"tolerate {_CORDON}")

    def _is_any_cordoned(self, snapshot: Snapshot) -> bool:
        known = self._any_cordoned.get(snapshot.node_generation, None)
        if known is None:
            known = self._any_cordoned.put(snapshot.node_generation, None, bool(snapshot.unschedulable.any()))
        return known

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (
            on("Node", "Add", "UpdateNodeTaint", hint=self._node_changed),
            on("Pod", "UpdatePodToleration", hint=self._toleration_changed),
        )

    def _node_changed(self, pod: PodInfo, old: Node | None, new: Node | None) -> HintAnswer:
        was_open = old is not None and not old.spec.unschedulable
        if new is not None and not new.spec.unschedulable and not was_open:
            return queue("the node takes pods now")
        return skip("the node takes pods no more than before")

    def _toleration_changed(self, pod: PodInfo, old: Pod | None, new: Pod | None) -> HintAnswer:
        if new is None or PodInfo(new).uid != pod.uid:
            return skip("another pod's tolerations changed")
        if _tolerates_cordon(new):
            return queue("the pod tolerates cordoned nodes now")
        return skip("the pod still does not tolerate cordoned nodes")


def _tolerates_cordon(pod: Pod) -> bool:
    return is_tolerated(_CORDON, pod.spec.tolerations)
