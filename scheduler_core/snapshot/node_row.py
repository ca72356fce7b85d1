"""One node of the snapshot: where its row is, and the pods on it.

Parts of the snapshot that keep sparse data key it by this object and not by
the row number, so that re-ordering the rows costs them nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scheduler_core.objects.node import Node
    from scheduler_core.objects.pod_info import PodInfo


Scalar = TypeVar("Scalar", bound=np.generic)


class NodeRow:
    """Mutable on purpose: `row` follows the node when rows are re-ordered."""

    __slots__ = ("name", "node", "pods", "row")

    def __init__(self, name: str, node: Node, row: int) -> None:
        self.name = name
        self.node = node
        # Index on the last axis of every column.
        self.row = row
        # By uid, in the order they came.
        self.pods: dict[str, PodInfo] = {}

    def __repr__(self) -> str:
        return f"NodeRow({self.name!r}, row={self.row})"


class SnapshotPart(Protocol):
    """What every group of columns can do. Row numbers are those of the records at the time of the call."""

    def resize(self, capacity: int) -> None:
        """Make room for `capacity` rows, keeping what is there."""
        ...

    def permute(self, old_rows: NDArray[np.intp]) -> None:
        """Row i becomes what row old_rows[i] was; rows not named are forgotten."""
        ...

    def node_set(self, record: NodeRow) -> None:
        """The node is new or has changed: write its row from `record.node`."""
        ...

    def node_cleared(self, record: NodeRow) -> None:
        """Before the node goes or changes: take back what `node_set` counted."""
        ...

    def pod_added(self, record: NodeRow, pod: PodInfo) -> None: ...
    def pod_removed(self, record: NodeRow, pod: PodInfo) -> None: ...


def resized(array: NDArray[Scalar], capacity: int, fill: int = 0) -> NDArray[Scalar]:
    """A copy whose last axis has `capacity` entries."""
    grown = np.full((*array.shape[:-1], capacity), fill, dtype=array.dtype)
    kept = min(capacity, array.shape[-1])
    grown[..., :kept] = array[..., :kept]
    return grown


def permuted(array: NDArray[Scalar], old_rows: NDArray[np.intp], fill: int = 0) -> NDArray[Scalar]:
    """Same capacity, rows taken from `old_rows`, the rest filled."""
    moved = np.full_like(array, fill)
    moved[..., : len(old_rows)] = array[..., old_rows]
    return moved
