"""ReserveGPUNodes: nodes with a costly resource are kept for pods that ask for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import (
    NOTHING_TO_FILTER,
    EventRegistration,
    FilterReads,
    HintAnswer,
    Plugin,
    PreFilterResult,
    Rows,
    Verdicts,
)
from scheduler_core.framework.status import Status, unresolvable
from scheduler_core.framework.verdicts import reject_where
from scheduler_core.objects.label_selector import is_qualified_name
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.args import PluginArgs
from scheduler_core.snapshot.snapshot import Snapshot


class ReserveGPUNodesArgs(PluginArgs, frozen=True, kw_only=True):
    resource_name: str = "nvidia.com/gpu"

    def validate(self) -> Iterator[tuple[str, str]]:
        if not is_qualified_name(self.resource_name):
            yield "resourceName", f"{self.resource_name!r} is not the name of a resource"


class ReserveGPUNodes(Plugin):
    """What taints and tolerations are used for, without either."""

    name = "ReserveGPUNodes"
    args_type = ReserveGPUNodesArgs
    filter_reads = FilterReads.NODE

    @property
    def _kept(self) -> Status:
        return unresolvable(f"node(s) were kept for pods that ask for {self.args.resource_name}")

    def pre_filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot) -> PreFilterResult:
        return NOTHING_TO_FILTER if pod.requests.get(self.args.resource_name) else PreFilterResult()

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        index = snapshot.resource_index(self.args.resource_name)
        return reject_where(snapshot.allocatable[index, rows] > 0, self._kept)

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        return (f"request {self.args.resource_name}", f"use a node without {self.args.resource_name}")

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (on("Node", "Add", "UpdateNodeAllocatable", hint=self._node_changed),)

    def _node_changed(self, pod: PodInfo, old: Node | None, new: Node | None) -> HintAnswer:
        if new is not None and not new.allocatable.get(self.args.resource_name):
            return queue(f"the node has no {self.args.resource_name}")
        return skip(f"the node is kept for pods that ask for {self.args.resource_name}")
