"""NodeName: a pod that names a node fits only there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on
from scheduler_core.framework.interface import ALL_FIT, EventRegistration, FilterReads, Plugin, Rows, Verdicts
from scheduler_core.framework.status import unresolvable
from scheduler_core.framework.verdicts import reject_where
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot

OTHER_NODE = unresolvable("node(s) didn't match the requested node name")


class NodeName(Plugin):
    """Compares `spec.nodeName`; a pod that waits to be scheduled seldom has one."""

    name = "NodeName"
    filter_reads = FilterReads.NODE

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        if not pod.node_name:
            return ALL_FIT
        others = np.ones(snapshot.n, dtype=np.bool_)
        if snapshot.has_node(pod.node_name):
            others[snapshot.row_of(pod.node_name)] = False
        return reject_where(others[rows], OTHER_NODE)

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        return (f"name {snapshot.names[row]} in spec.nodeName, or no node at all",)

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (on("Node", "Add"),)
