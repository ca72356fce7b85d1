"""Runs Filter for many nodes at once, and again for nodes that pods are nominated to.

Plugins are asked in the profile's order and only the first one that rejects a
node is reported. A plugin is asked about all nodes of a window while most of
them still pass; once many are rejected, about the remaining ones only.

Pods nominated to a node (they preempted others there and wait for the room)
with at least the pod's priority are counted as if they were there, unless the
pod fits only because of them: a node passes if it does both with and without.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import ALL_FIT, NominatedPods, PreFilterExtensions, Rows, Verdicts
from scheduler_core.framework.recorder import CycleRecorder
from scheduler_core.framework.room import RoomFilter, requests_of, room_of, sole_room_filter
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


def rows_array(snapshot: Snapshot, rows: Rows) -> NDArray[np.int32]:
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
    nominated = list(_nominated_rows(run))
    if not nominated:
        return verdicts
    selected = rows_array(run.snapshot, rows)
    codes = np.zeros(len(selected), dtype=np.int16) if verdicts.codes is None else verdicts.codes
    statuses = list(verdicts.statuses)
    room_filter = sole_room_filter(run.framework, run.state)
    if room_filter is not None:
        return _with_nominated_room(run, selected, Verdicts(codes, statuses), room_filter, nominated)
    for row, pods in nominated:
        for place in np.flatnonzero(selected == row):
            status = _status_with(run, row, pods)
            if not status.is_success:
                statuses.append(status)
                codes[place] = len(statuses)
    return Verdicts(codes, statuses) if codes.any() else ALL_FIT


def _with_nominated_room(
    run: FilterRun,
    selected: NDArray[np.int32],
    verdicts: Verdicts,
    room_filter: RoomFilter,
    nominated: Sequence[tuple[int, list[PodInfo]]],
) -> Verdicts:
    """Where room alone decides: all nodes with nominated pods at once. Who had no room before has none now."""
    assert verdicts.codes is not None
    places = np.full(run.snapshot.n, -1, dtype=np.int32)
    places[selected] = np.arange(len(selected), dtype=np.int32)
    judged_by_room = [0, *(i for i, status in enumerate(verdicts.statuses, 1) if status.plugin == room_filter.name)]
    asked = [
        (row, pods) for row, pods in nominated if places[row] >= 0 and verdicts.codes[places[row]] in judged_by_room
    ]
    if not asked:
        return verdicts if verdicts.codes.any() else ALL_FIT
    rows = np.fromiter((row for row, _ in asked), dtype=np.int32, count=len(asked))
    room = room_of(run.snapshot, rows)
    for i, (_, pods) in enumerate(asked):
        room.free[:, i] -= requests_of(run.snapshot, pods)
        room.pod_count[i] += len(pods)
    answer = room_filter.filter_room(run.pod, run.snapshot, rows, room)
    if answer.codes is None:
        return verdicts if verdicts.codes.any() else ALL_FIT
    rejected = answer.codes != 0
    verdicts.codes[places[rows[rejected]]] = answer.codes[rejected] + len(verdicts.statuses)
    statuses = [*verdicts.statuses, *(status.of(room_filter.name) for status in answer.statuses)]
    return Verdicts(verdicts.codes, statuses) if verdicts.codes.any() else ALL_FIT


def _nominated_rows(run: FilterRun) -> Iterable[tuple[int, list[PodInfo]]]:
    for name in run.nominated.nodes:
        record = run.snapshot.record_of(name)
        if record is None:
            continue
        pods = [each for each in run.nominated.pods_for_node(name) if _counts(run.pod, each, record.pods)]
        if pods:
            yield record.row, pods


def _counts(pod: PodInfo, nominated: PodInfo, present: dict[str, PodInfo]) -> bool:
    return nominated.priority >= pod.priority and nominated.uid != pod.uid and nominated.uid not in present


def _status_with(run: FilterRun, row: int, pods: Sequence[PodInfo]) -> Status:
    """The node's status if the nominated pods were on it."""
    state = run.state.clone()
    with run.snapshot.trial() as trial:
        for pod in pods:
            trial.add_pod(row, pod)
            add_pod_to_state(run.framework, state, run.pod, pod, row)
        verdicts = _filter_plainly(run._replace(recorder=None), state, np.array([row], dtype=np.int32))
    return SUCCESS if verdicts.codes is None else verdicts.statuses[verdicts.codes[0] - 1]


def add_pod_to_state(framework: Framework, state: CycleState, pod: PodInfo, added: PodInfo, row: int) -> None:
    """Tell every plugin with PreFilter state that `added` is now on the node. Raises PluginError."""
    for name, plugin in framework.pre_filter:
        if isinstance(plugin, PreFilterExtensions) and name not in state.skip_filter_plugins:
            _check(name, "AddPod", plugin.add_pod(state, pod, added, row))


def remove_pod_from_state(framework: Framework, state: CycleState, pod: PodInfo, removed: PodInfo, row: int) -> None:
    """Tell every plugin with PreFilter state that `removed` is off the node. Raises PluginError."""
    for name, plugin in framework.pre_filter:
        if isinstance(plugin, PreFilterExtensions) and name not in state.skip_filter_plugins:
            _check(name, "RemovePod", plugin.remove_pod(state, pod, removed, row))


def _check(plugin: str, call: str, status: Status) -> None:
    if status.code is not Code.SUCCESS:
        raise PluginError(failed(f'running {call} on PreFilter plugin "{plugin}"', plugin, status))


def explain_row(run: FilterRun, row: int) -> list[Status]:
    """Every rejection of one node, not only the first."""
    rows = np.array([row], dtype=np.int32)
    statuses: list[Status] = []
    for name, plugin in run.framework.filter:
        if name in run.state.skip_filter_plugins:
            continue
        answer = plugin.filter(run.state, run.pod, run.snapshot, rows)
        if answer.codes is not None and answer.codes[0]:
            statuses.append(answer.statuses[answer.codes[0] - 1].of(name))
    return statuses
