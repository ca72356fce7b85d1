"""Score by preferred terms, and by the required affinity of existing pods.

Each match adds its weight to every node of the domain; anti-affinity takes it
away. The sums are brought to 0..100 between the lowest and the highest.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scheduler_core.framework.interface import IntArray, Rows
from scheduler_core.framework.normalize import MAX_NODE_SCORE
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.inter_pod_affinity.matching import Matching
from scheduler_core.plugins.inter_pod_affinity.topology import DomainPods, Topology, TopologyKey
from scheduler_core.snapshot.affinity_terms import TermClass, TermKind
from scheduler_core.snapshot.snapshot import Snapshot


class TopologyScores:
    """What each domain of each key scores; by key, shape (domains,)."""

    def __init__(self) -> None:
        self._by_key: dict[str, tuple[TopologyKey, IntArray]] = {}

    @property
    def is_nothing(self) -> bool:
        """True: no term matched anything."""
        return not self._by_key

    def add(self, name: str, key: TopologyKey, pods: DomainPods, weight: int) -> None:
        if not pods.total:
            return
        scores = pods.by_domain * np.int64(weight)
        known = self._by_key.get(name)
        self._by_key[name] = (key, scores if known is None else known[1] + scores)

    def raw(self, rows: Rows, n: int) -> IntArray:
        total = np.zeros(n, dtype=np.int64)
        for key, scores in self._by_key.values():
            total += key.at(scores, rows)
        return total


def topology_scores(
    pod: PodInfo, matching: Matching, topology: Topology, snapshot: Snapshot, hard_affinity_weight: int
) -> TopologyScores:
    scores = TopologyScores()
    for sign, preferred in ((1, pod.preferred_affinity_terms), (-1, pod.preferred_anti_affinity_terms)):
        for own in preferred:
            name = own.term.topology_key
            pods = topology.pods_matching(snapshot, (own.term,), name)
            scores.add(name, topology.key(snapshot, name), pods, sign * own.weight)
    for each, weight in _existing(pod, matching, snapshot, hard_affinity_weight):
        name = each.term.topology_key
        scores.add(name, topology.key(snapshot, name), topology.pods_with(snapshot, each), weight)
    return scores


def _existing(
    pod: PodInfo, matching: Matching, snapshot: Snapshot, hard_affinity_weight: int
) -> Iterator[tuple[TermClass, int]]:
    """Terms of existing pods that match the pod, with what each pod that has them adds."""
    for each in matching.existing_terms(snapshot, TermKind.PREFERRED_AFFINITY, pod):
        yield each, each.weight
    for each in matching.existing_terms(snapshot, TermKind.PREFERRED_ANTI_AFFINITY, pod):
        yield each, -each.weight
    if hard_affinity_weight > 0:
        for each in matching.existing_terms(snapshot, TermKind.REQUIRED_AFFINITY, pod):
            yield each, hard_affinity_weight


def normalized(scores: IntArray) -> IntArray:
    if not len(scores):
        return scores
    lowest, highest = int(scores.min()), int(scores.max())
    if highest == lowest:
        return np.zeros_like(scores)
    share = (scores - lowest).astype(np.float64)
    share /= highest - lowest
    share *= MAX_NODE_SCORE
    return share.astype(np.int64)
