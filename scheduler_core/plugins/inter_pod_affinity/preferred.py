"""Score by preferred terms, and by the required affinity of existing pods.

Each match adds its weight to every node of the domain; anti-affinity takes it
away. The sums are brought to 0..100 between the lowest and the highest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.interface import IntArray, Rows
from scheduler_core.framework.normalize import MAX_NODE_SCORE
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.inter_pod_affinity.matching import Matching
from scheduler_core.plugins.inter_pod_affinity.topology import TopologyKey, TopologyKeys
from scheduler_core.snapshot.affinity_terms import TermKind
from scheduler_core.snapshot.snapshot import Snapshot


class TopologyScores:
    """What each domain of each key scores; by key, shape (domains,)."""

    def __init__(self, by_key: dict[str, tuple[TopologyKey, IntArray]]) -> None:
        self._by_key = by_key

    @property
    def is_nothing(self) -> bool:
        """True: no term matched anything."""
        return not self._by_key

    def raw(self, rows: Rows, n: int) -> IntArray:
        total = np.zeros(n, dtype=np.int64)
        for key, scores in self._by_key.values():
            total += key.spread(scores, rows)
        return total


def topology_scores(
    pod: PodInfo, matching: Matching, topology: TopologyKeys, snapshot: Snapshot, hard_affinity_weight: int
) -> TopologyScores:
    columns: dict[str, list[tuple[NDArray[np.int32], int]]] = {}

    def add(name: str, column: NDArray[np.int32], weight: int) -> None:
        if topology.get(snapshot, name).labelled(column):
            columns.setdefault(name, []).append((column, weight))

    for sign, preferred in ((1, pod.preferred_affinity_terms), (-1, pod.preferred_anti_affinity_terms)):
        for own in preferred:
            add(own.term.topology_key, matching.pods_matching(snapshot, (own.term,)), sign * own.weight)
    for sign, kind in ((1, TermKind.PREFERRED_AFFINITY), (-1, TermKind.PREFERRED_ANTI_AFFINITY)):
        for each in matching.existing_terms(snapshot, kind, pod):
            add(each.term.topology_key, snapshot.term_pods(each), sign * each.weight)
    if hard_affinity_weight > 0:
        for each in matching.existing_terms(snapshot, TermKind.REQUIRED_AFFINITY, pod):
            add(each.term.topology_key, snapshot.term_pods(each), hard_affinity_weight)
    keys = {name: topology.get(snapshot, name) for name in columns}
    return TopologyScores({name: (keys[name], keys[name].by_domain(each)) for name, each in columns.items()})


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
