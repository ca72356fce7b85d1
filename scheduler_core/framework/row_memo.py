"""A column over all nodes, kept true row by row.

For answers that depend on the pod's class and on one node with its pods, and on
nothing else: whether there is room, how full the node would be. Between two
pods of a class usually a single node has changed (the one that took the first),
so that the second pod costs one row and a slice, however many nodes there are.

`many` computes rows with NumPy, `one` a single row with plain numbers: for one
row that is ten times as fast. Both must agree; a key seen for the first time is
answered by `many` for the rows asked about, and gets a column when it comes again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.interface import Rows
from scheduler_core.snapshot.snapshot import Snapshot

Key = TypeVar("Key", bound=Hashable)
Column = NDArray[Any]

MAX_COLUMNS = 64
# More changed rows than this are computed together.
_FEW = 6


class _Kept:
    __slots__ = ("column", "node_generation", "pod_generation")

    def __init__(self) -> None:
        # None: the key was seen once.
        self.column: Column | None = None
        self.node_generation = -1
        self.pod_generation = -1


class RowMemo(Generic[Key]):
    """Columns by key."""

    def __init__(
        self,
        many: Callable[[Key, Snapshot, Rows], Column],
        one: Callable[[Key, Snapshot, int], Any],
    ) -> None:
        self._many = many
        self._one = one
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()

    def get(self, key: Key, snapshot: Snapshot, rows: Rows) -> Column:
        """The answer for the chosen rows; read-only, and only until the snapshot changes."""
        kept = self._kept.get(key)
        if kept is None:
            self._remember(key)
            return self._many(key, snapshot, rows)
        if kept.node_generation != snapshot.node_generation or kept.column is None:
            kept.column = self._many(key, snapshot, slice(0, snapshot.n))
            kept.node_generation = snapshot.node_generation
        elif kept.pod_generation != snapshot.pod_generation:
            self._catch_up(key, kept, kept.column, snapshot)
        kept.pod_generation = snapshot.pod_generation
        self._kept.move_to_end(key)
        return kept.column[rows]

    def _remember(self, key: Key) -> None:
        self._kept[key] = _Kept()
        if len(self._kept) > MAX_COLUMNS:
            self._kept.popitem(last=False)

    def _catch_up(self, key: Key, kept: _Kept, column: Column, snapshot: Snapshot) -> None:
        changes = snapshot.pod_generation - kept.pod_generation
        if changes <= _FEW:
            for row in snapshot.recently_changed(changes):
                column[row] = self._one(key, snapshot, row)
            return
        rows = snapshot.changed_rows(kept.pod_generation)
        if rows is None:
            column[:] = self._many(key, snapshot, slice(0, snapshot.n))
        else:
            column[rows] = self._many(key, snapshot, rows)


def owned(array: NDArray[np.int64]) -> NDArray[np.int64]:
    """The array itself, or a copy where it is a view that will change with its column."""
    return array if array.base is None else array.copy()
