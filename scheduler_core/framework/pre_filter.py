"""Runs PreFilter: once per cycle, before any node is looked at.

A plugin may skip its own Filter, narrow the nodes to a set of names, or reject
the pod. Sets of several plugins are intersected; an empty intersection is a
rejection of its own.
"""

from __future__ import annotations

from typing import NamedTuple

from scheduler_core.framework.answers import pre_filter_answer
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import ExtensionPoint
from scheduler_core.framework.recorder import CycleRecorder
from scheduler_core.framework.runtime import Framework, failed, raised
from scheduler_core.framework.status import SUCCESS, Code, Status, unresolvable
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot


class PreFilterOutcome(NamedTuple):
    # Success, a rejection of the pod, or an Error.
    status: Status
    # None: every node may be looked at.
    node_names: frozenset[str] | None
    # The plugins that narrowed the nodes.
    narrowing_plugins: tuple[str, ...]


def run_pre_filter(
    framework: Framework, state: CycleState, pod: PodInfo, snapshot: Snapshot, recorder: CycleRecorder | None
) -> PreFilterOutcome:
    if recorder is not None:
        recorder.point(ExtensionPoint.PRE_FILTER)
    rejection = SUCCESS
    names: frozenset[str] | None = None
    narrowing: list[str] = []
    for name, plugin in framework.pre_filter:
        if recorder is not None:
            recorder.start()
        try:
            status, narrowed = pre_filter_answer(plugin.pre_filter(state, pod, snapshot))
        except Exception as exception:  # noqa: BLE001 a broken plugin must not stop the scheduler
            status, narrowed = raised(name, exception), None
        if recorder is not None:
            recorder.ran(name, status)
        code = status.code
        if code is Code.SKIP:
            state.skip_filter_plugins.add(name)
            continue
        if code is not Code.SUCCESS:
            if code is Code.UNSCHEDULABLE_AND_UNRESOLVABLE:
                return PreFilterOutcome(status.of(name), None, tuple(narrowing))
            if code is not Code.UNSCHEDULABLE:
                return PreFilterOutcome(_broken(name, status), None, tuple(narrowing))
            # The plugins behind it still run, for what they leave to PostFilter.
            rejection = status.of(name)
            continue
        if narrowed is not None:
            narrowing.append(name)
            names = narrowed if names is None else names & narrowed
            if not names:
                return PreFilterOutcome(_no_node_left(narrowing), names, tuple(narrowing))
    return PreFilterOutcome(rejection, names, tuple(narrowing))


def _broken(plugin: str, status: Status) -> Status:
    return failed(f'running PreFilter plugin "{plugin}"', plugin, status)


def _no_node_left(narrowing: list[str]) -> Status:
    if len(narrowing) == 1:
        return unresolvable(f"node(s) didn't satisfy plugin {narrowing[0]}")
    return unresolvable(f"node(s) didn't satisfy plugin(s) {bracketed(narrowing)} simultaneously")


def bracketed(names: list[str] | tuple[str, ...]) -> str:
    """Plugin names as kube-scheduler prints a list: [A B]."""
    return f"[{' '.join(sorted(names))}]"
