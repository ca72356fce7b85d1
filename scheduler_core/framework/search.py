"""Looks for enough nodes that fit, beginning where the last pod's search ended.

kube-scheduler goes node by node, from `next_start` around, until it finds one
more feasible node than it wants. Here a whole window of nodes is filtered at
once, and what lies behind that one-too-many node is cut off again: the feasible
nodes, the rejected ones and the next start are those of the serial search.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.filtering import FilterRun, filter_rows
from scheduler_core.framework.interface import Rows, Verdicts
from scheduler_core.framework.status import Status

# Fewer nodes than this are never worth leaving out.
MIN_FEASIBLE_NODES_TO_FIND = 100
MIN_FEASIBLE_NODES_PERCENTAGE = 5
_SMALLEST_WINDOW = 128
# A window is no more than this many times as long as the nodes wanted.
_SMALLEST_SHARE = 0.1


class Found(NamedTuple):
    # Rows of the nodes that fit, in the order they were looked at.
    feasible: Rows
    feasible_count: int
    # Rows that were looked at, in order.
    evaluated: Rows
    evaluated_count: int
    # For each row looked at: 0 fits, k > 0 rejected with `statuses[k - 1]`. None: all fit.
    codes: NDArray[np.int16] | None
    statuses: list[Status]


def nodes_to_find(node_count: int, percentage: int) -> int:
    """How many feasible nodes are enough; a percentage of 0 adapts to the size of the cluster."""
    if node_count < MIN_FEASIBLE_NODES_TO_FIND:
        return node_count
    if not percentage:
        percentage = max(50 - node_count // 125, MIN_FEASIBLE_NODES_PERCENTAGE)
    return max(node_count * percentage // 100, MIN_FEASIBLE_NODES_TO_FIND)


def find_feasible(run: FilterRun, start: int, wanted: int, share: float = 1.0) -> Found:
    """Search all nodes; `share` of them is expected to fit. Raises PluginError."""
    window = slice(start, start + _window_size(wanted, share))
    if window.stop <= run.snapshot.n:
        verdicts = filter_rows(run, window)
        if verdicts.codes is None:
            return _all_fit(window, wanted)
        found = np.flatnonzero(verdicts.codes == 0)
        if len(found) > wanted:
            return _within(window, verdicts.codes, verdicts.statuses, found, wanted)
        return _search(run, _around(run.snapshot.all_rows, start), wanted, verdicts)
    return _search(run, _around(run.snapshot.all_rows, start), wanted)


def _window_size(wanted: int, share: float) -> int:
    """One node more than wanted must be found; a little is added so that one window is enough."""
    return wanted + 1 if share >= 1.0 else int((wanted + 1) / max(share, _SMALLEST_SHARE) * 1.03) + 8


def _within(
    window: slice, codes: NDArray[np.int16], statuses: Sequence[Status], found: NDArray[np.intp], wanted: int
) -> Found:
    """The serial search stops at the node one too many without counting it."""
    end = int(found[wanted])
    feasible = (found[:wanted] + window.start).astype(np.intp)
    evaluated = slice(window.start, window.start + end)
    return Found(feasible, wanted, evaluated, end, codes[:end], list(statuses))


def find_feasible_among(run: FilterRun, rows: NDArray[np.intp], start: int, wanted: int) -> Found:
    """Search the given nodes only. Raises PluginError."""
    return _search(run, _around(rows, start % len(rows)) if len(rows) else rows, wanted)


def _around(rows: NDArray[np.intp], start: int) -> NDArray[np.intp]:
    return np.concatenate((rows[start:], rows[:start])) if start else rows


def _all_fit(window: slice, wanted: int) -> Found:
    """What is behind the last wanted node was not looked at by the serial search."""
    rows = slice(window.start, window.start + wanted)
    return Found(rows, wanted, rows, wanted, None, [])


def _search(run: FilterRun, rows: NDArray[np.intp], wanted: int, first: Verdicts | None = None) -> Found:
    """Window after window, each as long as the share of nodes that fitted so far suggests.

    `first` is the answer for the first window, where it is known already.
    """
    first_codes = None if first is None else first.codes
    parts: list[NDArray[np.int16]] = []
    statuses: list[Status] = []
    looked_at = feasible = 0
    size = wanted + 1 if first_codes is None else len(first_codes)
    while looked_at < len(rows) and feasible <= wanted:
        window = rows[looked_at : looked_at + size]
        verdicts = first if first is not None and not looked_at else filter_rows(run, window)
        codes = np.zeros(len(window), dtype=np.int16) if verdicts.codes is None else verdicts.codes
        parts.append(np.where(codes != 0, codes + len(statuses), 0).astype(np.int16) if statuses else codes)
        statuses.extend(verdicts.statuses)
        looked_at += len(window)
        feasible += len(window) - int(np.count_nonzero(codes))
        size = _next_size(wanted + 1 - feasible, feasible, looked_at)
    all_codes = parts[0] if len(parts) == 1 else np.concatenate(parts or [np.empty(0, dtype=np.int16)])
    return _cut(rows[:looked_at], all_codes, statuses, wanted)


def _next_size(missing: int, feasible: int, looked_at: int) -> int:
    return max(_SMALLEST_WINDOW, missing * looked_at * 5 // (max(feasible, 1) * 4))


def _cut(rows: NDArray[np.intp], codes: NDArray[np.int16], statuses: list[Status], wanted: int) -> Found:
    found = np.flatnonzero(codes == 0)
    if len(found) > wanted:
        # The serial search stops at this node without counting it.
        end = int(found[wanted])
        rows, codes, found = rows[:end], codes[:end], found[:wanted]
    return Found(rows[found], len(found), rows, len(rows), codes, statuses)
