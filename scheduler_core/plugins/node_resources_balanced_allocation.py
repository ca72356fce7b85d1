"""NodeResourcesBalancedAllocation: prefer nodes whose resources would be used evenly.

The score is `(1 - deviation) * 100` of the used fractions, a fraction being at
most 1. Two resources deviate by half their distance. A pod that requests none
of the resources changes nothing, so it is not scored.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import Handle, IntArray, Plugin, Rows
from scheduler_core.framework.normalize import MAX_NODE_SCORE
from scheduler_core.framework.resource_allocation import Asked, NodeShare, ResourceAllocation, Share
from scheduler_core.framework.row_memo import RowMemo
from scheduler_core.framework.status import SKIP, SUCCESS, Status
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.args import NodeResourcesBalancedAllocationArgs
from scheduler_core.snapshot.snapshot import Snapshot

FloatArray = NDArray[np.float64]


class NodeResourcesBalancedAllocation(Plugin):
    """Scores by the deviation of used fractions, on real requests."""

    name = "NodeResourcesBalancedAllocation"
    scores_stay_in_range = True

    def __init__(self, args: NodeResourcesBalancedAllocationArgs, handle: Handle) -> None:
        super().__init__(args, handle)
        self._allocation = ResourceAllocation(args.resources, real_requests=True)
        self._scores: RowMemo[tuple[Asked, ...]] = RowMemo(self._score_many, self._score_one)

    def pre_score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Status:
        return SUCCESS if any(each.amount for each in self._allocation.asked(pod)) else SKIP

    def score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        return self._scores.get(self._allocation.asked(pod), snapshot, rows)

    def _score_many(self, asked: tuple[Asked, ...], snapshot: Snapshot, rows: Rows) -> IntArray:
        return balance(self._allocation.shares(asked, snapshot, rows), len(snapshot.pod_count[rows]))

    def _score_one(self, asked: tuple[Asked, ...], snapshot: Snapshot, row: int) -> int:
        return balance_of_node(self._allocation.node_shares(asked, snapshot, row))


def balance(shares: Sequence[Share], n: int) -> IntArray:
    """0..100 for each of `n` nodes; nodes are grouped by which of the resources they have."""
    if all(share.present is None for share in shares):
        return _score([_fraction(share.requested, share.allocatable) for share in shares], n)
    scores = np.zeros(n, dtype=np.int64)
    have = np.array([share.allocatable != 0 for share in shares])
    for pattern in np.unique(have, axis=1).T:
        nodes = (have == pattern[:, None]).all(axis=0)
        chosen = [share for share, present in zip(shares, pattern, strict=True) if present]
        fractions = [_fraction(share.requested[nodes], share.allocatable[nodes]) for share in chosen]
        scores[nodes] = _score(fractions, int(nodes.sum()))
    return scores


def _fraction(requested: IntArray, allocatable: IntArray) -> FloatArray:
    fraction = requested / allocatable
    return np.minimum(fraction, 1.0, out=fraction)


def _score(fractions: Sequence[FloatArray], n: int) -> IntArray:
    score = 1 - _deviation(fractions, n)
    score *= MAX_NODE_SCORE
    return score.astype(np.int64)


def _deviation(fractions: Sequence[FloatArray], n: int) -> FloatArray:
    if len(fractions) < 2:
        return np.zeros(n, dtype=np.float64)
    if len(fractions) == 2:
        distance = fractions[0] - fractions[1]
        distance /= 2
        return np.abs(distance, out=distance)
    total = sum(fractions[1:], start=fractions[0])
    mean = total / len(fractions)
    squares = sum(((fraction - mean) * (fraction - mean) for fraction in fractions), start=np.zeros(n))
    deviation: FloatArray = np.sqrt(squares / len(fractions))
    return deviation


def balance_of_node(shares: Sequence[NodeShare]) -> int:
    """The same for one node, in plain numbers."""
    fractions = [min(float(requested) / float(has), 1.0) for _, requested, has in shares if has]
    return int((1 - _deviation_of_node(fractions)) * MAX_NODE_SCORE)


def _deviation_of_node(fractions: Sequence[float]) -> float:
    count = len(fractions)
    if count < 2:
        return 0.0
    if count == 2:
        return abs((fractions[0] - fractions[1]) / 2)
    mean = sum(fractions[1:], start=fractions[0]) / count
    squares = sum(((fraction - mean) * (fraction - mean) for fraction in fractions), start=0.0)
    return math.sqrt(squares / count)
