"""Columns of pods summed up by topology domain, kept true row by row.

Between two pods one node has changed as a rule. So the sums are not made anew:
what a row counted when it was last looked at is remembered, and only rows in
the snapshot's log of changes are looked at again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.interface import IntArray
from scheduler_core.snapshot.snapshot import Snapshot

MAX_ENTRIES = 256
# More changed rows than this are looked at together.
_FEW = 8
# From one change for this many rows on, all rows are.
_SHARE = 100


class DomainTotal:
    """One column over one set of domains. `by_domain` is read-only, and only until the snapshot changes."""

    __slots__ = ("by_domain", "of_node", "pod_generation", "seen", "total")

    def __init__(self, column: NDArray[np.int32], of_node: NDArray[np.intp], domains: int, snapshot: Snapshot) -> None:
        # Shape (n,): the node's domain; the last domain is nobody's.
        self.of_node = of_node
        # Shape (n,): what each row counts in `by_domain`.
        self.seen = column.copy()
        # Shape (domains,); the last one stays 0.
        self.by_domain: IntArray = _sums(column, of_node, domains)
        # Over all domains.
        self.total = int(self.by_domain.sum())
        self.pod_generation = snapshot.pod_generation

    def catch_up(self, column: NDArray[np.int32], snapshot: Snapshot) -> None:
        changes = snapshot.pod_generation - self.pod_generation
        if changes <= _FEW:
            for row in snapshot.recently_changed(changes):
                self._look_at(row, column.item(row))
        else:
            # Many changes cost more one by one than all rows at once.
            few_enough = changes * _SHARE <= len(column)
            self._look_at_many(column, snapshot.changed_rows(self.pod_generation) if few_enough else None)
        self.pod_generation = snapshot.pod_generation

    def _look_at(self, row: int, count: int) -> None:
        change = count - self.seen.item(row)
        if change:
            self.seen[row] = count
            domain = self.of_node.item(row)
            if domain < len(self.by_domain) - 1:
                self.by_domain[domain] += change
                self.total += change

    def _look_at_many(self, column: NDArray[np.int32], rows: NDArray[np.intp] | None) -> None:
        if rows is None:
            self.by_domain = _sums(column, self.of_node, len(self.by_domain))
            self.seen = column.copy()
        else:
            np.add.at(self.by_domain, self.of_node[rows], column[rows] - self.seen[rows])
            self.by_domain[-1] = 0
            self.seen[rows] = column[rows]
        self.total = int(self.by_domain.sum())


class DomainTotals:
    """Totals by key; equal keys must mean the same column and the same domains. The least used are dropped."""

    def __init__(self) -> None:
        self._node_generation = -1
        self._entries: OrderedDict[Hashable, DomainTotal] = OrderedDict()

    def get(
        self,
        key: Hashable,
        column: NDArray[np.int32],
        of_node: NDArray[np.intp],
        domains: int,
        snapshot: Snapshot,
    ) -> DomainTotal:
        if snapshot.node_generation != self._node_generation:
            self._entries.clear()
            self._node_generation = snapshot.node_generation
        entry = self._entries.get(key)
        if entry is None:
            entry = self._entries[key] = DomainTotal(column, of_node, domains, snapshot)
            if len(self._entries) > MAX_ENTRIES:
                self._entries.popitem(last=False)
            return entry
        if entry.pod_generation != snapshot.pod_generation:
            entry.catch_up(column, snapshot)
        self._entries.move_to_end(key)
        return entry


def _sums(column: NDArray[np.int32], of_node: NDArray[np.intp], domains: int) -> IntArray:
    # Counts are far below 2**53: exact as floats.
    sums = np.bincount(of_node, weights=column, minlength=domains).astype(np.int64)
    sums[-1] = 0
    return sums
