"""Runs Filter for many nodes at once, and again for nodes that pods are nominated to.

Plugins are asked in the profile's order and only the first one that rejects a
node is reported. A plugin is asked about all nodes of a window while most of
them still pass; once many are rejected, about the remaining ones only.

Pods nominated to a node (they preempted others there and wait for the room)
with at least the pod's priority are counted as if they were there, unless the
pod fits only because of them: a node passes if it does both with and without.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.answers import filter_answer
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import ALL_FIT, NominatedPods, Rows, Verdicts
from scheduler_core.framework.nominated import CountedPods, counted_pods
from scheduler_core.framework.recorder import CycleRecorder
from scheduler_core.framework.room import Room, RoomFilter, room_of, sole_room_filter
from scheduler_core.framework.runtime import Framework, failed, raised
from scheduler_core.framework.status import SUCCESS, Code, Status
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot

# A window this much thinned out is asked about row by row from there on.
_NARROW_BELOW = 0.5


class PluginError(Exception):
    """A plugin answered Error or raised; ends the cycle."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.message)
        self.status = status


class FilterRun(NamedTuple):
    """What every Filter call of one search shares."""

    framework: Framework
    state: CycleState
    pod: PodInfo
    snapshot: Snapshot
    nominated: NominatedPods
    recorder: CycleRecorder | None


def rows_array(snapshot: Snapshot, rows: Rows) -> NDArray[np.intp]:
    return snapshot.all_rows[rows] if isinstance(rows, slice) else rows


def rows_count(rows: Rows) -> int:
    return rows.stop - rows.start if isinstance(rows, slice) else len(rows)


def filter_rows(run: FilterRun, rows: Rows) -> Verdicts:
    """First rejections of the selected nodes, nominated pods considered. Raises PluginError."""
    verdicts = _filter_plainly(run, run.state, rows)
    return _with_nominated_pods(run, rows, verdicts) if len(run.nominated) else verdicts


def _filter_plainly(run: FilterRun, state: CycleState, rows: Rows) -> Verdicts:
    codes: NDArray[np.int16] | None = None
    statuses: list[Status] = []
    passing = total = rows_count(rows)
    # Where in `codes` the rows now asked about are; None: all of them.
    where: NDArray[np.intp] | None = None
    skipped, recorder = state.skip_filter_plugins, run.recorder
    for name, plugin in run.framework.filter:
        if name in skipped:
            continue
        if recorder is not None:
            recorder.start()
        asked = rows if where is None else rows_array(run.snapshot, rows)[where]
        try:
            answer = plugin.filter(state, run.pod, run.snapshot, asked)
            if name in run.framework.checked:
                answer = filter_answer(answer, rows_count(asked))
        except Exception as exception:
            raise _broken(name, raised(name, exception)) from exception
        rejected = 0
        if answer.codes is not None:
            if codes is None:
                codes = np.zeros(total, dtype=np.int16)
            _merge(codes, where, answer.codes, len(statuses))
            _sign(name, answer.statuses, statuses)
            left = total - int(np.count_nonzero(codes))
            rejected, passing = passing - left, left
        if recorder is not None:
            recorder.ran_again(name, rejected)
        if not passing:
            break
        if passing < total * _NARROW_BELOW or (passing < total and getattr(plugin, "costly", False)):
            where = np.flatnonzero(codes == 0)
    return ALL_FIT if codes is None or passing == total else Verdicts(codes, statuses)


def _merge(codes: NDArray[np.int16], where: NDArray[np.intp] | None, answer: NDArray[np.int16], known: int) -> None:
    """Write rejections into `codes` where no earlier plugin rejected; their statuses follow `known` others."""
    if where is None:
        np.copyto(codes, answer + known, where=(answer != 0) & (codes == 0), casting="unsafe")
    else:
        codes[where] = np.where(answer != 0, answer + known, 0)


def _sign(plugin: str, answered: Sequence[Status], statuses: list[Status]) -> None:
    for status in answered:
        if not status.is_rejected:
            raise _broken(plugin, status)
        statuses.append(status.of(plugin))


def _broken(plugin: str, status: Status) -> PluginError:
    return PluginError(failed(f'running "{plugin}" filter plugin', plugin, status))


def _with_nominated_pods(run: FilterRun, rows: Rows, verdicts: Verdicts) -> Verdicts:
    counted = counted_pods(run.state, run.nominated, run.pod, run.snapshot)
    if not counted:
        return verdicts
    selected = rows_array(run.snapshot, rows)
    codes = np.zeros(len(selected), dtype=np.int16) if verdicts.codes is None else verdicts.codes
    room_filter = sole_room_filter(run.framework, run.state)
    if room_filter is not None:
        return _with_nominated_room(run, selected, Verdicts(codes, verdicts.statuses), room_filter, counted)
    statuses = list(verdicts.statuses)
    for row, pods in counted.by_row.items():
        for place in np.flatnonzero(selected == row):
            status = _status_with(run, row, pods)
            if not status.is_success:
                statuses.append(status)
                codes[place] = len(statuses)
    return Verdicts(codes, statuses) if codes.any() else ALL_FIT


def _with_nominated_room(
    run: FilterRun,
    selected: NDArray[np.intp],
    verdicts: Verdicts,
    room_filter: RoomFilter,
    counted: CountedPods,
) -> Verdicts:
    """Where room alone decides: all nodes with nominated pods at once. Who had no room before has none now."""
    codes = verdicts.codes
    assert codes is not None
    judged_by_room = np.array([True, *(status.plugin == room_filter.name for status in verdicts.statuses)])
    places = np.full(run.snapshot.n, -1, dtype=np.intp)
    places[selected] = np.arange(len(selected), dtype=np.intp)
    where = places[counted.rows]
    asked = np.flatnonzero((where >= 0) & judged_by_room[codes[where]])
    if len(asked):
        rows, where = counted.rows[asked], where[asked]
        free, pod_count = room_of(run.snapshot, rows)
        room = Room(free - counted.requests(run.snapshot)[:, asked], pod_count + counted.counts[asked])
        answer = room_filter.filter_room(run.pod, run.snapshot, rows, room)
        if answer.codes is not None:
            rejected = answer.codes != 0
            codes[where[rejected]] = answer.codes[rejected] + len(verdicts.statuses)
            statuses = [*verdicts.statuses, *(status.of(room_filter.name) for status in answer.statuses)]
            return Verdicts(codes, statuses)
    return Verdicts(codes, verdicts.statuses) if codes.any() else ALL_FIT


def _status_with(run: FilterRun, row: int, pods: Sequence[PodInfo]) -> Status:
    """The node's status if the nominated pods were on it."""
    state = run.state.clone()
    with run.snapshot.trial() as trial:
        for pod in pods:
            trial.add_pod(row, pod)
            add_pod_to_state(run.framework, state, run.pod, pod, row)
        verdicts = _filter_plainly(run._replace(recorder=None), state, np.array([row], dtype=np.intp))
    return SUCCESS if verdicts.codes is None else verdicts.statuses[verdicts.codes[0] - 1]


def add_pod_to_state(framework: Framework, state: CycleState, pod: PodInfo, added: PodInfo, row: int) -> None:
    """Tell every plugin with PreFilter state that `added` is now on the node. Raises PluginError."""
    for name, plugin in framework.pre_filter_extensions:
        if name not in state.skip_filter_plugins:
            _tell(name, "AddPod", partial(plugin.add_pod, state, pod, added, row))


def remove_pod_from_state(framework: Framework, state: CycleState, pod: PodInfo, removed: PodInfo, row: int) -> None:
    """Tell every plugin with PreFilter state that `removed` is off the node. Raises PluginError."""
    for name, plugin in framework.pre_filter_extensions:
        if name not in state.skip_filter_plugins:
            _tell(name, "RemovePod", partial(plugin.remove_pod, state, pod, removed, row))


def _tell(plugin: str, what: str, call: Callable[[], Status]) -> None:
    try:
        status = call()
    except Exception as exception:  # noqa: BLE001 a broken plugin must not stop the scheduler
        status = raised(plugin, exception)
    if status.code is not Code.SUCCESS:
        raise PluginError(failed(f'running {what} on PreFilter plugin "{plugin}"', plugin, status))
