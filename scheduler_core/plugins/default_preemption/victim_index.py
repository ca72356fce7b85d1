"""The pods of each node by importance, with their numbers, kept until they change.

Sorting a node's pods and adding up their requests costs more than the whole
arithmetic of trying the node, and between two preemptions few nodes change.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.default_preemption.importance import by_importance, start_time
from scheduler_core.snapshot.node_row import NodeRow
from scheduler_core.snapshot.snapshot import Snapshot


class NodePods:
    """The m pods of one node, most important first."""

    __slots__ = ("_negative_priorities", "pods", "priorities", "requests", "starts")

    def __init__(self, snapshot: Snapshot, pods: Sequence[PodInfo]) -> None:
        self.pods = by_importance(pods)
        # Ascending.
        self._negative_priorities = [-pod.priority for pod in self.pods]
        # Shape (m,).
        self.priorities = np.array([pod.priority for pod in self.pods], dtype=np.int64)
        self.starts = np.array([start_time(pod) for pod in self.pods], dtype=np.float64)
        # Shape (m, resources).
        self.requests = np.zeros((len(self.pods), len(snapshot.resource_names)), dtype=np.int64)
        for i, pod in enumerate(self.pods):
            self.requests[i] = snapshot.request_vector(pod)

    def first_below(self, priority: int) -> int:
        """Index of the first pod of lower priority; all behind it are, too."""
        return bisect_right(self._negative_priorities, -priority)


class VictimIndex:
    """NodePods by node."""

    def __init__(self) -> None:
        self._by_node: dict[NodeRow, NodePods] = {}
        self._pod_generation = -1
        self._resources = 0

    def of_rows(self, snapshot: Snapshot, rows: NDArray[np.intp]) -> list[NodePods]:
        self._catch_up(snapshot)
        return [self._of(snapshot, snapshot.records[row]) for row in rows.tolist()]

    def _of(self, snapshot: Snapshot, record: NodeRow) -> NodePods:
        found = self._by_node.get(record)
        if found is None:
            found = self._by_node[record] = NodePods(snapshot, list(record.pods.values()))
        return found

    def _catch_up(self, snapshot: Snapshot) -> None:
        changed = snapshot.changed_rows(self._pod_generation) if self._pod_generation >= 0 else None
        resources = len(snapshot.resource_names)
        # Nodes that went are not told; they are few, until they are not.
        if changed is None or resources != self._resources or len(self._by_node) > 2 * snapshot.n:
            self._by_node.clear()
        else:
            for row in changed.tolist():
                self._by_node.pop(snapshot.records[row], None)
        self._pod_generation, self._resources = snapshot.pod_generation, resources
