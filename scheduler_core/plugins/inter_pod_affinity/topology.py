"""Pods per domain of a topology key."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.domain_totals import DomainTotals
from scheduler_core.framework.interface import Rows
from scheduler_core.framework.memo import GenerationMemo
from scheduler_core.objects.affinity_term import AffinityTerm
from scheduler_core.plugins.inter_pod_affinity.matching import Matching
from scheduler_core.snapshot.affinity_terms import TermClass
from scheduler_core.snapshot.snapshot import Snapshot

# Columns of the snapshot are 32 bits wide, sums over domains 64.
Counts = NDArray[np.int32] | NDArray[np.int64]


class TopologyKey:
    """The domains of one key; a node's domain is its own where no two nodes share a value (hosts)."""

    def __init__(self, snapshot: Snapshot, key: str) -> None:
        codes = snapshot.label_codes(key)
        self.has_label: NDArray[np.bool_] = codes >= 0
        # Shape (n,): the node's domain. Nodes without the label share the last one, which counts nobody.
        self.of_node: NDArray[np.intp] = np.where(self.has_label, codes, len(snapshot.label_values(key))).astype(
            np.intp
        )
        self.domains = len(snapshot.label_values(key)) + 1
        sizes = np.bincount(self.of_node, minlength=self.domains)[:-1]
        # Then domain and row are the same number, and nothing has to be looked up or summed up.
        self.is_per_node = bool(self.has_label.all()) and int(sizes.max(initial=0)) <= 1
        if self.is_per_node:
            self.of_node, self.domains = snapshot.all_rows, snapshot.n

    def at(self, by_domain: Counts, rows: Rows) -> Counts:
        """The value of each chosen node's domain."""
        return by_domain[rows] if self.is_per_node else by_domain[self.of_node[rows]]

    def count_at(self, by_domain: Counts, row: int) -> int:
        """The same for one node; 0 where it lacks the label."""
        return int(by_domain[self.of_node[row]])


class DomainPods(NamedTuple):
    """Pods per domain of one key."""

    # Shape (domains,). Do not write to it.
    by_domain: Counts
    # Over all domains.
    total: int
    # Whether `by_domain` is a column of the snapshot: true now, and changing with it.
    live: bool = False


class Topology:
    """Keys and totals, kept between cycles."""

    def __init__(self, matching: Matching) -> None:
        self._matching = matching
        self._keys: GenerationMemo[TopologyKey] = GenerationMemo()
        self._totals = DomainTotals()

    def key(self, snapshot: Snapshot, name: str) -> TopologyKey:
        known = self._keys.get(snapshot.node_generation, name)
        return known or self._keys.put(snapshot.node_generation, name, TopologyKey(snapshot, name))

    def pods_matching(self, snapshot: Snapshot, terms: tuple[AffinityTerm, ...], name: str) -> DomainPods:
        """Pods that match all of the terms, by the domains of the key."""
        view, view_key = self._matching.pods_matching(snapshot, terms)
        column = view.counts[: snapshot.n]
        return self._by_domain(snapshot, self.key(snapshot, name), column, view.total, (view_key, name))

    def pods_with(self, snapshot: Snapshot, term_class: TermClass) -> DomainPods:
        """Pods that have the term, by the domains of its key."""
        key = self.key(snapshot, term_class.term.topology_key)
        return self._by_domain(snapshot, key, snapshot.term_pods(term_class), term_class.total, term_class)

    def _by_domain(
        self, snapshot: Snapshot, key: TopologyKey, column: NDArray[np.int32], total: int, known_by: Hashable
    ) -> DomainPods:
        if key.is_per_node:
            return DomainPods(column, total, live=True)
        sums = self._totals.get(known_by, column, key.of_node, key.domains, snapshot)
        return DomainPods(sums.by_domain, sums.total)
