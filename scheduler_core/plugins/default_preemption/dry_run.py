"""Tries nodes: which pods would have to go for the pod to fit there?

On each node all pods of lower priority are taken off; if the pod then fits,
they are put back one by one, most important first and those that would break a
budget before the others, as long as the pod still fits. Who cannot come back is
a victim.

Not every node is tried: from a random place on, until enough candidates are
found, one of them without a budget violation.

This is the general way, one node after the other, every plugin asked in a trial
of the snapshot that is undone. `room_dry_run` does the same by arithmetic where
room alone decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.filtering import PluginError
from scheduler_core.framework.interface import Handle
from scheduler_core.framework.status import SUCCESS, Code, Status, unresolvable
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.default_preemption.budgets import Budget, split_by_violation
from scheduler_core.plugins.default_preemption.importance import by_importance, potential_victims
from scheduler_core.plugins.default_preemption.selection import Candidates, NodeVictims, as_candidates

NO_VICTIMS = unresolvable("No preemption victims found for incoming pod")


class DryRun(NamedTuple):
    """What trying the nodes gave."""

    # Those without a violation first.
    candidates: Candidates
    # The other nodes that were tried, and for each the index into `statuses`: why it does not help.
    rejected_rows: NDArray[np.intp]
    codes: NDArray[np.int16]
    statuses: list[Status]


def nothing_to_try() -> DryRun:
    return DryRun(as_candidates([]), np.empty(0, dtype=np.intp), np.empty(0, dtype=np.int16), [])


def nobody_lower(rows: NDArray[np.intp]) -> DryRun:
    """No pod on any node has a lower priority, which needs no trying."""
    return DryRun(as_candidates([]), rows, np.zeros(len(rows), dtype=np.int16), [NO_VICTIMS])


def no_victim_needed(node_name: str) -> Status:
    """The node was rejected, and yet the pod fits with everybody still there."""
    return Status(Code.ERROR, (f'expected at least one victim pod on node "{node_name}"',))


class DryRunner:
    """Tries nodes for one preemptor."""

    def __init__(self, handle: Handle, state: CycleState, pod: PodInfo, budgets: Sequence[Budget]) -> None:
        self.handle = handle
        self.snapshot = handle.snapshot
        self.state = state
        self.pod = pod
        self.budgets = budgets

    def run(self, rows: NDArray[np.intp], wanted: int) -> DryRun:
        """Tries `rows` in order until `wanted` candidates are found."""
        found: list[NodeVictims] = []
        statuses: dict[int, Status] = {}
        harmless = False
        for row in rows.tolist():
            tried = self._try(row)
            if isinstance(tried, Status):
                statuses[row] = tried
                continue
            found.append(tried)
            harmless = harmless or not tried.violations
            if harmless and len(found) >= wanted:
                break
        return DryRun(as_candidates(found).harmless_first(), *_in_columns(statuses))

    def _try(self, row: int) -> NodeVictims | Status:
        try:
            return _NodeTrial(self, row).victims()
        except PluginError as failure:
            return failure.status


def _in_columns(statuses: dict[int, Status]) -> tuple[NDArray[np.intp], NDArray[np.int16], list[Status]]:
    distinct = {status: code for code, status in enumerate(dict.fromkeys(statuses.values()))}
    codes = np.fromiter((distinct[status] for status in statuses.values()), dtype=np.int16, count=len(statuses))
    return np.fromiter(statuses, dtype=np.intp, count=len(statuses)), codes, list(distinct)


class _NodeTrial:
    """One node being tried."""

    def __init__(self, runner: DryRunner, row: int) -> None:
        self._runner = runner
        self._row = row
        self._rows = np.array([row], dtype=np.intp)
        self._state = runner.state.clone()

    def victims(self) -> NodeVictims | Status:
        """Raises PluginError."""
        runner = self._runner
        potential = potential_victims(runner.snapshot.pods_on(self._row), runner.pod)
        if not potential:
            return NO_VICTIMS
        with runner.snapshot.trial() as self._trial:
            for pod in potential:
                self._remove(pod)
            status = self._status()
            if not status.is_success:
                return status
            return self._reprieve(by_importance(potential))

    def _reprieve(self, potential: list[PodInfo]) -> NodeVictims | Status:
        violating, others = split_by_violation(potential, self._runner.budgets)
        broken = [pod for pod in violating if not self._stays(pod)]
        unharmed = [pod for pod in others if not self._stays(pod)]
        victims = {pod.uid for pod in (*broken, *unharmed)}
        if not victims:
            return no_victim_needed(self._runner.snapshot.names[self._row])
        in_order = tuple(pod for pod in potential if pod.uid in victims)
        return NodeVictims(row=self._row, victims=in_order, violations=len(broken))

    def _stays(self, pod: PodInfo) -> bool:
        self._add(pod)
        fits = self._status().is_success
        if not fits:
            self._remove(pod)
        return fits

    def _status(self) -> Status:
        runner = self._runner
        verdicts = runner.handle.filter_nodes(self._state, runner.pod, self._rows)
        if verdicts.codes is None or verdicts.codes[0] == 0:
            return SUCCESS
        return verdicts.statuses[int(verdicts.codes[0]) - 1]

    def _add(self, pod: PodInfo) -> None:
        self._trial.add_pod(self._row, pod)
        _check(self._runner.handle.add_pod(self._state, self._runner.pod, pod, self._row))

    def _remove(self, pod: PodInfo) -> None:
        self._trial.remove_pod(self._row, pod)
        _check(self._runner.handle.remove_pod(self._state, self._runner.pod, pod, self._row))


def _check(status: Status) -> None:
    if not status.is_success:
        raise PluginError(status)
