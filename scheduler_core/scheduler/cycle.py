"""One pod's scheduling cycle: what is known so far, and how the node is found.

`decide` is the part that changes nothing (PreFilter, Filter, PreScore, Score);
the scheduler goes on from there with PostFilter, or with assuming the pod.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.diagnosis import Diagnosis
from scheduler_core.framework.filtering import FilterRun, PluginError, filter_rows
from scheduler_core.framework.interface import ExtensionPoint, NominatedPods
from scheduler_core.framework.pre_filter import PreFilterOutcome, bracketed, run_pre_filter
from scheduler_core.framework.recorder import CycleRecorder
from scheduler_core.framework.reserving import UndoStack
from scheduler_core.framework.runtime import Framework
from scheduler_core.framework.scoring import ScoreRun, Scores, best_of, run_scoring
from scheduler_core.framework.search import Found, find_feasible, find_feasible_among
from scheduler_core.framework.status import SUCCESS, Code, Status, unresolvable
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.report import ClaimDeallocation, PreemptionReport
from scheduler_core.snapshot.snapshot import Snapshot

_MAX_SHARES = 4096
# Takes one of the best nodes.
TieBreaker = Callable[[Sequence[str]], str]
# How many feasible nodes are enough among so many.
Enough = Callable[[int], int]

NO_NODES = "no nodes available to schedule pods"


class Cycle:
    """Filled step by step; the report is written from it."""

    def __init__(self, framework: Framework, pod: PodInfo, snapshot: Snapshot, recorder: CycleRecorder | None) -> None:
        self.framework = framework
        self.pod = pod
        self.snapshot = snapshot
        self.recorder = recorder
        self.state = CycleState()
        self.undo = UndoStack()
        self.diagnosis = Diagnosis(snapshot.n)
        # Success as long as nothing speaks against the pod; the last word on it otherwise.
        self.status: Status = SUCCESS
        # True: plugins rejected every node, and `diagnosis` has the reasons.
        self.fits_nowhere = False
        self.found: Found | None = None
        self.scores: Scores | None = None
        # Names of the nodes with the highest total.
        self.best: Sequence[str] = ()
        self.node_name = ""
        # What PostFilter made of it; None: it did not run.
        self.post_filter: Status | None = None
        self.nominated_node_name: str | None = None
        self.preemption: PreemptionReport | None = None
        self.deallocation: ClaimDeallocation | None = None
        self.permit_deadline: float | None = None

    def fail(self, status: Status) -> None:
        self.status = status
        self.node_name = ""


class NodeSearch:
    """How many nodes to look at, and where to begin; `next_start` moves on with every search."""

    def __init__(self, nominated: NominatedPods, choose: TieBreaker) -> None:
        self.nominated = nominated
        self.choose = choose
        self.next_start = 0
        # Pod class -> which part of the nodes fitted last time.
        self._shares: dict[bytes, float] = {}

    def decide(self, cycle: Cycle, enough: Enough, nominated_node: str, *, everything: bool = False) -> None:
        """Find the node for the pod. With `everything` all nodes are looked at and `next_start` stays."""
        if not cycle.snapshot.n:
            cycle.fail(unresolvable(NO_NODES))
            return
        try:
            self._find(cycle, enough, nominated_node, everything)
            if cycle.found is not None and cycle.found.feasible_count:
                self._choose(cycle)
        except PluginError as failure:
            cycle.fail(failure.status)

    def _find(self, cycle: Cycle, enough: Enough, nominated_node: str, everything: bool) -> None:
        outcome = run_pre_filter(cycle.framework, cycle.state, cycle.pod, cycle.snapshot, cycle.recorder)
        cycle.diagnosis.unschedulable_plugins.update(dict.fromkeys(outcome.narrowing_plugins))
        if not outcome.status.is_success:
            self._rejected_by_pre_filter(cycle, outcome.status)
            return
        if cycle.recorder is not None:
            cycle.recorder.point(ExtensionPoint.FILTER)
        run = FilterRun(cycle.framework, cycle.state, cycle.pod, cycle.snapshot, self.nominated, cycle.recorder)
        tried = self._try_nominated(run, nominated_node) if nominated_node else None
        if tried is not None and tried.feasible_count:
            cycle.found = tried
            return
        cycle.found = found = self._search(run, outcome, enough, everything)
        self._diagnose(cycle, outcome, found)
        if not everything:
            self._move_on(cycle.snapshot, found, tried)

    def _rejected_by_pre_filter(self, cycle: Cycle, status: Status) -> None:
        if not status.is_rejected:
            cycle.fail(status)
            return
        cycle.diagnosis.set_all(status)
        cycle.fits_nowhere = True
        cycle.fail(Status(Code.UNSCHEDULABLE))

    def _try_nominated(self, run: FilterRun, node_name: str) -> Found | None:
        """The node whose room was made for this pod comes first; a plugin that breaks here is asked again later."""
        record = run.snapshot.record_of(node_name)
        if record is None:
            return None
        rows = np.array([record.row], dtype=np.intp)
        try:
            verdicts = filter_rows(run, rows)
        except PluginError:
            return None
        fits = verdicts.codes is None
        return Found(rows if fits else rows[:0], int(fits), rows, 1, verdicts.codes, list(verdicts.statuses))

    def _search(self, run: FilterRun, outcome: PreFilterOutcome, enough: Enough, everything: bool) -> Found:
        start = 0 if everything else self.next_start
        if outcome.node_names is None:
            key = run.pod.class_key
            found = find_feasible(run, start % run.snapshot.n, enough(run.snapshot.n), self._shares.get(key, 1.0))
            self._remember_share(key, found)
            return found
        records = (run.snapshot.record_of(name) for name in outcome.node_names)
        rows = np.array(sorted(record.row for record in records if record is not None), dtype=np.intp)
        # Of the nodes that PreFilter left, not of all.
        return find_feasible_among(run, rows, start, enough(len(rows)))

    def _remember_share(self, key: bytes, found: Found) -> None:
        """Only for speed: what is found does not depend on it."""
        if found.codes is None:
            self._shares.pop(key, None)
            return
        if len(self._shares) >= _MAX_SHARES:
            self._shares.clear()
        self._shares[key] = found.feasible_count / max(found.evaluated_count, 1)

    def _diagnose(self, cycle: Cycle, outcome: PreFilterOutcome, found: Found) -> None:
        diagnosis = cycle.diagnosis
        if outcome.node_names is not None:
            plugins = bracketed(outcome.narrowing_plugins)
            diagnosis.absent = unresolvable(f"node(s) didn't satisfy plugin(s) {plugins}")
        if found.feasible_count:
            return
        rows = cycle.snapshot.all_rows[found.evaluated]
        codes = np.empty(0, dtype=np.int16) if found.codes is None else found.codes - np.int16(1)
        diagnosis.set_rejections(rows, codes, found.statuses)
        cycle.fits_nowhere = True
        cycle.fail(Status(Code.UNSCHEDULABLE))

    def _move_on(self, snapshot: Snapshot, found: Found, tried: Found | None) -> None:
        processed = found.evaluated_count
        if (
            tried is not None
            and not np.isin(snapshot.all_rows[tried.evaluated], snapshot.all_rows[found.evaluated]).all()
        ):
            processed += 1
        self.next_start = (self.next_start + processed) % snapshot.n

    def _choose(self, cycle: Cycle) -> None:
        found, snapshot = cycle.found, cycle.snapshot
        assert found is not None
        feasible = snapshot.all_rows[found.feasible]
        if found.feasible_count > 1:
            run = ScoreRun(cycle.framework, cycle.state, cycle.pod, snapshot, found.feasible, cycle.recorder)
            cycle.scores = run_scoring(run)
            feasible = feasible[best_of(cycle.scores.totals)]
        cycle.best = best = snapshot.names_of(feasible)
        cycle.node_name = self.choose(best) if len(best) > 1 else best[0]
