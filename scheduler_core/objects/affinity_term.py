"""A pod (anti-)affinity term, compiled against the pod that has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scheduler_core.objects.affinity import PodAffinity, PodAffinityTerm
from scheduler_core.objects.label_selector import Selector, compile_selector


@dataclass(frozen=True, slots=True)
class AffinityTerm:
    """Hashable: equal terms of different pods are one class."""

    selector: Selector
    topology_key: str
    # Namespaces by name; the pod's own when the term names none at all.
    namespaces: frozenset[str]
    # Further namespaces, by their labels; matches nothing when absent.
    namespace_selector: Selector
    # Terms are keys of many tables: the hash is worked out once.
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        parts = (self.selector, self.topology_key, self.namespaces, self.namespace_selector)
        object.__setattr__(self, "_hash", hash(parts))

    def __hash__(self) -> int:
        return self._hash

    def matches(self, namespace: str, labels: Mapping[str, str], namespace_labels: Mapping[str, str]) -> bool:
        """Whether the term is about a pod with these labels in that namespace."""
        if namespace not in self.namespaces and not self.namespace_selector.matches(namespace_labels):
            return False
        return self.selector.matches(labels)


@dataclass(frozen=True, slots=True)
class WeightedAffinityTerm:
    term: AffinityTerm
    weight: int


def compile_term(term: PodAffinityTerm, own_namespace: str) -> AffinityTerm:
    names_none = not term.namespaces and term.namespace_selector is None
    return AffinityTerm(
        selector=compile_selector(term.label_selector),
        topology_key=term.topology_key,
        namespaces=frozenset((own_namespace,) if names_none else term.namespaces),
        namespace_selector=compile_selector(term.namespace_selector),
    )


def required_terms(affinity: PodAffinity | None, own_namespace: str) -> tuple[AffinityTerm, ...]:
    if affinity is None:
        return ()
    return tuple(compile_term(term, own_namespace) for term in affinity.required)


def preferred_terms(affinity: PodAffinity | None, own_namespace: str) -> tuple[WeightedAffinityTerm, ...]:
    if affinity is None:
        return ()
    return tuple(
        WeightedAffinityTerm(compile_term(each.pod_affinity_term, own_namespace), each.weight)
        for each in affinity.preferred
    )
