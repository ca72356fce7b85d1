"""Pods per domain of a topology key."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.domain_totals import DomainTotal, DomainTotals
from scheduler_core.framework.interface import IntArray, Rows
from scheduler_core.framework.memo import GenerationMemo
from scheduler_core.objects.affinity_term import AffinityTerm
from scheduler_core.plugins.inter_pod_affinity.matching import Matching
from scheduler_core.snapshot.affinity_terms import TermClass
from scheduler_core.snapshot.snapshot import Snapshot


class TopologyKey:
    """The domains of one key; a node's domain is its own where no two nodes share a value (hosts)."""

    def __init__(self, snapshot: Snapshot, key: str) -> None:
        codes = snapshot.label_codes(key)
        self.has_label: NDArray[np.bool_] = codes >= 0
        self.everywhere = bool(self.has_label.all())
        # Shape (n,): the node's domain. Nodes without the label share the last one, which counts nobody.
        self.of_node: NDArray[np.int32] = np.where(self.has_label, codes, len(snapshot.label_values(key)))
        self.domains = len(snapshot.label_values(key)) + 1
        sizes = np.bincount(self.of_node, minlength=self.domains)[:-1]
        # Then domain and row are the same number, and nothing has to be looked up.
        self.is_per_node = self.everywhere and int(sizes.max(initial=0)) <= 1
        if self.is_per_node:
            self.of_node, self.domains = snapshot.all_rows, snapshot.n + 1

    def at(self, by_domain: IntArray, rows: Rows) -> IntArray:
        """The value of each chosen node's domain."""
        return by_domain[:-1][rows] if self.is_per_node else by_domain[self.of_node[rows]]


class Topology:
    """Keys and totals, kept between cycles."""

    def __init__(self, matching: Matching) -> None:
        self._matching = matching
        self._keys: GenerationMemo[TopologyKey] = GenerationMemo()
        self._totals = DomainTotals()

    def key(self, snapshot: Snapshot, name: str) -> TopologyKey:
        known = self._keys.get(snapshot.node_generation, name)
        return known or self._keys.put(snapshot.node_generation, name, TopologyKey(snapshot, name))

    def pods_matching(self, snapshot: Snapshot, terms: tuple[AffinityTerm, ...], name: str) -> DomainTotal:
        """Pods that match all of the terms, by the domains of the key."""
        key = self.key(snapshot, name)
        column, column_key = self._matching.pods_matching(snapshot, terms)
        return self._totals.get((column_key, name), column, key.of_node, key.domains, snapshot)

    def pods_with(self, snapshot: Snapshot, term_class: TermClass) -> DomainTotal:
        """Pods that have the term, by the domains of its key."""
        key = self.key(snapshot, term_class.term.topology_key)
        column = snapshot.term_pods(term_class)
        return self._totals.get(term_class, column, key.of_node, key.domains, snapshot)
