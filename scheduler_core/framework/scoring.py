"""Runs PreScore and Score over the feasible nodes, and chooses among the best.

Scores are `raw`, then `normalized` to 0..100 over the feasible nodes, then
`weighted`; their sum is a node's `total`. A plugin whose PreScore says Skip has
no column. Among nodes with the highest total one is drawn from the scheduler's
seeded generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.answers import score_answer, status_answer
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.filtering import PluginError, rows_count
from scheduler_core.framework.interface import ExtensionPoint, Rows
from scheduler_core.framework.recorder import CycleRecorder
from scheduler_core.framework.runtime import Framework, ScoreEntry, failed, raised
from scheduler_core.framework.status import SUCCESS, Code, Status
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.report import ScoreColumn
from scheduler_core.snapshot.snapshot import Snapshot

MAX_NODE_SCORE = 100


@dataclass(frozen=True, slots=True)
class Scores:
    """Every array has one entry per feasible node, in the order they were found."""

    totals: NDArray[np.int64]
    # Filled where detail is kept.
    columns: list[ScoreColumn]


class ScoreRun(NamedTuple):
    """What every PreScore and Score call of one cycle shares."""

    framework: Framework
    state: CycleState
    pod: PodInfo
    snapshot: Snapshot
    # The feasible nodes.
    rows: Rows
    recorder: CycleRecorder | None


def run_scoring(run: ScoreRun) -> Scores:
    """Raises PluginError."""
    _run_pre_score(run)
    return _run_score(run)


def with_columns(scores: Scores, more: Sequence[ScoreColumn], *, keep: bool) -> Scores:
    """Further scores, weighted already, added to the totals; `keep`: and told."""
    totals = scores.totals
    for column in more:
        totals = totals + column.weighted
    return Scores(totals, [*scores.columns, *more] if keep else scores.columns)


def _run_pre_score(run: ScoreRun) -> None:
    framework, state, pod, snapshot, rows, recorder = run
    if recorder is not None:
        recorder.point(ExtensionPoint.PRE_SCORE)
    for name, plugin in framework.pre_score:
        if recorder is not None:
            recorder.start()
        try:
            status = status_answer(plugin.pre_score(state, pod, snapshot, rows))
        except Exception as exception:  # noqa: BLE001 a broken plugin must not stop the scheduler
            status = raised(name, exception)
        if recorder is not None:
            recorder.ran(name, status)
        if status.code is Code.SKIP:
            state.skip_score_plugins.add(name)
        elif status.code is not Code.SUCCESS:
            raise PluginError(failed(f'running PreScore plugin "{name}"', name, status))


def _run_score(run: ScoreRun) -> Scores:
    framework, state, _, _, _, recorder = run
    if recorder is not None:
        recorder.point(ExtensionPoint.SCORE)
    totals: NDArray[np.int64] | None = None
    columns: list[ScoreColumn] = []
    for entry in framework.score:
        if entry.name in state.skip_score_plugins:
            continue
        if recorder is not None:
            recorder.start()
        raw, normalized = _score_with(run, entry)
        weighted = normalized * entry.weight if entry.weight != 1 else normalized
        totals = weighted if totals is None else totals + weighted
        if recorder is not None:
            recorder.ran(entry.name, SUCCESS)
            columns.append(
                ScoreColumn(plugin=entry.name, weight=entry.weight, raw=raw, normalized=normalized, weighted=weighted)
            )
    return Scores(np.zeros(rows_count(run.rows), dtype=np.int64) if totals is None else totals, columns)


def _score_with(run: ScoreRun, entry: ScoreEntry) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    name, plugin, _, extensions, is_checked = entry
    try:
        raw = plugin.score(run.state, run.pod, run.snapshot, run.rows)
        looked_at = name in run.framework.checked
        if looked_at:
            raw = score_answer(raw, rows_count(run.rows))
        normalized = raw if extensions is None else extensions.normalize(run.state, run.pod, raw)
        if looked_at and extensions is not None:
            normalized = score_answer(normalized, rows_count(run.rows))
    except Exception as exception:
        raise PluginError(failed(f'running Score plugin "{name}"', name, raised(name, exception))) from exception
    # Seen as unsigned, a negative score is a huge one: one comparison for both ends.
    if is_checked and np.maximum.reduce(normalized.view(np.uint64), initial=0) > MAX_NODE_SCORE:
        raise PluginError(_out_of_range(name, normalized))
    return raw, normalized


def _out_of_range(plugin: str, scores: NDArray[np.int64]) -> Status:
    wrong = int(scores[(scores < 0) | (scores > MAX_NODE_SCORE)][0])
    text = (
        f'plugin "{plugin}" returns an invalid score {wrong}, '
        f"it should in the range of [0, {MAX_NODE_SCORE}] after normalizing"
    )
    return Status(Code.ERROR, (text,), plugin)


def best_of(totals: NDArray[np.int64]) -> NDArray[np.intp]:
    """Indices of all nodes with the highest total."""
    return np.flatnonzero(totals == totals[totals.argmax()])
