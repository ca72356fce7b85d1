"""The example plugins once more, as far as an expression about one node can say the same."""

from __future__ import annotations

from typing import NamedTuple

from scheduler_core.plugins.cel.plugin import CelPluginDefinition


class CelExample(NamedTuple):
    definition: CelPluginDefinition
    # What it does, in a sentence.
    description: str


CEL_EXAMPLES = (
    CelExample(
        CelPluginDefinition(
            name="InstanceTypeScore",
            score=(
                'node.labels[?"node.kubernetes.io/instance-type"].orValue("").startsWith("c5.") ? 100 :\n'
                'node.labels[?"node.kubernetes.io/instance-type"].orValue("").startsWith("m5.") ? 66 :\n'
                'node.labels[?"node.kubernetes.io/instance-type"].orValue("").startsWith("r5.") ? 33 : 0'
            ),
        ),
        "Machines of the family c5 are best, then m5, then r5.",
    ),
    CelExample(
        CelPluginDefinition(
            name="SpreadAlike",
            score="100 - math.least(100, 20 * node.pods.filter(p, p.labels == pod.labels).size())",
        ),
        "The fewer pods with the same labels are on a node, the better. (An expression sees one node, not its zone; "
        "the plugin ZoneBalance does it by zone.)",
    ),
    CelExample(
        CelPluginDefinition(
            name="LifecycleScore",
            score=(
                '"lifecycle-preference" in pod.labels &&\n'
                'node.labels[?"lifecycle"].orValue("") == pod.labels["lifecycle-preference"] ? 100 : 0'
            ),
        ),
        "A pod with the label lifecycle-preference, spot or on-demand, is rather put on nodes of that lifecycle.",
    ),
    CelExample(
        CelPluginDefinition(
            name="KeepGPUNodes",
            filter='"nvidia.com/gpu" in pod.requests || !("nvidia.com/gpu" in node.allocatable)',
            message="node(s) were kept for pods that ask for a GPU",
        ),
        "Nodes with GPUs take only pods that ask for one.",
    ),
    CelExample(
        CelPluginDefinition(
            name="NotUnderMaintenance",
            filter='node.labels[?"maintenance"].orValue("") != "true"',
            message="node(s) were under maintenance",
        ),
        "No new pods on nodes with the label maintenance=true.",
    ),
    CelExample(
        CelPluginDefinition(
            name="FreeCPU",
            score='(node.allocatable["cpu"] - node.requested["cpu"]) * 100 / node.allocatable["cpu"]',
        ),
        "The larger the part of a node's CPU that nobody asked for, the better.",
    ),
)
