"""LeastAllocated, MostAllocated, RequestedToCapacityRatio.

A strategy gives each resource 0..100 and combines them by weight, in integers,
as kube-scheduler does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from scheduler_core.framework.interface import IntArray
from scheduler_core.framework.normalize import MAX_NODE_SCORE
from scheduler_core.framework.resource_allocation import NodeShare, Share
from scheduler_core.framework.rounding import round_half_up
from scheduler_core.plugins.args import ScoringStrategy, UtilizationShapePoint


class Strategy(NamedTuple):
    """One rule in two forms that agree."""

    # Scores of nodes from the shares of their resources; the number of nodes is given.
    many: Callable[[Sequence[Share], int], IntArray]
    # Score of one node, in plain numbers.
    one: Callable[[Sequence[NodeShare]], int]


# Shapes are written with scores of 0..10.
_SHAPE_SCALE = MAX_NODE_SCORE // 10


def scoring_strategy(strategy: ScoringStrategy) -> Strategy:
    """The strategy as a function. Raises ValueError for an unknown one."""
    match strategy.type:
        case "LeastAllocated":
            return Strategy(lambda shares, n: _weighted_mean(shares, n, least_allocated), _least_allocated_of_node)
        case "MostAllocated":
            return Strategy(lambda shares, n: _weighted_mean(shares, n, most_allocated), _most_allocated_of_node)
        case "RequestedToCapacityRatio":
            param = strategy.requested_to_capacity_ratio
            scores = shape_scores(param.shape if param else ())
            table = scores.tolist()
            return Strategy(
                lambda shares, n: _requested_to_capacity_ratio(shares, n, scores),
                lambda shares: _requested_to_capacity_ratio_of_node(shares, table),
            )
    raise ValueError(f"scoringStrategy.type: {strategy.type!r} is not a scoring strategy")


def least_allocated(share: Share) -> IntArray:
    """The free part; 0 where more is requested than there is."""
    free = np.maximum(share.allocatable - share.requested, 0)
    return _percent(free, share)


def most_allocated(share: Share) -> IntArray:
    """The requested part; 100 where more is requested than there is."""
    return _percent(np.minimum(share.requested, share.allocatable), share)


def _percent(part: IntArray, share: Share) -> IntArray:
    part *= MAX_NODE_SCORE
    if share.present is None:
        part //= share.allocatable
        return part
    return part // np.maximum(share.allocatable, 1)


def _weighted_mean(shares: Sequence[Share], n: int, score: Callable[[Share], IntArray]) -> IntArray:
    if shares and all(share.present is None for share in shares):
        return _mean_of_all(shares, score)
    total = np.zeros(n, dtype=np.int64)
    weights = np.zeros(n, dtype=np.int64)
    for share in shares:
        present = share.allocatable != 0
        total += np.where(present, score(share) * share.weight, 0)
        weights += np.where(present, share.weight, 0)
    return total // np.maximum(weights, 1)


def _mean_of_all(shares: Sequence[Share], score: Callable[[Share], IntArray]) -> IntArray:
    total = score(shares[0])
    if shares[0].weight != 1:
        total *= shares[0].weight
    for share in shares[1:]:
        part = score(share)
        total += part if share.weight == 1 else part * share.weight
    weights = sum(share.weight for share in shares)
    return total // weights if weights > 1 else total


def _requested_to_capacity_ratio(shares: Sequence[Share], n: int, scores: IntArray) -> IntArray:
    """Resources that score 0 do not count in the mean either."""
    total = np.zeros(n, dtype=np.int64)
    weights = np.zeros(n, dtype=np.int64)
    for share in shares:
        fits = (share.allocatable > 0) & (share.requested <= share.allocatable)
        utilization = share.requested * 100 // np.maximum(share.allocatable, 1)
        score = scores[np.where(fits, utilization, 100)]
        counts = (share.allocatable != 0) & (score > 0)
        total += np.where(counts, score * share.weight, 0)
        weights += np.where(counts, share.weight, 0)
    return np.where(weights > 0, round_half_up(total / np.maximum(weights, 1)), 0)


def _least_allocated_of_node(shares: Sequence[NodeShare]) -> int:
    total = weights = 0
    for weight, requested, allocatable in shares:
        if allocatable:
            total += max(allocatable - requested, 0) * MAX_NODE_SCORE // max(allocatable, 1) * weight
            weights += weight
    return total // max(weights, 1)


def _most_allocated_of_node(shares: Sequence[NodeShare]) -> int:
    total = weights = 0
    for weight, requested, allocatable in shares:
        if allocatable:
            total += min(requested, allocatable) * MAX_NODE_SCORE // max(allocatable, 1) * weight
            weights += weight
    return total // max(weights, 1)


def _requested_to_capacity_ratio_of_node(shares: Sequence[NodeShare], scores: Sequence[int]) -> int:
    total = weights = 0
    for weight, requested, allocatable in shares:
        fits = allocatable > 0 and requested <= allocatable
        score = scores[requested * 100 // allocatable if fits else 100]
        if allocatable and score > 0:
            total += score * weight
            weights += weight
    if not weights:
        return 0
    mean = total / weights
    whole = math.floor(mean)
    return whole + (mean - whole >= 0.5)


def shape_scores(shape: Sequence[UtilizationShapePoint]) -> IntArray:
    """The piecewise linear function as a table over 0..100 percent."""
    points = [(point.utilization, point.score * _SHAPE_SCALE) for point in shape]
    return np.array([_interpolate(points, percent) for percent in range(101)], dtype=np.int64)


def _interpolate(points: Sequence[tuple[int, int]], percent: int) -> int:
    if not points:
        return 0
    for i, (x, y) in enumerate(points):
        if percent <= x:
            if i == 0:
                return y
            before_x, before_y = points[i - 1]
            return before_y + _truncated((y - before_y) * (percent - before_x), x - before_x)
    return points[-1][1]


def _truncated(dividend: int, divisor: int) -> int:
    """Integer division towards zero."""
    return dividend // divisor if dividend >= 0 else -(-dividend // divisor)
