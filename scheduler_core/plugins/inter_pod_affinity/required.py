"""Filter by required terms, the pod's own and those of existing pods.

Counts are per topology key and domain, taken in PreFilter. Preemption asks
again with some pods gone; `pod_changed` keeps the counts true.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.interface import ALL_FIT, IntArray, Rows, Verdicts
from scheduler_core.framework.status import unresolvable, unschedulable
from scheduler_core.objects.affinity_term import AffinityTerm
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.inter_pod_affinity.matching import Matching
from scheduler_core.plugins.inter_pod_affinity.topology import TopologyKey, TopologyKeys
from scheduler_core.snapshot.affinity_terms import TermKind
from scheduler_core.snapshot.snapshot import Snapshot

AFFINITY = unresolvable("node(s) didn't match pod affinity rules")
ANTI_AFFINITY = unschedulable("node(s) didn't match pod anti-affinity rules")
EXISTING_ANTI_AFFINITY = unschedulable("node(s) didn't satisfy existing pods anti-affinity rules")

_STATUSES = (AFFINITY, ANTI_AFFINITY, EXISTING_ANTI_AFFINITY)
_AFFINITY, _ANTI_AFFINITY, _EXISTING = 1, 2, 3


class DomainCounts:
    """Pods per domain, for some topology keys."""

    def __init__(self, counts: dict[str, tuple[TopologyKey, IntArray]]) -> None:
        self.by_key = counts

    def clone(self) -> DomainCounts:
        return DomainCounts({name: (key, counts.copy()) for name, (key, counts) in self.by_key.items()})

    @property
    def is_empty(self) -> bool:
        return not any(counts.any() for _, counts in self.by_key.values())

    def change(self, keys: Iterable[TopologyKey], names: Iterable[str], row: int, change: int) -> None:
        for key, name in zip(keys, names, strict=True):
            if key.has_label[row]:
                _, counts = self.by_key.setdefault(name, (key, np.zeros(key.domains, dtype=np.int64)))
                counts[key.of_node[row]] += change

    def anywhere(self, rows: Rows) -> NDArray[np.bool_] | None:
        """Chosen nodes with a counted pod in a domain of any key; None: there are none."""
        found: NDArray[np.bool_] | None = None
        for key, counts in self.by_key.values():
            if counts.any():
                here = key.spread(counts > 0, rows)
                found = here if found is None else found | here
        return found


class RequiredTerms:
    """The three counts of one cycle."""

    def __init__(
        self,
        pod: PodInfo,
        matching: Matching,
        affinity: DomainCounts,
        anti_affinity: DomainCounts,
        existing: DomainCounts,
    ) -> None:
        self._pod = pod
        self._matching = matching
        # Existing pods that match all of the pod's affinity terms.
        self._affinity = affinity
        # Existing pods that match a term of the pod's anti-affinity.
        self._anti_affinity = anti_affinity
        # Existing pods with an anti-affinity term that matches the pod.
        self._existing = existing

    def clone(self) -> RequiredTerms:
        counts = (self._affinity.clone(), self._anti_affinity.clone(), self._existing.clone())
        return RequiredTerms(self._pod, self._matching, *counts)

    @property
    def is_nothing(self) -> bool:
        """True: no node can be rejected."""
        own = self._pod.required_affinity_terms or self._pod.required_anti_affinity_terms
        return not own and self._existing.is_empty

    def verdicts(self, snapshot: Snapshot, rows: Rows) -> Verdicts:
        existing = self._existing.anywhere(rows)
        anti_affinity = self._anti_affinity.anywhere(rows)
        far = self._far_from_affinity(rows) if self._pod.required_affinity_terms else None
        codes = np.zeros(len(snapshot.pod_count[rows]), dtype=np.int16)
        # The last one written is the first one checked.
        for mask, code in ((existing, _EXISTING), (anti_affinity, _ANTI_AFFINITY), (far, _AFFINITY)):
            if mask is not None:
                codes[mask] = code
        return Verdicts(codes, _STATUSES) if codes.any() else ALL_FIT

    def _far_from_affinity(self, rows: Rows) -> NDArray[np.bool_]:
        """Chosen nodes that lack a key or, unless the pod is the first of its kind, a matching pod."""
        alone = self._is_first_of_its_kind()
        near: NDArray[np.bool_] | None = None
        for name in {term.topology_key for term in self._pod.required_affinity_terms}:
            key, counts = self._affinity.by_key[name]
            here = key.has_label[rows] if alone else key.spread(counts > 0, rows)
            near = here if near is None else near & here
        return ~near if near is not None else np.zeros(0, dtype=np.bool_)

    def _is_first_of_its_kind(self) -> bool:
        """No pod matches yet, and the pod matches its own terms: it may begin the series."""
        pod = self._pod
        if not self._affinity.is_empty:
            return False
        return self._matching.matches_all(pod.required_affinity_terms, pod.namespace, pod.labels)

    def pod_changed(self, snapshot: Snapshot, keys: TopologyKeys, other: PodInfo, row: int, change: int) -> None:
        """A pod came to (+1) or went from (-1) the node at `row`."""
        pod, matching = self._pod, self._matching
        terms = pod.required_affinity_terms
        if matching.matches_all(terms, other.namespace, other.labels):
            self._change(self._affinity, snapshot, keys, terms, row, change)
        matched = [
            term for term in pod.required_anti_affinity_terms if matching.matches(term, other.namespace, other.labels)
        ]
        self._change(self._anti_affinity, snapshot, keys, matched, row, change)
        theirs = [
            term for term in other.required_anti_affinity_terms if matching.matches(term, pod.namespace, pod.labels)
        ]
        self._change(self._existing, snapshot, keys, theirs, row, change)

    @staticmethod
    def _change(
        counts: DomainCounts,
        snapshot: Snapshot,
        keys: TopologyKeys,
        terms: Iterable[AffinityTerm],
        row: int,
        change: int,
    ) -> None:
        names = [term.topology_key for term in terms]
        counts.change([keys.get(snapshot, name) for name in names], names, row, change)


def required_terms(pod: PodInfo, matching: Matching, topology: TopologyKeys, snapshot: Snapshot) -> RequiredTerms:
    own = (*pod.required_affinity_terms, *pod.required_anti_affinity_terms)
    keys = {term.topology_key: topology.get(snapshot, term.topology_key) for term in own}
    return RequiredTerms(
        pod,
        matching,
        _affinity_counts(pod, matching, keys, snapshot),
        _anti_affinity_counts(pod, matching, keys, snapshot),
        _existing_counts(pod, matching, topology, snapshot),
    )


def _affinity_counts(
    pod: PodInfo, matching: Matching, keys: dict[str, TopologyKey], snapshot: Snapshot
) -> DomainCounts:
    terms = pod.required_affinity_terms
    if not terms:
        return DomainCounts({})
    column = matching.pods_matching(snapshot, terms)
    # Two terms of one key count a pod twice, which matters when a pod that goes takes back both.
    names = [term.topology_key for term in terms]
    return DomainCounts(
        {name: (keys[name], keys[name].by_domain([(column, names.count(name))])) for name in dict.fromkeys(names)}
    )


def _anti_affinity_counts(
    pod: PodInfo, matching: Matching, keys: dict[str, TopologyKey], snapshot: Snapshot
) -> DomainCounts:
    columns: dict[str, list[tuple[NDArray[np.int32], int]]] = {}
    for term in pod.required_anti_affinity_terms:
        columns.setdefault(term.topology_key, []).append((matching.pods_matching(snapshot, (term,)), 1))
    return DomainCounts({name: (keys[name], keys[name].by_domain(each)) for name, each in columns.items()})


def _existing_counts(pod: PodInfo, matching: Matching, topology: TopologyKeys, snapshot: Snapshot) -> DomainCounts:
    columns: dict[str, list[tuple[NDArray[np.int32], int]]] = {}
    for each in matching.existing_terms(snapshot, TermKind.REQUIRED_ANTI_AFFINITY, pod):
        columns.setdefault(each.term.topology_key, []).append((snapshot.term_pods(each), 1))
    keys = {name: topology.get(snapshot, name) for name in columns}
    return DomainCounts({name: (keys[name], keys[name].by_domain(each)) for name, each in columns.items()})
