"""The plugin: extension points and events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import (
    NOTHING_TO_FILTER,
    EventRegistration,
    Handle,
    HintAnswer,
    IntArray,
    Plugin,
    PreFilterResult,
    Rows,
    Verdicts,
)
from scheduler_core.framework.status import SKIP, SUCCESS, Status
from scheduler_core.objects.affinity_term import AffinityTerm
from scheduler_core.objects.node import Namespace, Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.args import InterPodAffinityArgs
from scheduler_core.plugins.inter_pod_affinity.matching import Matching
from scheduler_core.plugins.inter_pod_affinity.preferred import TopologyScores, normalized, topology_scores
from scheduler_core.plugins.inter_pod_affinity.required import RequiredTerms, required_terms
from scheduler_core.plugins.inter_pod_affinity.topology import Topology
from scheduler_core.snapshot.affinity_terms import TermKind
from scheduler_core.snapshot.snapshot import Snapshot

_REQUIRED = "InterPodAffinity/required"
_PREFERRED = "InterPodAffinity/preferred"


class InterPodAffinity(Plugin):
    """Filters by required, scores by preferred pod affinity and anti-affinity."""

    name = "InterPodAffinity"
    scores_stay_in_range = True

    def __init__(self, args: InterPodAffinityArgs, handle: Handle) -> None:
        super().__init__(args, handle)
        self._hard_affinity_weight = args.hard_pod_affinity_weight
        self._ignore_existing = args.ignore_preferred_terms_of_existing_pods
        self._matching = Matching(handle.lister)
        self._topology = Topology(self._matching)

    def pre_filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot) -> PreFilterResult:
        if not pod.has_pod_affinity and not snapshot.affinity_terms(TermKind.REQUIRED_ANTI_AFFINITY):
            return NOTHING_TO_FILTER
        required = required_terms(pod, self._matching, self._topology, snapshot)
        if required is None:
            return NOTHING_TO_FILTER
        state.write(_REQUIRED, required)
        return PreFilterResult()

    def add_pod(self, state: CycleState, pod: PodInfo, added: PodInfo, row: int) -> Status:
        return self._pod_changed(state, added, row, 1)

    def remove_pod(self, state: CycleState, pod: PodInfo, removed: PodInfo, row: int) -> Status:
        return self._pod_changed(state, removed, row, -1)

    def _pod_changed(self, state: CycleState, changed: PodInfo, row: int, change: int) -> Status:
        required: RequiredTerms | None = state.get(_REQUIRED)
        if required is not None:
            required.pod_changed(self.handle.snapshot, self._topology, changed, row, change)
        return SUCCESS

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        required: RequiredTerms = state.read(_REQUIRED)
        return required.verdicts(snapshot, rows)

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        required = required_terms(pod, self._matching, self._topology, snapshot)
        return [] if required is None else required.remedies(snapshot, row, self._topology)

    def pre_score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Status:
        if not pod.has_pod_affinity and not snapshot.has_affinity_terms:
            return SKIP
        has_preferred = pod.preferred_affinity_terms or pod.preferred_anti_affinity_terms
        if self._ignore_existing and not has_preferred:
            return SKIP
        scores = topology_scores(pod, self._matching, self._topology, snapshot, self._hard_affinity_weight)
        if scores.is_nothing:
            return SKIP
        state.write(_PREFERRED, scores)
        return SUCCESS

    def score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        scores: TopologyScores = state.read(_PREFERRED)
        return scores.raw(rows, len(snapshot.pod_count[rows]))

    def normalize(self, state: CycleState, pod: PodInfo, scores: IntArray) -> IntArray:
        return normalized(scores)

    # --- events ---

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (
            on("Pod", "Add", "Delete", "UpdatePodLabel", hint=self._pod_changed_hint),
            on("Node", "Add", "UpdateNodeLabel", hint=self._node_changed_hint),
        )

    def further_events(self) -> Sequence[EventRegistration]:
        # kube-scheduler's hint about pods does not know the labels of their namespaces. And a namespace that
        # comes under a term's selector, or leaves it, is as good as pods that come or go.
        return (
            on("Pod", "Add", "Delete", "UpdatePodLabel", hint=self._pod_of_namespace_changed_hint),
            on("Namespace", "Update", hint=self._namespace_changed_hint),
        )

    def _pod_of_namespace_changed_hint(self, pod: PodInfo, old: Pod | None, new: Pod | None) -> HintAnswer:
        own = (*pod.required_affinity_terms, *pod.required_anti_affinity_terms)
        if all(term.namespace_selector.nothing for term in own):
            return skip("no term of the pod selects namespaces by labels")
        return _pod_changed_hint(pod, old, new, self._matching.matches_all)

    def _namespace_changed_hint(self, pod: PodInfo, old: Namespace | None, new: Namespace | None) -> HintAnswer:
        if old is None or new is None or old.metadata.labels == new.metadata.labels:
            return skip("the labels of the namespace did not change")
        if new.name == pod.namespace:
            return queue("terms of existing pods may select the pod's namespace differently now")
        selectors = [
            term.namespace_selector for term in (*pod.required_affinity_terms, *pod.required_anti_affinity_terms)
        ]
        before, after = old.metadata.labels, new.metadata.labels
        if any(selector.matches(before) != selector.matches(after) for selector in selectors):
            return queue("a term of the pod selects the namespace differently now")
        return skip("no term of the pod selects the namespace differently")

    def _pod_changed_hint(self, pod: PodInfo, old: Pod | None, new: Pod | None) -> HintAnswer:
        return _pod_changed_hint(pod, old, new, _matches_all_by_name)

    def _node_changed_hint(self, pod: PodInfo, old: Node | None, new: Node | None) -> HintAnswer:
        if new is None:
            return skip("the node is gone")
        if any(_may_match(term, old, new) for term in pod.required_affinity_terms):
            return queue("the node is in another domain of the pod's affinity now")
        if any(_may_not_conflict(term, old, new) for term in pod.required_anti_affinity_terms):
            return queue("the node is in another domain of the pod's anti-affinity now")
        return skip("the node is in the same domains of the pod's terms as before")


# (terms, namespace, labels) -> whether one pod matches all of the terms
_MatchesAll = Callable[[Sequence[AffinityTerm], str, Mapping[str, str]], bool]


def _matches_all_by_name(terms: Sequence[AffinityTerm], namespace: str, labels: Mapping[str, str]) -> bool:
    """Namespaces are told by their names only; to a selector they have no labels."""
    return bool(terms) and all(term.matches(namespace, labels, {}) for term in terms)


def _pod_changed_hint(pod: PodInfo, old: Pod | None, new: Pod | None, matches_all: _MatchesAll) -> HintAnswer:
    if any(each is not None and not each.spec.node_name for each in (old, new)):
        return skip("the other pod is on no node")

    def matches(terms: Sequence[AffinityTerm], other: Pod | None) -> bool:
        return other is not None and matches_all(terms, PodInfo(other).namespace, other.metadata.labels)

    affinity, anti_affinity = pod.required_affinity_terms, pod.required_anti_affinity_terms
    if matches(affinity, new) and not matches(affinity, old):
        return queue("a pod that the pod's affinity wants is there now")
    if matches(anti_affinity, old) and not matches(anti_affinity, new):
        return queue("a pod that the pod's anti-affinity avoids is there no more")
    return skip("the other pod changes nothing for the pod's required terms")


def _may_match(term: AffinityTerm, old: Node | None, new: Node) -> bool:
    before = old.labels.get(term.topology_key) if old is not None else None
    now = new.labels.get(term.topology_key)
    return now is not None and now != before


def _may_not_conflict(term: AffinityTerm, old: Node | None, new: Node) -> bool:
    if old is None:
        return True
    before = old.labels.get(term.topology_key)
    return before is not None and before != new.labels.get(term.topology_key)
