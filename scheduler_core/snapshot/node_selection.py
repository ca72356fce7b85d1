"""Node selectors evaluated over all nodes at once.

A requirement is answered once per distinct value of its label and spread over
the nodes by their codes. `RequiredNodeAffinity` is what a pod demands of the
node it is on: its nodeSelector and its required node affinity. Terms that
Kubernetes cannot evaluate (`Gt` with a text, say) match nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scheduler_core.objects.label_selector import (
    EVERYTHING,
    Operator,
    Requirement,
    Selector,
    compile_requirement,
    selector_from_map,
)

if TYPE_CHECKING:
    from scheduler_core.objects.affinity import NodeSelector, NodeSelectorTerm, PreferredSchedulingTerm
    from scheduler_core.objects.node import Node
    from scheduler_core.objects.pod import Pod
    from scheduler_core.snapshot.snapshot import Snapshot

NAME_FIELD = "metadata.name"
_NAME_OPERATORS = (Operator.IN, Operator.NOT_IN)

NodeMask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CompiledTerm:
    """One term of a node selector; all requirements must hold."""

    labels: tuple[Requirement, ...]
    # On `metadata.name`.
    fields: tuple[Requirement, ...]

    @property
    def is_valid(self) -> bool:
        """False: Kubernetes cannot evaluate it, so it matches nothing."""
        return all(each.is_valid for each in self.labels) and all(
            each.key == NAME_FIELD and each.operator in _NAME_OPERATORS and len(each.values) == 1
            for each in self.fields
        )

    def matches(self, node: Node) -> bool:
        return (
            self.is_valid
            and all(each.matches_value(node.labels.get(each.key)) for each in self.labels)
            and all(each.matches_value(node.name) for each in self.fields)
        )

    def mask(self, snapshot: Snapshot) -> NodeMask:
        mask = np.full(snapshot.n, self.is_valid)
        if self.is_valid:
            for each in self.labels:
                mask &= requirement_mask(snapshot, each)
            for each in self.fields:
                mask &= _name_mask(snapshot, each)
        return mask


@dataclass(frozen=True, slots=True)
class CompiledNodeSelector:
    """Its terms are alternatives; without any it matches nothing."""

    terms: tuple[CompiledTerm, ...]

    def matches(self, node: Node) -> bool:
        return any(term.matches(node) for term in self.terms)

    def mask(self, snapshot: Snapshot) -> NodeMask:
        mask = np.zeros(snapshot.n, dtype=np.bool_)
        for term in self.terms:
            mask |= term.mask(snapshot)
        return mask


@dataclass(frozen=True, slots=True)
class RequiredNodeAffinity:
    """What a pod demands of its node's labels and name."""

    node_selector: Selector
    # None: no required affinity.
    affinity: CompiledNodeSelector | None

    @property
    def is_empty(self) -> bool:
        return self.node_selector.is_empty and self.affinity is None

    def matches(self, node: Node) -> bool:
        return self.node_selector.matches(node.labels) and (self.affinity is None or self.affinity.matches(node))

    def mask(self, snapshot: Snapshot) -> NodeMask:
        mask = selector_mask(snapshot, self.node_selector)
        if self.affinity is not None:
            mask &= self.affinity.mask(snapshot)
        return mask


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    term: CompiledTerm
    weight: int


def compile_term(term: NodeSelectorTerm) -> CompiledTerm:
    return CompiledTerm(
        tuple(map(compile_requirement, term.match_expressions)), tuple(map(compile_requirement, term.match_fields))
    )


def compile_node_selector(selector: NodeSelector) -> CompiledNodeSelector:
    terms = [term for term in selector.node_selector_terms if term.match_expressions or term.match_fields]
    return CompiledNodeSelector(tuple(map(compile_term, terms)))


def compile_preferred(terms: Sequence[PreferredSchedulingTerm]) -> tuple[WeightedTerm, ...]:
    """Terms without weight or without requirements count for nothing."""
    return tuple(
        WeightedTerm(compile_term(each.preference), each.weight)
        for each in terms
        if each.weight and (each.preference.match_expressions or each.preference.match_fields)
    )


def required_node_affinity(pod: Pod) -> RequiredNodeAffinity:
    affinity = pod.spec.affinity
    required = affinity.node_affinity.required if affinity and affinity.node_affinity else None
    return RequiredNodeAffinity(
        selector_from_map(pod.spec.node_selector) if pod.spec.node_selector else EVERYTHING,
        compile_node_selector(required) if required is not None else None,
    )


def selector_mask(snapshot: Snapshot, selector: Selector) -> NodeMask:
    """Nodes whose labels the selector matches."""
    mask = np.full(snapshot.n, not selector.nothing)
    for each in selector.requirements:
        mask &= requirement_mask(snapshot, each)
    return mask


def requirement_mask(snapshot: Snapshot, requirement: Requirement) -> NodeMask:
    """Nodes whose label satisfies the requirement."""
    values = snapshot.label_values(requirement.key)
    # One more entry at the end: code -1, a node without the label.
    answers = [requirement.matches_value(value) for value in values]
    answers.append(requirement.matches_value(None))
    return np.array(answers, dtype=np.bool_)[snapshot.label_codes(requirement.key)]


def has_labels_mask(snapshot: Snapshot, keys: Sequence[str]) -> NodeMask:
    """Nodes that have every one of the labels."""
    mask = np.ones(snapshot.n, dtype=np.bool_)
    for key in keys:
        mask &= snapshot.label_codes(key) >= 0
    return mask


def _name_mask(snapshot: Snapshot, requirement: Requirement) -> NodeMask:
    named = np.zeros(snapshot.n, dtype=np.bool_)
    named[[snapshot.row_of(name) for name in requirement.values if snapshot.has_node(name)]] = True
    return named if requirement.operator is Operator.IN else ~named
