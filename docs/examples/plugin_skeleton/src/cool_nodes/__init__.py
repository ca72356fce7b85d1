"""CoolNodes: no pods on nodes that are too warm, and rather on the coldest.

A node says how warm it is in a label, `temperature: "38"`. Read from top to
bottom: reasons, arguments, and the methods in the order a cycle calls them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import EventRegistration, FilterReads, HintAnswer, PerNodePlugin
from scheduler_core.framework.status import SUCCESS, Status, unresolvable
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.snapshot.node_view import NodeView
from scheduler_core.snapshot.snapshot import Snapshot

TOO_WARM = unresolvable("node(s) were too warm")
LABEL = "temperature"


class CoolNodesArgs(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """`pluginConfig` of a profile: each argument has a default."""

    # Degrees; a node that is warmer takes no new pods.
    max_temperature: int = 60

    def validate(self) -> Iterator[tuple[str, str]]:
        """Field and message of whatever is wrong."""
        if not 0 < self.max_temperature <= 120:
            yield "maxTemperature", f"{self.max_temperature} is not between 1 and 120 degrees"


class CoolNodes(PerNodePlugin):
    """Nodes without the label count as cold."""

    name = "CoolNodes"
    args_type = CoolNodesArgs
    # Filter looks at nothing but the node, so that preemption can be computed for many nodes at once.
    filter_reads = FilterReads.NODE

    def filter_node(self, pod: PodInfo, node: NodeView) -> Status:
        return TOO_WARM if temperature(node.labels) > self.args.max_temperature else SUCCESS

    def score_node(self, pod: PodInfo, node: NodeView) -> int:
        """100 for a node at 0 degrees, 0 at the highest that is allowed."""
        warmth = min(max(temperature(node.labels), 0), self.args.max_temperature)
        return 100 - 100 * warmth // self.args.max_temperature

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        """Shown to people who ask what would have to change."""
        return (f"cool the node down to {self.args.max_temperature} degrees",)

    def events_to_register(self) -> Sequence[EventRegistration]:
        """What may make a rejected pod schedulable; without it only a flush after five minutes brings it back."""
        return (on("Node", "Add", "UpdateNodeLabel", hint=self._node_changed),)

    def _node_changed(self, pod: PodInfo, old: Node | None, new: Node | None) -> HintAnswer:
        if new is not None and temperature(new.labels) <= self.args.max_temperature:
            return queue("the node is cool enough")
        return skip("the node is still too warm")


def temperature(labels: Mapping[str, str]) -> int:
    """0 where the label is missing or no number."""
    text = labels.get(LABEL, "")
    return int(text) if text.isdecimal() else 0
