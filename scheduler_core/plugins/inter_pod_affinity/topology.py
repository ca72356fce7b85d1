"""Columns summed up by the domains of a topology key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.interface import IntArray, Rows
from scheduler_core.framework.memo import GenerationMemo
from scheduler_core.snapshot.snapshot import Snapshot

S = TypeVar("S", bound=np.generic)


class TopologyKey:
    """The domains of one key. Where every node is a domain of its own (hosts), nothing needs to be summed up."""

    def __init__(self, snapshot: Snapshot, key: str) -> None:
        codes = snapshot.label_codes(key)
        self.has_label: NDArray[np.bool_] = codes >= 0
        self.everywhere = bool(self.has_label.all())
        # Shape (n,): the node's domain. Nodes without the label share the last one, which always counts 0.
        self.of_node: NDArray[np.int32] = np.where(self.has_label, codes, len(snapshot.label_values(key)))
        self.domains = len(snapshot.label_values(key)) + 1
        if self._every_node_is_its_own():
            self.of_node = np.where(self.has_label, np.arange(snapshot.n), snapshot.n)
            self.domains = snapshot.n + 1
            self.is_per_node = True
        else:
            self.is_per_node = False

    def _every_node_is_its_own(self) -> bool:
        sizes = np.bincount(self.of_node, minlength=self.domains)[:-1]
        return int(sizes.max(initial=0)) <= 1

    def by_domain(self, columns: Iterable[tuple[NDArray[np.int32], int]]) -> IntArray:
        """Shape (domains,): the weighted sum of per-node columns over each domain."""
        total: NDArray[np.int64] | None = None
        for column, weight in columns:
            part = column.astype(np.int64)
            if weight != 1:
                part *= weight
            total = part if total is None else total + part
        summed = np.zeros(self.domains, dtype=np.int64)
        if total is None:
            return summed
        if self.is_per_node:
            summed[:-1] = total if self.everywhere else np.where(self.has_label, total, 0)
        else:
            # Whole numbers far below 2**53: exact as floats.
            summed = np.bincount(self.of_node, weights=total, minlength=self.domains).astype(np.int64)
            summed[-1] = 0
        return summed

    def spread(self, by_domain: NDArray[S], rows: Rows) -> NDArray[S]:
        """The value of each chosen node's domain."""
        if self.is_per_node and self.everywhere:
            return by_domain[:-1][rows]
        return by_domain[self.of_node[rows]]

    def labelled(self, column: NDArray[np.int32]) -> bool:
        """Whether the column counts anything on nodes that have the label."""
        return bool(column.any() if self.everywhere else column[self.has_label].any())


class TopologyKeys:
    """TopologyKey by key, kept until a node changes."""

    def __init__(self) -> None:
        self._memo: GenerationMemo[TopologyKey] = GenerationMemo()

    def get(self, snapshot: Snapshot, key: str) -> TopologyKey:
        known = self._memo.get(snapshot.node_generation, key)
        return known or self._memo.put(snapshot.node_generation, key, TopologyKey(snapshot, key))
