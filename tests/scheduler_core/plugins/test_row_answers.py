"""The answer for one node, in plain numbers, is the answer NumPy gives for many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.framework.resource_allocation import NodeShare, Share
from scheduler_core.plugins.args import RequestedToCapacityRatioParam, ScoringStrategy, UtilizationShapePoint
from scheduler_core.plugins.node_resources_balanced_allocation import balance, balance_of_node
from scheduler_core.plugins.node_resources_fit.scoring_strategies import scoring_strategy

SHAPE = tuple(UtilizationShapePoint(utilization=x, score=y) for x, y in ((0, 2), (30, 10), (70, 3), (100, 7)))
RATIO = RequestedToCapacityRatioParam(shape=SHAPE)

amounts = st.one_of(st.integers(0, 100), st.integers(0, 2**40), st.sampled_from([1000, 4000, 16 * 2**30]))
# Some nodes, each with the same number of resources of equal weights.
clusters = st.integers(1, 3).flatmap(
    lambda count: st.tuples(
        st.lists(st.integers(1, 5), min_size=count, max_size=count),
        st.lists(st.lists(st.tuples(amounts, amounts), min_size=count, max_size=count), min_size=1, max_size=6),
    )
)


def columns(cluster: Any) -> list[Share]:
    weights, nodes = cluster
    shares = []
    for i, weight in enumerate(weights):
        requested = np.array([node[i][0] for node in nodes], dtype=np.int64)
        allocatable = np.array([node[i][1] for node in nodes], dtype=np.int64)
        present = None if (allocatable > 0).all() else allocatable != 0
        shares.append(Share(weight, requested, allocatable, present))
    return shares


def rows(cluster: Any) -> list[Sequence[NodeShare]]:
    weights, nodes = cluster
    return [[NodeShare(weight, *amount) for weight, amount in zip(weights, node, strict=True)] for node in nodes]


@pytest.mark.parametrize(
    "strategy",
    [
        ScoringStrategy(type="LeastAllocated"),
        ScoringStrategy(type="MostAllocated"),
        ScoringStrategy(type="RequestedToCapacityRatio", requested_to_capacity_ratio=RATIO),
    ],
    ids=lambda strategy: strategy.type,
)
@given(cluster=clusters)
def test_a_scoring_strategy(strategy: ScoringStrategy, cluster: Any) -> None:
    many, one = scoring_strategy(strategy)
    scores = many(columns(cluster), len(cluster[1])).tolist()
    assert scores == [one(shares) for shares in rows(cluster)]
    assert all(0 <= score <= 100 for score in scores)


@given(cluster=clusters)
def test_balanced_allocation(cluster: Any) -> None:
    scores = balance(columns(cluster), len(cluster[1])).tolist()
    assert scores == [balance_of_node(shares) for shares in rows(cluster)]
    assert all(0 <= score <= 100 for score in scores)
