"""What is written on the nodes themselves: labels, taints, cordon.

Label values are interned per key: a selector is then evaluated once for each
distinct value and not once for each node. A key costs a column only once
somebody has asked for it. Taint lists are interned whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scheduler_core.snapshot.node_row import NodeRow, permuted, resized

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.objects.pod_info import PodInfo
    from scheduler_core.objects.taints import Taint

ABSENT = -1


class LabelColumn:
    """One label key over all nodes."""

    def __init__(self, key: str, capacity: int) -> None:
        self.key = key
        # Shape (capacity,): index into `values`, or ABSENT.
        self.codes = np.full(capacity, ABSENT, dtype=np.int32)
        # Grows only: a value may have no node any more.
        self.values: list[str] = []
        self._code_of: dict[str, int] = {}

    def write(self, record: NodeRow) -> None:
        value = record.node.labels.get(self.key)
        self.codes[record.row] = ABSENT if value is None else self._code(value)

    def code_of(self, value: str) -> int:
        """The code of a value, ABSENT where no node ever had it."""
        return self._code_of.get(value, ABSENT)

    def _code(self, value: str) -> int:
        code = self._code_of.setdefault(value, len(self.values))
        if code == len(self.values):
            self.values.append(value)
        return code


class NodeColumns:
    """`taint_class` int32 and `unschedulable` bool of shape (capacity,), and a LabelColumn for each key in use."""

    def __init__(self) -> None:
        self.taint_class = np.zeros(0, dtype=np.int32)
        self.taint_classes: list[tuple[Taint, ...]] = []
        self._class_of: dict[tuple[Taint, ...], int] = {}
        self.unschedulable = np.zeros(0, dtype=np.bool_)
        self.labels: dict[str, LabelColumn] = {}

    def label_column(self, key: str, records: Iterable[NodeRow]) -> LabelColumn:
        """The column of a label key, written from all nodes when it is asked for first."""
        column = self.labels.get(key)
        if column is None:
            column = LabelColumn(key, len(self.taint_class))
            for record in records:
                column.write(record)
            self.labels[key] = column
        return column

    def resize(self, capacity: int) -> None:
        self.taint_class = resized(self.taint_class, capacity)
        self.unschedulable = resized(self.unschedulable, capacity)
        for column in self.labels.values():
            column.codes = resized(column.codes, capacity, ABSENT)

    def permute(self, old_rows: NDArray[np.intp]) -> None:
        self.taint_class = permuted(self.taint_class, old_rows)
        self.unschedulable = permuted(self.unschedulable, old_rows)
        for column in self.labels.values():
            column.codes = permuted(column.codes, old_rows, ABSENT)

    def node_set(self, record: NodeRow) -> None:
        spec = record.node.spec
        self.taint_class[record.row] = self._taint_class(spec.taints)
        self.unschedulable[record.row] = spec.unschedulable
        for column in self.labels.values():
            column.write(record)

    def _taint_class(self, taints: tuple[Taint, ...]) -> int:
        code = self._class_of.setdefault(taints, len(self.taint_classes))
        if code == len(self.taint_classes):
            self.taint_classes.append(taints)
        return code

    def node_cleared(self, record: NodeRow) -> None:
        """Nothing is counted across rows."""

    def pod_added(self, record: NodeRow, pod: PodInfo) -> None:
        """Pods do not change what is written on a node."""

    def pod_removed(self, record: NodeRow, pod: PodInfo) -> None:
        """Pods do not change what is written on a node."""
