"""The pod (anti-)affinity terms of the pods that are on nodes.

InterPodAffinity is symmetric: what existing pods want decides about a new pod
too. Most pods with terms are copies of each other, so equal terms form one
class that counts its pods per node; a new pod is matched against classes and
not against pods.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scheduler_core.snapshot.node_row import NodeRow, permuted, resized

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from scheduler_core.objects.affinity_term import AffinityTerm
    from scheduler_core.objects.pod_info import PodInfo


class TermKind(StrEnum):
    """Which of a pod's four lists a term is from."""

    REQUIRED_AFFINITY = "required affinity"
    REQUIRED_ANTI_AFFINITY = "required anti-affinity"
    PREFERRED_AFFINITY = "preferred affinity"
    PREFERRED_ANTI_AFFINITY = "preferred anti-affinity"


class TermClass:
    """Equal terms of equal weight, and where the pods are that have them."""

    __slots__ = ("_column", "kind", "per_node", "term", "total", "weight")

    def __init__(self, kind: TermKind, weight: int, term: AffinityTerm) -> None:
        self.kind = kind
        self.term = term
        # 0 for required terms.
        self.weight = weight
        self.per_node: Counter[NodeRow] = Counter()
        # Pods that have the term, over all nodes.
        self.total = 0
        # Shape (capacity,), once somebody asked.
        self._column: NDArray[np.int32] | None = None

    def column(self, capacity: int) -> NDArray[np.int32]:
        """Pods per row, as an array that follows every later change."""
        if self._column is None:
            self._column = np.zeros(capacity, dtype=np.int32)
            for node, count in self.per_node.items():
                self._column[node.row] = count
        return self._column

    def count(self, record: NodeRow, change: int) -> None:
        self.per_node[record] += change
        self.total += change
        if not self.per_node[record]:
            del self.per_node[record]
        if self._column is not None:
            self._column[record.row] += change

    def resize(self, capacity: int) -> None:
        if self._column is not None:
            self._column = resized(self._column, capacity)

    def permute(self, old_rows: NDArray[np.intp]) -> None:
        if self._column is not None:
            self._column = permuted(self._column, old_rows)


class AffinityTerms:
    """Term classes by kind."""

    def __init__(self) -> None:
        self.classes: dict[TermKind, dict[Hashable, TermClass]] = {kind: {} for kind in TermKind}
        # Rises when a class appears or goes; what a plugin found out about the classes holds until then.
        self.generation = 0
        # Pod class -> its term classes, so that terms are compiled and compared once a pod class.
        self._of_pod_class: dict[bytes, tuple[TermClass, ...]] = {}

    def pod_added(self, record: NodeRow, pod: PodInfo) -> None:
        if pod.has_pod_affinity:
            for term_class in self._classes_of(pod):
                term_class.count(record, 1)

    def pod_removed(self, record: NodeRow, pod: PodInfo) -> None:
        if not pod.has_pod_affinity:
            return
        for term_class in self._classes_of(pod):
            term_class.count(record, -1)
            if not term_class.per_node:
                self._forget(term_class)

    def _classes_of(self, pod: PodInfo) -> tuple[TermClass, ...]:
        classes = self._of_pod_class.get(pod.class_key)
        if classes is None:
            classes = tuple(self._class(kind, weight, term) for kind, weight, term in terms_of(pod))
            self._of_pod_class[pod.class_key] = classes
        return classes

    def _class(self, kind: TermKind, weight: int, term: AffinityTerm) -> TermClass:
        classes = self.classes[kind]
        found = classes.get((weight, term))
        if found is None:
            found = classes[weight, term] = TermClass(kind, weight, term)
            self.generation += 1
        return found

    def _forget(self, term_class: TermClass) -> None:
        self.classes[term_class.kind].pop((term_class.weight, term_class.term), None)
        self._of_pod_class.clear()
        self.generation += 1

    def _all(self) -> Iterable[TermClass]:
        return (each for classes in self.classes.values() for each in classes.values())

    def resize(self, capacity: int) -> None:
        for term_class in self._all():
            term_class.resize(capacity)

    def permute(self, old_rows: NDArray[np.intp]) -> None:
        for term_class in self._all():
            term_class.permute(old_rows)

    def node_set(self, record: NodeRow) -> None:
        """Only pods have terms."""

    def node_cleared(self, record: NodeRow) -> None:
        """Only pods have terms."""


def terms_of(pod: PodInfo) -> Iterable[tuple[TermKind, int, AffinityTerm]]:
    """All terms of a pod with their kind and weight."""
    for term in pod.required_affinity_terms:
        yield TermKind.REQUIRED_AFFINITY, 0, term
    for term in pod.required_anti_affinity_terms:
        yield TermKind.REQUIRED_ANTI_AFFINITY, 0, term
    for preferred in pod.preferred_affinity_terms:
        yield TermKind.PREFERRED_AFFINITY, preferred.weight, preferred.term
    for preferred in pod.preferred_anti_affinity_terms:
        yield TermKind.PREFERRED_ANTI_AFFINITY, preferred.weight, preferred.term
