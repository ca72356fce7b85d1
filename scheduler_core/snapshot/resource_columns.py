"""What nodes have and what their pods ask for, a row of numbers a resource.

cpu is in millicores, everything else in whole units. Resources get their index
when they are first seen on a node or a pod; the first three are always there.
`free` is kept beside `requested` so that Filter needs one comparison.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scheduler_core.objects.requests import CPU, EPHEMERAL_STORAGE, MEMORY, PODS, quantity_value
from scheduler_core.snapshot.node_row import NodeRow, permuted, resized

if TYPE_CHECKING:
    from scheduler_core.objects.node import Node
    from scheduler_core.objects.pod_info import PodInfo

FIXED_RESOURCES = (CPU, MEMORY, EPHEMERAL_STORAGE)
_MEMO_LIMIT = 4096


# Rows of the matrix of sums before the resources: pods, scoring's cpu, scoring's memory.
_FIRST_RESOURCE = 3
_MAX_INT64 = 2**63 - 1


def _int64(amount: int) -> int:
    return max(-_MAX_INT64, min(_MAX_INT64, amount))


def node_amounts(node: Node) -> dict[str, int]:
    """What the node has to give, in canonical integers."""
    return {name: _int64(quantity_value(name, each)) for name, each in node.status.allocatable.items()}


class ResourceColumns:
    """Columns of numbers; all that a pod changes is in one matrix, so that a pod is one addition."""

    def __init__(self) -> None:
        self.names: list[str] = list(FIXED_RESOURCES)
        self.index: dict[str, int] = {name: i for i, name in enumerate(self.names)}
        # Shape (resources, capacity).
        self.allocatable = np.zeros((len(self.names), 0), dtype=np.int64)
        # Shape (capacity,).
        self.allowed_pods = np.zeros(0, dtype=np.int64)
        # Shape (3 + 2 * resources, capacity): pods; scoring's cpu and memory; requested; free.
        self._sums = np.zeros((_FIRST_RESOURCE + 2 * len(self.names), 0), dtype=np.int64)
        # What one pod adds to `_sums`, by pod class.
        self._deltas: dict[bytes, NDArray[np.int64]] = {}

    @property
    def pod_count(self) -> NDArray[np.int64]:
        """Shape (capacity,)."""
        count: NDArray[np.int64] = self._sums[0]
        return count

    @property
    def scoring_requested(self) -> NDArray[np.int64]:
        """Shape (2, capacity): cpu and memory with scoring's defaults for containers without a request."""
        return self._sums[1:_FIRST_RESOURCE]

    @property
    def requested(self) -> NDArray[np.int64]:
        """Shape (resources, capacity)."""
        return self._sums[_FIRST_RESOURCE : _FIRST_RESOURCE + len(self.names)]

    @property
    def free(self) -> NDArray[np.int64]:
        """Shape (resources, capacity): allocatable - requested."""
        return self._sums[_FIRST_RESOURCE + len(self.names) :]

    def resource_index(self, name: str) -> int:
        """The row of a resource; a resource never seen before gets one."""
        found = self.index.get(name)
        return self._register(name) if found is None else found

    def vector(self, pod: PodInfo) -> NDArray[np.int64]:
        """The pod's requests as one number a resource, shape (resources,)."""
        return self._delta(pod)[_FIRST_RESOURCE : _FIRST_RESOURCE + len(self.names)]

    def _register(self, name: str) -> int:
        empty = np.zeros((1, self.allocatable.shape[1]), dtype=np.int64)
        fixed = self._sums[:_FIRST_RESOURCE]
        self._sums = np.vstack([fixed, self.requested, empty, self.free, empty])
        self.allocatable = np.vstack([self.allocatable, empty])
        self.index[name] = len(self.names)
        self.names.append(name)
        self._deltas.clear()
        return self.index[name]

    def _delta(self, pod: PodInfo) -> NDArray[np.int64]:
        delta = self._deltas.get(pod.class_key)
        if delta is None:
            if len(self._deltas) >= _MEMO_LIMIT:
                self._deltas.clear()
            delta = self._deltas[pod.class_key] = self._build_delta(pod)
        return delta

    def _build_delta(self, pod: PodInfo) -> NDArray[np.int64]:
        indexes = {self.resource_index(name): amount for name, amount in pod.requests.items() if amount}
        requests = np.zeros(len(self.names), dtype=np.int64)
        for index, amount in indexes.items():
            requests[index] = _int64(amount)
        scoring = [_int64(amount) for amount in pod.scoring_requests]
        return np.concatenate([[1], scoring, requests, -requests])

    def resize(self, capacity: int) -> None:
        self.allocatable = resized(self.allocatable, capacity)
        self.allowed_pods = resized(self.allowed_pods, capacity)
        self._sums = resized(self._sums, capacity)

    def permute(self, old_rows: NDArray[np.intp]) -> None:
        self.allocatable = permuted(self.allocatable, old_rows)
        self.allowed_pods = permuted(self.allowed_pods, old_rows)
        self._sums = permuted(self._sums, old_rows)

    def node_set(self, record: NodeRow) -> None:
        row, amounts = record.row, node_amounts(record.node)
        indexes = {self.resource_index(name): amount for name, amount in amounts.items() if name != PODS}
        self.allocatable[:, row] = 0
        for index, amount in indexes.items():
            self.allocatable[index, row] = amount
        self.allowed_pods[row] = amounts.get(PODS, 0)
        self.free[:, row] = self.allocatable[:, row] - self.requested[:, row]

    def node_added(self, record: NodeRow) -> None:
        """A fresh row: no pods yet."""
        self._sums[:, record.row] = 0

    def node_cleared(self, record: NodeRow) -> None:
        """Nothing is counted across rows."""

    def pod_added(self, record: NodeRow, pod: PodInfo) -> None:
        # First the delta: a new resource makes a new matrix.
        delta = self._delta(pod)
        sums = self._sums[:, record.row]
        sums += delta

    def pod_removed(self, record: NodeRow, pod: PodInfo) -> None:
        delta = self._delta(pod)
        sums = self._sums[:, record.row]
        sums -= delta
