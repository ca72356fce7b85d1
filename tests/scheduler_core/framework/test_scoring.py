"""PreScore, Score, normalising, weights, and the best."""

from __future__ import annotations

import numpy as np
import pytest

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.filtering import PluginError
from scheduler_core.framework.interface import ExtensionPoint, IntArray, Plugin, Rows
from scheduler_core.framework.recorder import CycleRecorder, no_stopwatch
from scheduler_core.framework.scoring import ScoreRun, Scores, best_of, run_scoring
from scheduler_core.framework.status import SKIP, SUCCESS, Status, error
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot
from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.framework.cast import ScoreNames, framework_of, made, snapshot_of

SNAPSHOT = snapshot_of(make_node("n1"), make_node("n2"), make_node("n3"))


class Halved(ScoreNames):
    """Normalises by halving."""

    name = "Halved"
    pre_score_status: Status = SUCCESS

    def pre_score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Status:
        return self.pre_score_status

    def normalize(self, state: CycleState, pod: PodInfo, scores: IntArray) -> IntArray:
        return scores // 2


def scores_of(*plugins: Plugin, recorder: CycleRecorder | None = None, **weights: int) -> Scores:
    pre_score = [plugin for plugin in plugins if hasattr(plugin, "pre_score")]
    framework = framework_of({ExtensionPoint.SCORE: plugins, ExtensionPoint.PRE_SCORE: pre_score}, **weights)
    run = ScoreRun(framework, CycleState(), make_pod("p").pod_info(), SNAPSHOT, slice(0, 3), recorder)
    return run_scoring(run)


def test_a_total_is_the_sum_of_normalised_scores_times_weights() -> None:
    plain = made(ScoreNames, scores={"n1": 10, "n2": 20})
    halved = made(Halved, scores={"n2": 200, "n3": 50})
    assert scores_of(plain, halved, ScoreNames=3).totals.tolist() == [30, 160, 25]


def test_the_report_has_each_step_of_a_score() -> None:
    halved = made(Halved, scores={"n2": 200, "n3": 50})
    (column,) = scores_of(halved, recorder=CycleRecorder(no_stopwatch), Halved=2).columns
    assert (column.plugin, column.weight) == ("Halved", 2)
    assert [column.raw.tolist(), column.normalized.tolist(), column.weighted.tolist()] == [
        [0, 200, 50],
        [0, 100, 25],
        [0, 200, 50],
    ]


def test_a_plugin_that_skipped_has_no_column() -> None:
    halved = made(Halved, scores={"n1": 100}, pre_score_status=SKIP)
    scores = scores_of(halved, recorder=CycleRecorder(no_stopwatch))
    assert (scores.columns, scores.totals.tolist()) == ([], [0, 0, 0])


@pytest.mark.parametrize("wrong", [-1, 101])
def test_a_score_out_of_range_fails_the_cycle(wrong: int) -> None:
    with pytest.raises(PluginError, match=rf'plugin "ScoreNames" returns an invalid score {wrong}, .* \[0, 100\]'):
        scores_of(made(ScoreNames, scores={"n2": wrong}))


def test_a_plugin_that_fails_at_pre_score_is_named() -> None:
    with pytest.raises(PluginError, match='running PreScore plugin "Halved": no weights'):
        scores_of(made(Halved, pre_score_status=error("no weights")))


def test_a_plugin_that_raises_at_score_is_named() -> None:
    with pytest.raises(PluginError, match='running Score plugin "ScoreNames"'):
        scores_of(made(ScoreNames, scores=None))


def test_all_nodes_with_the_highest_total_are_the_best() -> None:
    assert best_of(np.array([5, 9, 1, 9])).tolist() == [1, 3]
