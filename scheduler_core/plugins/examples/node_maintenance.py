"""NodeMaintenance: no new pods on a node that carries a certain label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import EventRegistration, FilterReads, HintAnswer, PerNodePlugin
from scheduler_core.framework.status import SUCCESS, Status, unresolvable
from scheduler_core.objects.label_selector import is_qualified_name
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.args import PluginArgs
from scheduler_core.snapshot.node_view import NodeView
from scheduler_core.snapshot.snapshot import Snapshot

UNDER_MAINTENANCE = unresolvable("node(s) were under maintenance")


class NodeMaintenanceArgs(PluginArgs, frozen=True, kw_only=True):
    # A node with this label and value takes no new pods.
    label: str = "maintenance"
    value: str = "true"

    def validate(self) -> Iterator[tuple[str, str]]:
        if not is_qualified_name(self.label):
            yield "label", f"{self.label!r} is not the key of a label"


class NodeMaintenance(PerNodePlugin):
    """Like a cordon, but by a label, which people and scripts may set without more rights."""

    name = "NodeMaintenance"
    args_type = NodeMaintenanceArgs
    filter_reads = FilterReads.NODE

    def filter_node(self, pod: PodInfo, node: NodeView) -> Status:
        return UNDER_MAINTENANCE if node.labels.get(self.args.label) == self.args.value else SUCCESS

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        return (f"take the label {self.args.label}={self.args.value} off the node",)

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (on("Node", "Add", "UpdateNodeLabel", hint=self._node_changed),)

    def _node_changed(self, pod: PodInfo, old: Node | None, new: Node | None) -> HintAnswer:
        if new is not None and new.labels.get(self.args.label) != self.args.value:
            return queue("the node is not under maintenance")
        return skip("the node is under maintenance")
