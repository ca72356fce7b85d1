"""Filter by required terms, the pod's own and those of existing pods.

Counts are per topology key and domain, taken in PreFilter. Preemption asks
again with some pods gone; `pod_changed` keeps the counts true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.interface import ALL_FIT, Rows, Verdicts
from scheduler_core.framework.status import unresolvable, unschedulable
from scheduler_core.objects.affinity_term import AffinityTerm
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.inter_pod_affinity.matching import Matching
from scheduler_core.plugins.inter_pod_affinity.topology import Counts, DomainPods, Topology, TopologyKey
from scheduler_core.snapshot.affinity_terms import TermKind
from scheduler_core.snapshot.snapshot import Snapshot

AFFINITY = unresolvable("node(s) didn't match pod affinity rules")
ANTI_AFFINITY = unschedulable("node(s) didn't match pod anti-affinity rules")
EXISTING_ANTI_AFFINITY = unschedulable("node(s) didn't satisfy existing pods anti-affinity rules")

_STATUSES = (AFFINITY, ANTI_AFFINITY, EXISTING_ANTI_AFFINITY)
_AFFINITY, _ANTI_AFFINITY, _EXISTING = 1, 2, 3


@dataclass(slots=True)
class KeyCounts:
    """Pods per domain of one key. A pod counts once for each term it matches."""

    key: TopologyKey
    # Shape (domains,).
    by_domain: Counts
    total: int
    # Whether `by_domain` may be written to; else it is shared.
    owned: bool
    # Whether `by_domain` is a column of the snapshot and changes with it.
    live: bool = False

    def clone(self) -> KeyCounts:
        if self.live:
            # A clone is for trying things, and what is tried changes the column.
            return KeyCounts(self.key, self.by_domain.copy(), self.total, owned=True)
        # From now on neither may write to what both have.
        self.owned = False
        return KeyCounts(self.key, self.by_domain, self.total, owned=False)

    def add(self, more: DomainPods) -> None:
        self.by_domain = self.by_domain + more.by_domain
        self.total += more.total
        self.owned, self.live = True, False

    def change(self, row: int, change: int) -> None:
        if not self.key.has_label[row]:
            return
        if not self.owned:
            self.by_domain, self.owned, self.live = self.by_domain.copy(), True, False
        self.by_domain[self.key.of_node[row]] += change
        self.total += change


class DomainCounts:
    """Counts by topology key."""

    def __init__(self, by_key: dict[str, KeyCounts] | None = None) -> None:
        self.by_key: dict[str, KeyCounts] = by_key or {}

    def clone(self) -> DomainCounts:
        return DomainCounts({name: counts.clone() for name, counts in self.by_key.items()})

    @property
    def is_empty(self) -> bool:
        return not any(counts.total for counts in self.by_key.values())

    def add(self, name: str, key: TopologyKey, more: DomainPods) -> None:
        known = self.by_key.get(name)
        if known is None:
            self.by_key[name] = KeyCounts(key, more.by_domain, more.total, owned=False, live=more.live)
        else:
            known.add(more)

    def change(self, name: str, key: TopologyKey, row: int, change: int) -> None:
        counts = self.by_key.get(name)
        if counts is None:
            counts = self.by_key[name] = KeyCounts(key, np.zeros(key.domains, dtype=np.int64), 0, owned=True)
        counts.change(row, change)

    def at(self, name: str, row: int) -> int:
        """Pods in the node's domain of one key."""
        counts = self.by_key[name]
        return counts.key.count_at(counts.by_domain, row)

    def anywhere(self, rows: Rows) -> NDArray[np.bool_] | None:
        """Chosen nodes with a counted pod in a domain of any key; None: there are none."""
        found: NDArray[np.bool_] | None = None
        for counts in self.by_key.values():
            if counts.total:
                here = counts.key.at(counts.by_domain, rows) > 0
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

    def verdicts(self, snapshot: Snapshot, rows: Rows) -> Verdicts:
        existing = self._existing.anywhere(rows)
        anti_affinity = self._anti_affinity.anywhere(rows)
        far = self._far_from_affinity(rows) if self._pod.required_affinity_terms else None
        codes: NDArray[np.int16] | None = None
        # The last one written is the first one checked.
        for mask, code in ((existing, _EXISTING), (anti_affinity, _ANTI_AFFINITY), (far, _AFFINITY)):
            if mask is None or not mask.any():
                continue
            if codes is None:
                codes = np.zeros(len(mask), dtype=np.int16)
            codes[mask] = code
        return ALL_FIT if codes is None else Verdicts(codes, _STATUSES)

    def _far_from_affinity(self, rows: Rows) -> NDArray[np.bool_]:
        """Chosen nodes that lack a key or, unless the pod is the first of its kind, a matching pod."""
        alone = self._is_first_of_its_kind()
        far: NDArray[np.bool_] | None = None
        for counts in self._affinity.by_key.values():
            key = counts.key
            here = ~key.has_label[rows] if alone else key.at(counts.by_domain, rows) <= 0
            far = here if far is None else far | here
        return far if far is not None else np.zeros(0, dtype=np.bool_)

    def _is_first_of_its_kind(self) -> bool:
        """No pod matches yet, and the pod matches its own terms: it may begin the series."""
        pod = self._pod
        if not self._affinity.is_empty:
            return False
        return self._matching.matches_all(pod.required_affinity_terms, pod.namespace, pod.labels)

    def remedies(self, snapshot: Snapshot, row: int, topology: Topology) -> list[str]:
        """What would have to change on the node at `row`."""
        pod, labels = self._pod, snapshot.node_at(row).labels
        found: list[str] = []
        for term in pod.required_affinity_terms:
            if term.topology_key not in labels:
                found.append(f"label {term.topology_key} on the node")
            elif not self._is_first_of_its_kind() and not self._affinity.at(term.topology_key, row):
                found.append(f"a pod with {term.selector} in {_domain(term, labels)}")
        for term in pod.required_anti_affinity_terms:
            pods = topology.pods_matching(snapshot, (term,), term.topology_key)
            if topology.key(snapshot, term.topology_key).count_at(pods.by_domain, row):
                found.append(f"no pod with {term.selector} in {_domain(term, labels)}")
        for each in self._matching.existing_terms(snapshot, TermKind.REQUIRED_ANTI_AFFINITY, pod):
            name = each.term.topology_key
            if topology.key(snapshot, name).count_at(topology.pods_with(snapshot, each).by_domain, row):
                found.append(f"no pod that avoids {each.term.selector} in {_domain(each.term, labels)}")
        return found

    def pod_changed(self, snapshot: Snapshot, topology: Topology, other: PodInfo, row: int, change: int) -> None:
        """A pod came to (+1) or went from (-1) the node at `row`."""
        for counts, terms in self._concerned(other):
            for term in terms:
                counts.change(term.topology_key, topology.key(snapshot, term.topology_key), row, change)

    def _concerned(self, other: PodInfo) -> Iterable[tuple[DomainCounts, Iterable[AffinityTerm]]]:
        """The terms for which another pod counts."""
        pod, matches = self._pod, self._matching.matches
        if self._matching.matches_all(pod.required_affinity_terms, other.namespace, other.labels):
            yield self._affinity, pod.required_affinity_terms
        own = pod.required_anti_affinity_terms
        yield self._anti_affinity, [term for term in own if matches(term, other.namespace, other.labels)]
        theirs = other.required_anti_affinity_terms
        yield self._existing, [term for term in theirs if matches(term, pod.namespace, pod.labels)]


def required_terms(pod: PodInfo, matching: Matching, topology: Topology, snapshot: Snapshot) -> RequiredTerms | None:
    """None: no node can be rejected."""
    existing = _existing_counts(pod, matching, topology, snapshot)
    if not pod.required_affinity_terms and not pod.required_anti_affinity_terms and existing.is_empty:
        return None
    affinity, anti_affinity = DomainCounts(), DomainCounts()
    for term in pod.required_affinity_terms:
        total = topology.pods_matching(snapshot, pod.required_affinity_terms, term.topology_key)
        affinity.add(term.topology_key, topology.key(snapshot, term.topology_key), total)
    for term in pod.required_anti_affinity_terms:
        total = topology.pods_matching(snapshot, (term,), term.topology_key)
        anti_affinity.add(term.topology_key, topology.key(snapshot, term.topology_key), total)
    return RequiredTerms(pod, matching, affinity, anti_affinity, existing)


def _domain(term: AffinityTerm, labels: Mapping[str, str]) -> str:
    return f"{term.topology_key}={labels.get(term.topology_key, '')}"


def _existing_counts(pod: PodInfo, matching: Matching, topology: Topology, snapshot: Snapshot) -> DomainCounts:
    counts = DomainCounts()
    for each in matching.existing_terms(snapshot, TermKind.REQUIRED_ANTI_AFFINITY, pod):
        name = each.term.topology_key
        counts.add(name, topology.key(snapshot, name), topology.pods_with(snapshot, each))
    return counts
