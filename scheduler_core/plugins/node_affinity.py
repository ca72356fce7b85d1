"""NodeAffinity: the labels (or the name) a pod wants its node to have.

Required affinity filters, preferred affinity scores. The arguments may add
affinity of both sorts to every pod of the profile. A pod that names its node by
`matchFields` narrows the search to it in PreFilter, so that a daemon's pod does
not look at the whole cluster.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import (
    ALL_FIT,
    EventRegistration,
    FilterReads,
    Handle,
    HintAnswer,
    IntArray,
    Plugin,
    PreFilterResult,
    Rows,
    Verdicts,
)
from scheduler_core.framework.memo import GenerationMemo
from scheduler_core.framework.normalize import normalize_to_maximum
from scheduler_core.framework.status import SKIP, SUCCESS, Status, error, unresolvable
from scheduler_core.objects.affinity import NodeSelector
from scheduler_core.objects.label_selector import Operator, Requirement
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.args import NodeAffinityArgs
from scheduler_core.snapshot.node_selection import (
    NAME_FIELD,
    CompiledNodeSelector,
    CompiledTerm,
    WeightedTerm,
    compile_node_selector,
    compile_preferred,
    required_node_affinity,
)
from scheduler_core.snapshot.snapshot import Snapshot

NO_MATCH = unresolvable("node(s) didn't match Pod's node affinity/selector")
NO_MATCH_ADDED = unresolvable("node(s) didn't match scheduler-enforced node affinity")
CONFLICT = unresolvable("pod affinity terms conflict")


class NodeAffinity(Plugin):
    """Filters by required, scores by preferred node affinity."""

    name = "NodeAffinity"
    filter_reads = FilterReads.NODE
    scores_stay_in_range = True

    def __init__(self, args: NodeAffinityArgs, handle: Handle) -> None:
        super().__init__(args, handle)
        added = args.added_affinity
        self._added_required: CompiledNodeSelector | None = (
            compile_node_selector(added.required) if added and added.required else None
        )
        self._added_preferred = compile_preferred(added.preferred) if added else ()
        # Of all nodes.
        self._verdicts: GenerationMemo[Verdicts] = GenerationMemo()
        self._scores: GenerationMemo[IntArray] = GenerationMemo()

    def pre_filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot) -> PreFilterResult:
        required = _required(pod)
        if required is None:
            if self._added_required is None and not pod.pod.spec.node_selector:
                return PreFilterResult(SKIP)
            return PreFilterResult()
        names = _named_nodes(required)
        if names is None:
            return PreFilterResult()
        return PreFilterResult(SUCCESS, names) if names else PreFilterResult(CONFLICT)

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        verdicts = self._verdicts.get(snapshot.node_generation, pod.class_key)
        if verdicts is None:
            verdicts = self._verdicts.put(snapshot.node_generation, pod.class_key, self._all_verdicts(pod, snapshot))
        if verdicts.codes is None:
            return ALL_FIT
        return Verdicts(verdicts.codes[rows], verdicts.statuses)

    def _all_verdicts(self, pod: PodInfo, snapshot: Snapshot) -> Verdicts:
        codes = np.where(required_node_affinity(pod.pod).mask(snapshot), 0, 1).astype(np.int16)
        if self._added_required is not None:
            codes[~self._added_required.mask(snapshot)] = 2
        return Verdicts(codes, (NO_MATCH, NO_MATCH_ADDED)) if codes.any() else ALL_FIT

    def pre_score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Status:
        preferred = _preferred(pod)
        if not _has_preferred(pod) and not self._added_preferred:
            return SKIP
        broken = next((each.term for each in preferred if not each.term.is_valid), None)
        if broken is not None:
            return error(f"a preferred node affinity term of the pod cannot be evaluated: {broken}")
        return SUCCESS

    def score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        scores = self._scores.get(snapshot.node_generation, pod.class_key)
        if scores is None:
            scores = self._scores.put(snapshot.node_generation, pod.class_key, self._all_scores(pod, snapshot))
        return scores[rows]

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        """Alternatives where there are several terms: one of them is enough."""
        node, required = snapshot.node_at(row), required_node_affinity(pod.pod)
        unmet = [each for each in required.node_selector.requirements if not _holds(each, node)]
        found = [f"a node with {each}" for each in unmet]
        for selector in (self._added_required, required.affinity):
            if selector is not None and not selector.matches(node):
                found += [f"a node with {_unmet(term, node)}" for term in selector.terms]
        return found

    def _all_scores(self, pod: PodInfo, snapshot: Snapshot) -> IntArray:
        scores = np.zeros(snapshot.n, dtype=np.int64)
        for each in (*self._added_preferred, *_preferred(pod)):
            scores += each.weight * each.term.mask(snapshot)
        return scores

    def normalize(self, state: CycleState, pod: PodInfo, scores: IntArray) -> IntArray:
        return normalize_to_maximum(scores)

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (on("Node", "Add", "UpdateNodeLabel", hint=self._node_changed),)

    def _node_changed(self, pod: PodInfo, old: Node | None, new: Node | None) -> HintAnswer:
        if new is None:
            return skip("the node is gone")
        if self._added_required is not None and not self._added_required.matches(new):
            return skip("the node does not match the affinity of the profile")
        required = required_node_affinity(pod.pod)
        if not required.matches(new):
            return skip("the node does not match the pod's node affinity or selector")
        if old is not None and required.matches(old):
            return skip("the node matched before, too")
        return queue("the node matches the pod's node affinity and selector now")


def _holds(requirement: Requirement, node: Node) -> bool:
    return requirement.matches_value(node.labels.get(requirement.key))


def _unmet(term: CompiledTerm, node: Node) -> str:
    labels = [str(each) for each in term.labels if not _holds(each, node)]
    names = [str(each) for each in term.fields if not each.matches_value(node.name)]
    return " and ".join([*labels, *names])


def _required(pod: PodInfo) -> NodeSelector | None:
    affinity = pod.pod.spec.affinity
    return affinity.node_affinity.required if affinity and affinity.node_affinity else None


def _has_preferred(pod: PodInfo) -> bool:
    affinity = pod.pod.spec.affinity
    return bool(affinity and affinity.node_affinity and affinity.node_affinity.preferred)


def _preferred(pod: PodInfo) -> tuple[WeightedTerm, ...]:
    affinity = pod.pod.spec.affinity
    if affinity is None or affinity.node_affinity is None:
        return ()
    return compile_preferred(affinity.node_affinity.preferred)


def _named_nodes(required: NodeSelector) -> frozenset[str] | None:
    """The nodes that the terms name by `matchFields`; None where some term names none."""
    names: frozenset[str] = frozenset()
    for term in required.node_selector_terms:
        sets = [
            frozenset(each.values)
            for each in term.match_fields
            if each.key == NAME_FIELD and each.operator is Operator.IN
        ]
        if not sets:
            return None
        names |= frozenset.intersection(*sets)
    return names if required.node_selector_terms else None
