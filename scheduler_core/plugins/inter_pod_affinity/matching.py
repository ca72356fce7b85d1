"""Which pods a term matches, and which terms of existing pods match a pod.

The answers about existing pods are kept per label class of the new pod, until
a class of terms appears or goes, or a namespace changes.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from scheduler_core.framework.interface import Lister
from scheduler_core.framework.memo import GenerationMemo
from scheduler_core.objects.affinity_term import AffinityTerm
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.snapshot.affinity_terms import TermClass, TermKind
from scheduler_core.snapshot.pod_counts import CountedView, LabelClass
from scheduler_core.snapshot.snapshot import Snapshot

_NAMESPACE = "Namespace"


class Matching:
    """Matches pods and terms with the namespaces' labels at hand."""

    def __init__(self, lister: Lister) -> None:
        self._lister = lister
        self._existing: GenerationMemo[tuple[TermClass, ...]] = GenerationMemo()

    def namespace_labels(self, namespace: str) -> Mapping[str, str]:
        """No labels where there is no such namespace."""
        found = self._lister.get(_NAMESPACE, None, namespace)
        return found.metadata.labels if found is not None else {}

    def matches(self, term: AffinityTerm, namespace: str, labels: Mapping[str, str]) -> bool:
        if self._lister.get(_NAMESPACE, None, namespace) is None:
            # A namespace nobody knows is selected by name, or by the selector of all namespaces.
            selected = namespace in term.namespaces or term.namespace_selector.is_empty
            return selected and term.selector.matches(labels)
        return term.matches(namespace, labels, self.namespace_labels(namespace))

    def matches_all(self, terms: Sequence[AffinityTerm], namespace: str, labels: Mapping[str, str]) -> bool:
        """Whether one pod matches every term; False where there are none."""
        return bool(terms) and all(self.matches(term, namespace, labels) for term in terms)

    def pods_matching(self, snapshot: Snapshot, terms: tuple[AffinityTerm, ...]) -> tuple[CountedView, Hashable]:
        """Pods per node that match all of the terms, and what the view is known by."""

        def matches(pods: LabelClass) -> bool:
            return self.matches_all(terms, pods.namespace, pods.labels)

        key = ("InterPodAffinity", terms, self._lister.generation(_NAMESPACE))
        return snapshot.counted_view(key, matches), key

    def existing_terms(self, snapshot: Snapshot, kind: TermKind, pod: PodInfo) -> tuple[TermClass, ...]:
        """The term classes of pods on nodes that match the pod."""
        if not snapshot.affinity_terms(kind):
            return ()
        generation = (snapshot.affinity_term_generation, self._lister.generation(_NAMESPACE))
        key = (kind, pod.label_key)
        found = self._existing.get(generation, key)
        if found is None:
            found = self._existing.put(generation, key, self._find(snapshot, kind, pod))
        return found

    def _find(self, snapshot: Snapshot, kind: TermKind, pod: PodInfo) -> tuple[TermClass, ...]:
        labels = self.namespace_labels(pod.namespace)
        classes = snapshot.affinity_terms(kind)
        return tuple(each for each in classes if each.term.matches(pod.namespace, pod.labels, labels))
