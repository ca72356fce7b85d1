"""One node of the snapshot as a plugin written node by node sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scheduler_core.objects.node import Node
    from scheduler_core.objects.pod_info import PodInfo
    from scheduler_core.objects.taints import Taint
    from scheduler_core.snapshot.node_row import NodeRow
    from scheduler_core.snapshot.snapshot import Snapshot


class NodeView:
    """Reads the columns of one row; valid within the cycle that got it."""

    __slots__ = ("_record", "_snapshot")

    def __init__(self, snapshot: Snapshot, record: NodeRow) -> None:
        self._snapshot = snapshot
        self._record = record

    def __repr__(self) -> str:
        return f"NodeView({self.name!r})"

    @property
    def name(self) -> str:
        return self._record.name

    @property
    def node(self) -> Node:
        return self._record.node

    @property
    def row(self) -> int:
        return self._record.row

    @property
    def labels(self) -> Mapping[str, str]:
        return self._record.node.labels

    @property
    def taints(self) -> tuple[Taint, ...]:
        return self._record.node.spec.taints

    @property
    def pods(self) -> list[PodInfo]:
        """The pods on the node, in the order they came."""
        return list(self._record.pods.values())

    def allocatable(self, resource: str) -> int:
        """Millicores of cpu, whole units of anything else."""
        # The index first: a resource that nobody had so far makes the columns longer.
        index = self._snapshot.resource_index(resource)
        return self._snapshot.allocatable.item(index, self._record.row)

    def requested(self, resource: str) -> int:
        index = self._snapshot.resource_index(resource)
        return self._snapshot.requested.item(index, self._record.row)

    def free(self, resource: str) -> int:
        return self.allocatable(resource) - self.requested(resource)
