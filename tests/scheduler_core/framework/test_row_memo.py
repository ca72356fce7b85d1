"""Columns kept true row by row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.interface import Rows
from scheduler_core.framework.row_memo import MAX_COLUMNS, RowMemo, owned
from scheduler_core.snapshot.snapshot import Snapshot
from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.framework.cast import snapshot_of

ALL = slice(0, 4)


class Counting:
    """Requested cpu plus the key, counting how it was worked out."""

    def __init__(self) -> None:
        self.snapshot = snapshot_of(*(make_node(f"n{i}") for i in range(4)))
        self.many_rows: list[int] = []
        self.one_row: list[int] = []
        self.memo: RowMemo[int] = RowMemo(self._many, self._one)

    def _many(self, key: int, snapshot: Snapshot, rows: Rows) -> NDArray[np.int64]:
        column = snapshot.requested[0, rows] + key
        self.many_rows.append(len(column))
        return column

    def _one(self, key: int, snapshot: Snapshot, row: int) -> int:
        self.one_row.append(row)
        return snapshot.requested.item(0, row) + key

    def get(self, key: int = 0, rows: Rows = ALL) -> list[int]:
        found: list[int] = self.memo.get(key, self.snapshot, rows).tolist()
        return found

    def put(self, row: int, name: str) -> None:
        self.snapshot.add_pod(self.snapshot.records[row], make_pod(name).requests(cpu="100m").pod_info())


def test_a_key_seen_once_is_worked_out_for_the_rows_asked_about() -> None:
    counting = Counting()
    assert counting.get(rows=slice(1, 3)) == [0, 0]
    assert counting.many_rows == [2]


def test_after_that_one_changed_row_costs_one_row() -> None:
    counting = Counting()
    counting.get()
    counting.get()
    counting.put(2, "p")
    assert counting.get() == [0, 0, 100, 0]
    assert counting.get(rows=slice(2, 4)) == [100, 0]
    assert (counting.many_rows, counting.one_row) == ([4, 4], [2])


def test_many_changed_rows_are_worked_out_together() -> None:
    counting = Counting()
    counting.get()
    counting.get()
    for i in range(8):
        counting.put(i % 2, f"p{i}")
    assert counting.get() == [400, 400, 0, 0]
    assert (counting.many_rows, counting.one_row) == ([4, 4, 2], [])


def test_a_changed_node_means_working_everything_out() -> None:
    counting = Counting()
    counting.get()
    counting.get()
    counting.snapshot.add_node(make_node("n4").node())
    counting.snapshot.refresh()
    assert counting.get(rows=slice(0, 5)) == [0] * 5
    assert counting.many_rows == [4, 4, 5]


def test_keys_do_not_mix_and_are_bounded() -> None:
    counting = Counting()
    for key in range(3 * MAX_COLUMNS):
        assert counting.get(key) == [key] * 4
    assert counting.get(0) == [0] * 4


def test_a_view_is_copied_before_it_is_kept() -> None:
    column = np.arange(5)
    kept = owned(column[1:3])
    column[1] = 99
    assert kept.tolist() == [1, 2]
