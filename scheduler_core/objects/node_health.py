"""Whether a node's kubelet runs, and the conditions it reports.

Nobody sends heartbeats here: a kubelet is taken to run unless its node carries
the annotation below, whose value is the cluster time at which it stopped.
"""

from __future__ import annotations

from scheduler_core.objects.manifest import Manifest, annotations_of
from scheduler_core.objects.timestamps import parse_timestamp

KUBELET_STOPPED = "scheduling-playground/kubelet-stopped-at"
# Condition -> its status, reason and message while all is well.
HEALTHY = {
    "MemoryPressure": ("False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    "DiskPressure": ("False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    "PIDPressure": ("False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    "Ready": ("True", "KubeletReady", "kubelet is posting ready status"),
}


def kubelet_stopped_at(node: Manifest) -> float | None:
    """Cluster time; None: it runs. What is no time counts as long ago."""
    text = annotations_of(node).get(KUBELET_STOPPED)
    if text is None:
        return None
    try:
        return parse_timestamp(text) or 0.0
    except ValueError:
        return 0.0


def kubelet_runs(node: Manifest) -> bool:
    return KUBELET_STOPPED not in annotations_of(node)
