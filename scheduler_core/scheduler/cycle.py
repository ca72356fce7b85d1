"""One pod's scheduling cycle: what is known so far, and how the node is found.

`decide` is the part that changes nothing (PreFilter, Filter, PreScore, Score);
the scheduler goes on from there with PostFilter, or with assuming the pod.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.diagnosis import Diagnosis
from scheduler_core.framework.extenders import Extenders
from scheduler_core.framework.filtering import FilterRun, PluginError, filter_rows
from scheduler_core.framework.interface import ExtensionPoint, NominatedPods
from scheduler_core.framework.pre_filter import PreFilterOutcome, bracketed, run_pre_filter
from scheduler_core.framework.recorder import CycleRecorder
from scheduler_core.framework.reserving import UndoStack
from scheduler_core.framework.runtime import Framework
from scheduler_core.framework.scoring import ScoreRun, Scores, best_of, run_scoring, with_columns
from scheduler_core.framework.search import Found, find_feasible, find_feasible_among
from scheduler_core.framework.status import SUCCESS, Code, Status, unresolvable
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.report import ClaimDeallocation, ExtenderCall, PreemptionReport
from scheduler_core.scheduler.extender_filter import Asked, ask_extenders, ask_extenders_about_one
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
        self.extender_calls: list[ExtenderCall] = []

    def fail(self, status: Status) -> None:
        self.status = status
        self.node_name = ""


class NodeSearch:
    """How many nodes to look at, and where to begin; `next_start` moves on with every search."""

    def __init__(self, nominated: NominatedPods, choose: TieBreaker, extenders: Extenders | None = None) -> None:
        self.nominated = nominated
        self.choose = choose
        self.extenders = extenders
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
                self._choose(cycle, asking=not everything)
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
        if not everything:
            self._move_on(cycle.snapshot, found, tried)
        if outcome.node_names is not None:
            plugins = bracketed(outcome.narrowing_plugins)
            cycle.diagnosis.absent = unresolvable(f"node(s) didn't satisfy plugin(s) {plugins}")
        self._ask_extenders(cycle, run, found, asking=not everything)

    def _ask_extenders(self, cycle: Cycle, run: FilterRun, found: Found, *, asking: bool) -> None:
        """What is left of the search is what they let pass; a mere question is not passed on."""
        asked = Asked(found)
        if self.extenders is not None and asking:
            asked = ask_extenders(self.extenders, run, found, cycle.diagnosis.absent)
            cycle.found = asked.found
        if not asked.found.feasible_count:
            self._diagnose(cycle, found, asked)

    def _rejected_by_pre_filter(self, cycle: Cycle, status: Status) -> None:
        if not status.is_rejected:
            cycle.fail(status)
            return
        cycle.diagnosis.set_all(status)
        cycle.fits_nowhere = True
        cycle.fail(Status(Code.UNSCHEDULABLE))

    def _try_nominated(self, run: FilterRun, node_name: str) -> Found | None:
        """The node whose room was made for this pod comes first; who breaks here is asked again later."""
        record = run.snapshot.record_of(node_name)
        if record is None:
            return None
        rows = np.array([record.row], dtype=np.intp)
        try:
            verdicts = filter_rows(run, rows)
            fits = verdicts.codes is None and self._extenders_agree(run, rows)
        except PluginError:
            return None
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

    def _extenders_agree(self, run: FilterRun, rows: NDArray[np.intp]) -> bool:
        return self.extenders is None or ask_extenders_about_one(self.extenders, run, rows)

    def _diagnose(self, cycle: Cycle, found: Found, asked: Asked) -> None:
        """No node is left. Plugins that rejected nodes count even where an extender had the last word."""
        for each in (found, asked.found):
            rows = cycle.snapshot.all_rows[each.evaluated]
            rejected = np.empty(0, dtype=np.intp) if each.codes is None else np.flatnonzero(each.codes)
            codes = np.empty(0, dtype=np.int16) if each.codes is None else each.codes[rejected] - np.int16(1)
            cycle.diagnosis.set_rejections(rows[rejected], codes, each.statuses)
        asked.add_to(cycle.diagnosis)
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

    def _choose(self, cycle: Cycle, *, asking: bool) -> None:
        found, snapshot = cycle.found, cycle.snapshot
        assert found is not None
        feasible = snapshot.all_rows[found.feasible]
        if found.feasible_count > 1:
            run = ScoreRun(cycle.framework, cycle.state, cycle.pod, snapshot, found.feasible, cycle.recorder)
            cycle.scores = self._with_priorities(cycle.pod, run, run_scoring(run), asking=asking)
            feasible = feasible[best_of(cycle.scores.totals)]
        cycle.best = best = snapshot.names_of(feasible)
        cycle.node_name = self.choose(best) if len(best) > 1 else best[0]

    def _with_priorities(self, pod: PodInfo, run: ScoreRun, scores: Scores, *, asking: bool) -> Scores:
        """The extenders' scores beside the plugins'."""
        if self.extenders is None or not asking:
            return scores
        names = list(run.snapshot.names_of(run.snapshot.all_rows[run.rows]))
        return with_columns(scores, self.extenders.prioritize(pod, run.snapshot, names), keep=run.recorder is not None)
