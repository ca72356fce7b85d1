"""The search for feasible nodes equals kube-scheduler's, which goes node by node."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.filtering import FilterRun
from scheduler_core.framework.interface import ALL_FIT, ExtensionPoint, Plugin, Rows, Verdicts
from scheduler_core.framework.search import Found, find_feasible, find_feasible_among, nodes_to_find
from scheduler_core.framework.status import unschedulable
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.queue.nominator import Nominator
from scheduler_core.snapshot.snapshot import Snapshot
from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.framework.cast import framework_of, made, snapshot_of

NODES = 300
SNAPSHOT = snapshot_of(*(make_node(f"n{i}") for i in range(NODES)))


class FitsMask(Plugin):
    name = "FitsMask"
    fits: np.ndarray

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        codes = (~self.fits[rows]).astype(np.int16)
        return Verdicts(codes, (unschedulable("no"),)) if codes.any() else ALL_FIT


def run_on(fits: np.ndarray) -> FilterRun:
    framework = framework_of({ExtensionPoint.FILTER: [made(FitsMask, fits=fits)]})
    return FilterRun(framework, CycleState(), make_pod("p").pod_info(), SNAPSHOT, Nominator(), None)


def node_by_node(rows: list[int], fits: np.ndarray, wanted: int) -> tuple[list[int], list[int]]:
    """Feasible and rejected rows as one goes around and stops at one feasible node too many."""
    feasible: list[int] = []
    rejected: list[int] = []
    for row in rows:
        if not fits[row]:
            rejected.append(row)
        elif len(feasible) == wanted:
            break
        else:
            feasible.append(row)
    return feasible, rejected


def rows_of(found: Found) -> tuple[list[int], list[int]]:
    evaluated = SNAPSHOT.all_rows[found.evaluated]
    rejected = [] if found.codes is None else evaluated[found.codes != 0].tolist()
    assert found.evaluated_count == len(evaluated)
    return SNAPSHOT.all_rows[found.feasible].tolist(), rejected


masks = st.one_of(
    st.just(np.ones(NODES, dtype=np.bool_)),
    st.floats(0, 1).map(lambda share: np.random.default_rng(7).random(NODES) < share),
    st.sets(st.integers(0, NODES - 1)).map(lambda rows: np.isin(np.arange(NODES), list(rows))),
)


@given(masks, st.integers(0, NODES - 1), st.integers(1, NODES), st.floats(0, 1))
def test_all_nodes_are_searched_as_one_by_one(fits: np.ndarray, start: int, wanted: int, expected: float) -> None:
    order = [*range(start, NODES), *range(start)]
    assert rows_of(find_feasible(run_on(fits), start, wanted, expected)) == node_by_node(order, fits, wanted)


@given(masks, st.sets(st.integers(0, NODES - 1), min_size=1), st.integers(0, 1000), st.integers(1, NODES))
def test_chosen_nodes_are_searched_as_one_by_one(fits: np.ndarray, rows: set[int], start: int, wanted: int) -> None:
    chosen = sorted(rows)
    offset = start % len(chosen)
    found = find_feasible_among(run_on(fits), np.array(chosen, dtype=np.int32), start, wanted)
    assert rows_of(found) == node_by_node([*chosen[offset:], *chosen[:offset]], fits, wanted)


def test_nothing_is_found_among_no_nodes() -> None:
    found = find_feasible_among(run_on(np.ones(NODES, dtype=np.bool_)), np.empty(0, dtype=np.int32), 5, 1)
    assert (found.feasible_count, found.evaluated_count) == (0, 0)


@pytest.mark.parametrize(
    ("nodes", "percentage", "expected"),
    [
        pytest.param(99, 10, 99, id="a small cluster is searched whole"),
        pytest.param(100, 0, 100, id="never fewer than a hundred"),
        pytest.param(1000, 0, 420, id="adaptive: 50 - 1000/125"),
        pytest.param(5000, 0, 500, id="adaptive: 10 percent"),
        pytest.param(15000, 0, 750, id="adaptive: at least 5 percent"),
        pytest.param(1000, 30, 300, id="as configured"),
        pytest.param(1000, 1, 100, id="as configured, but never fewer than a hundred"),
        pytest.param(1000, 100, 1000, id="everything"),
    ],
)
def test_how_many_feasible_nodes_are_enough(nodes: int, percentage: int, expected: int) -> None:
    assert nodes_to_find(nodes, percentage) == expected
