"""InstanceType: some families of machines are liked better than others."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.framework.interface import Handle, PerNodePlugin
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.args import PluginArgs
from scheduler_core.snapshot.node_view import NodeView

INSTANCE_TYPE_LABEL = "node.kubernetes.io/instance-type"
MAX_SCORE = 100


class InstanceTypeArgs(PluginArgs, frozen=True, kw_only=True):
    # From the best to the worst; what comes before the dot of an instance type.
    families: tuple[str, ...] = ("c5", "m5", "r5")

    def validate(self) -> Iterator[tuple[str, str]]:
        if not self.families:
            yield "families", "name at least one family"
        if len(set(self.families)) < len(self.families):
            yield "families", "a family is named twice"


class InstanceType(PerNodePlugin):
    """100 for the first family, less for each that follows, 0 for any other."""

    name = "InstanceType"
    args_type = InstanceTypeArgs

    def __init__(self, args: InstanceTypeArgs, handle: Handle) -> None:
        super().__init__(args, handle)
        count = len(args.families)
        self._scores = {family: MAX_SCORE * (count - place) // count for place, family in enumerate(args.families)}

    def score_node(self, pod: PodInfo, node: NodeView) -> int:
        family, _, _ = node.labels.get(INSTANCE_TYPE_LABEL, "").partition(".")
        return self._scores.get(family, 0)
