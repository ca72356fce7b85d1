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


_MAX_INT64 = 2**63 - 1


def _int64(amount: int) -> int:
    return max(-_MAX_INT64, min(_MAX_INT64, amount))


def node_amounts(node: Node) -> dict[str, int]:
    """What the node has to give, in canonical integers."""
    return {name: _int64(quantity_value(name, each)) for name, each in node.status.allocatable.items()}


class ResourceColumns:
    """Shapes: (resources, capacity), except `scoring_requested` (2, capacity) and the pod columns (capacity,)."""

    def __init__(self) -> None:
        self.names: list[str] = list(FIXED_RESOURCES)
        self.index: dict[str, int] = {name: i for i, name in enumerate(self.names)}
        self.allocatable = np.zeros((len(self.names), 0), dtype=np.int64)
        self.requested = np.zeros_like(self.allocatable)
        # allocatable - requested
        self.free = np.zeros_like(self.allocatable)
        # cpu and memory with the defaults that scoring gives to containers without a request.
        self.scoring_requested = np.zeros((2, 0), dtype=np.int64)
        self.pod_count = np.zeros(0, dtype=np.int64)
        self.allowed_pods = np.zeros(0, dtype=np.int64)
        self._vectors: dict[object, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}

    def resource_index(self, name: str) -> int:
        """The row of a resource; a resource never seen before gets one."""
        found = self.index.get(name)
        return self._register(name) if found is None else found

    def vector(self, pod: PodInfo) -> NDArray[np.int64]:
        """The pod's requests as one number a resource, shape (resources,)."""
        return self._vectors_of(pod)[0]

    def _register(self, name: str) -> int:
        self.index[name] = len(self.names)
        self.names.append(name)
        empty = np.zeros((1, self.allocatable.shape[1]), dtype=np.int64)
        self.allocatable = np.vstack([self.allocatable, empty])
        self.requested = np.vstack([self.requested, empty])
        self.free = np.vstack([self.free, empty])
        self._vectors.clear()
        return self.index[name]

    def _vectors_of(self, pod: PodInfo) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        vectors = self._vectors.get(pod.class_key)
        if vectors is None:
            if len(self._vectors) >= _MEMO_LIMIT:
                self._vectors.clear()
            vectors = self._build_vectors(pod)
            self._vectors[pod.class_key] = vectors
        return vectors

    def _build_vectors(self, pod: PodInfo) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        indexes = {self.resource_index(name): amount for name, amount in pod.requests.items() if amount}
        requests = np.zeros(len(self.names), dtype=np.int64)
        for index, amount in indexes.items():
            requests[index] = _int64(amount)
        return requests, np.array([_int64(amount) for amount in pod.scoring_requests], dtype=np.int64)

    def resize(self, capacity: int) -> None:
        self.allocatable = resized(self.allocatable, capacity)
        self.requested = resized(self.requested, capacity)
        self.free = resized(self.free, capacity)
        self.scoring_requested = resized(self.scoring_requested, capacity)
        self.pod_count = resized(self.pod_count, capacity)
        self.allowed_pods = resized(self.allowed_pods, capacity)

    def permute(self, old_rows: NDArray[np.int32]) -> None:
        self.allocatable = permuted(self.allocatable, old_rows)
        self.requested = permuted(self.requested, old_rows)
        self.free = permuted(self.free, old_rows)
        self.scoring_requested = permuted(self.scoring_requested, old_rows)
        self.pod_count = permuted(self.pod_count, old_rows)
        self.allowed_pods = permuted(self.allowed_pods, old_rows)

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
        row = record.row
        self.requested[:, row] = 0
        self.scoring_requested[:, row] = 0
        self.pod_count[row] = 0

    def node_cleared(self, record: NodeRow) -> None:
        """Nothing is counted across rows."""

    def pod_added(self, record: NodeRow, pod: PodInfo) -> None:
        requests, scoring = self._vectors_of(pod)
        row = record.row
        self.requested[:, row] += requests
        self.free[:, row] -= requests
        self.scoring_requested[:, row] += scoring
        self.pod_count[row] += 1

    def pod_removed(self, record: NodeRow, pod: PodInfo) -> None:
        requests, scoring = self._vectors_of(pod)
        row = record.row
        self.requested[:, row] -= requests
        self.free[:, row] += requests
        self.scoring_requested[:, row] -= scoring
        self.pod_count[row] -= 1
