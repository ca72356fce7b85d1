"""Tries nodes: which pods would have to go for the pod to fit there?

On each node all pods of lower priority are taken off; if the pod then fits,
they are put back one by one, most important first and those that would break a
budget before the others, as long as the pod still fits. Who cannot come back is
a victim. All of it happens in a trial of the snapshot that is undone.

Not every node is tried: from a random place on, until enough candidates are
found, one of them without a budget violation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.filtering import PluginError
from scheduler_core.framework.interface import Handle
from scheduler_core.framework.status import SUCCESS, Status, unresolvable
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.default_preemption.budgets import Budget, split_by_violation
from scheduler_core.plugins.default_preemption.importance import by_importance, potential_victims
from scheduler_core.plugins.default_preemption.selection import NodeVictims

NO_VICTIMS = unresolvable("No preemption victims found for incoming pod")


class DryRun(NamedTuple):
    """What trying the nodes gave."""

    # Those without a violation first.
    candidates: list[NodeVictims]
    # Why the other nodes that were tried do not help, by row.
    statuses: dict[int, Status]


class DryRunner:
    """Tries nodes for one preemptor."""

    def __init__(self, handle: Handle, state: CycleState, pod: PodInfo, budgets: Sequence[Budget]) -> None:
        self._handle = handle
        self._snapshot = handle.snapshot
        self._state = state
        self._pod = pod
        self._budgets = budgets

    def run(self, rows: NDArray[np.int32], offset: int, wanted: int) -> DryRun:
        """Tries `rows` from `offset` around until `wanted` candidates are found."""
        harmless: list[NodeVictims] = []
        violating: list[NodeVictims] = []
        statuses: dict[int, Status] = {}
        for row in np.roll(rows, -offset).tolist():
            found = self._try(row)
            if isinstance(found, Status):
                statuses[row] = found
                continue
            (violating if found.violations else harmless).append(found)
            if harmless and len(harmless) + len(violating) >= wanted:
                break
        return DryRun([*harmless, *violating], statuses)

    def _try(self, row: int) -> NodeVictims | Status:
        try:
            return _Trial(self, row).victims()
        except PluginError as failure:
            return failure.status


class _Trial:
    """One node being tried."""

    def __init__(self, runner: DryRunner, row: int) -> None:
        self._runner = runner
        self._row = row
        self._rows = np.array([row], dtype=np.int32)
        self._state = runner._state.clone()

    def victims(self) -> NodeVictims | Status:
        """Raises PluginError."""
        runner = self._runner
        potential = potential_victims(runner._snapshot.pods_on(self._row), runner._pod)
        if not potential:
            return NO_VICTIMS
        with runner._snapshot.trial() as self._trial:
            for pod in potential:
                self._remove(pod)
            status = self._status()
            if not status.is_success:
                return status
            return self._reprieve(by_importance(potential))

    def _reprieve(self, potential: list[PodInfo]) -> NodeVictims:
        violating, others = split_by_violation(potential, self._runner._budgets)
        broken = [pod for pod in violating if not self._stays(pod)]
        unharmed = [pod for pod in others if not self._stays(pod)]
        victims = {pod.uid for pod in (*broken, *unharmed)}
        return NodeVictims(
            node_name=self._runner._snapshot.names[self._row],
            row=self._row,
            victims=tuple(pod for pod in potential if pod.uid in victims),
            violations=len(broken),
        )

    def _stays(self, pod: PodInfo) -> bool:
        self._add(pod)
        fits = self._status().is_success
        if not fits:
            self._remove(pod)
        return fits

    def _status(self) -> Status:
        runner = self._runner
        verdicts = runner._handle.filter_nodes(self._state, runner._pod, self._rows)
        if verdicts.codes is None or verdicts.codes[0] == 0:
            return SUCCESS
        return verdicts.statuses[int(verdicts.codes[0]) - 1]

    def _add(self, pod: PodInfo) -> None:
        self._trial.add_pod(self._row, pod)
        _check(self._runner._handle.add_pod(self._state, self._runner._pod, pod, self._row))

    def _remove(self, pod: PodInfo) -> None:
        self._trial.remove_pod(self._row, pod)
        _check(self._runner._handle.remove_pod(self._state, self._runner._pod, pod, self._row))


def _check(status: Status) -> None:
    if not status.is_success:
        raise PluginError(status)
