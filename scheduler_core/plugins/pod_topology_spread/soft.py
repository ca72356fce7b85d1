"""Score by `ScheduleAnyway` constraints: the fewer matching pods in a node's domain, the better.

A constraint with more domains weighs more (by the logarithm of their number),
so that its smaller counts are not drowned. Nodes lacking one of the keys score
0 after normalising.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.domain_totals import DomainTotals
from scheduler_core.framework.interface import IntArray, Rows
from scheduler_core.framework.normalize import MAX_NODE_SCORE
from scheduler_core.framework.rounding import round_half_up
from scheduler_core.objects.node import HOSTNAME_LABEL
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.pod_topology_spread.topology import Domains, Topology
from scheduler_core.snapshot.snapshot import Snapshot


class SoftSpread:
    """The feasible nodes of one cycle; arrays of shape (len(rows),)."""

    def __init__(
        self,
        pod: PodInfo,
        topology: Topology,
        snapshot: Snapshot,
        rows: Rows,
        totals: DomainTotals,
        *,
        require_all_keys: bool,
    ) -> None:
        self._pod = pod
        self._topology = topology
        self._totals = totals
        self._codes = [snapshot.label_codes(each.constraint.topology_key)[rows] for each in topology]
        # Nodes that lack one of the keys; None: no node does, or it does not matter.
        self._ignored = self._incomplete() if require_all_keys else None

    def _incomplete(self) -> NDArray[np.bool_] | None:
        lacking = self._codes[0] < 0
        for codes in self._codes[1:]:
            lacking |= codes < 0
        return lacking if lacking.any() else None

    def raw(self, snapshot: Snapshot, rows: Rows) -> IntArray:
        total = np.zeros(len(self._codes[0]), dtype=np.float64)
        for domains, codes in zip(self._topology, self._codes, strict=True):
            # Code -1, a node without the label, reads the last entry.
            part = self._matching(domains, codes, snapshot, rows) * self._weight(domains, codes)
            part += domains.constraint.max_skew - 1
            total += part if self._ignored is not None or codes.min(initial=0) >= 0 else np.where(codes >= 0, part, 0)
        scores = round_half_up(total)
        if self._ignored is not None:
            scores[self._ignored] = 0
        return scores

    def _matching(
        self, domains: Domains, codes: NDArray[np.int32], snapshot: Snapshot, rows: Rows
    ) -> NDArray[np.float64]:
        """Matching pods in each node's domain."""
        constraint = domains.constraint
        if constraint.topology_key != HOSTNAME_LABEL:
            return domains.matching_pods(snapshot, self._pod.namespace, self._totals)[codes].astype(np.float64)
        if constraint.selector.is_empty:
            return np.zeros(len(codes))
        namespace = frozenset((self._pod.namespace,))
        pods = snapshot.matching_pods(namespace, constraint.selector, include_terminating=False)
        return pods[rows].astype(np.float64)

    def _weight(self, domains: Domains, codes: NDArray[np.int32]) -> float:
        considered = codes if self._ignored is None else codes[~self._ignored]
        if domains.constraint.topology_key == HOSTNAME_LABEL:
            return math.log(len(considered) + 2)
        # A node without the label is in a domain of its own here: code -1, shifted to 0.
        distinct = np.count_nonzero(np.bincount(considered + 1)) if len(considered) else 0
        return math.log(distinct + 2)

    def normalized(self, scores: IntArray) -> IntArray:
        considered = scores if self._ignored is None else scores[~self._ignored]
        if not len(considered):
            return np.zeros_like(scores)
        lowest, highest = int(considered.min()), int(considered.max())
        if highest == 0:
            normalized = np.full_like(scores, MAX_NODE_SCORE)
        else:
            normalized = MAX_NODE_SCORE * (highest + lowest - scores) // highest
        if self._ignored is not None:
            normalized[self._ignored] = 0
        return normalized
