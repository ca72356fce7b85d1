"""The DefaultPreemption plugin.

PostFilter looks for the node where evicting pods of lower priority hurts least
and nominates the pod to it. It evicts nobody itself: the report names the
victims, and whoever runs the scheduler deletes them. Until all of those
deletions are seen (a victim is terminating, or gone), PreEnqueue holds the
preemptor back, so that it is not tried again, and preempts again, for nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import overload

import numpy as np

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.diagnosis import Diagnosis, fit_error
from scheduler_core.framework.extenders import ExtenderError
from scheduler_core.framework.interface import Handle, Plugin, PostFilterResult
from scheduler_core.framework.room import RoomFilter
from scheduler_core.framework.status import SUCCESS, Code, Status, unresolvable, unschedulable
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.objects.workloads import PodDisruptionBudget
from scheduler_core.plugins.args import DefaultPreemptionArgs
from scheduler_core.plugins.default_preemption.budgets import Budget, compile_budgets
from scheduler_core.plugins.default_preemption.dry_run import DryRun, DryRunner, nobody_lower, nothing_to_try
from scheduler_core.plugins.default_preemption.eligibility import why_not_eligible
from scheduler_core.plugins.default_preemption.extender_say import after_extenders
from scheduler_core.plugins.default_preemption.room_dry_run import RoomDryRunner
from scheduler_core.plugins.default_preemption.selection import Candidates
from scheduler_core.plugins.default_preemption.victim_index import VictimIndex
from scheduler_core.report import (
    Candidate,
    FilterReport,
    NodeNames,
    PodRef,
    PreemptionReport,
    StatusReport,
    TouchedBudget,
)

NOT_HELPFUL = unresolvable("Preemption is not helpful for scheduling")
NO_CANDIDATE = "no candidate node for preemption"
STILL_PREEMPTING = unresolvable("waiting for the preemption for this pod to be finished")
# What a victim that is held at Permit is told.
PREEMPTED = "preempted"
ASYNC_PREEMPTION_GATE = "SchedulerAsyncPreemption"


class DefaultPreemption(Plugin):
    """Makes room for a pod by evicting pods of lower priority."""

    name = "DefaultPreemption"

    def __init__(self, args: DefaultPreemptionArgs, handle: Handle) -> None:
        super().__init__(args, handle)
        self._percentage = args.min_candidate_nodes_percentage
        self._absolute = args.min_candidate_nodes_absolute
        self._gates = handle.feature_gates.get(ASYNC_PREEMPTION_GATE, True)
        self._index = VictimIndex()
        # preemptor -> victims whose deletion has not been seen yet
        self._preempting: dict[str, set[str]] = {}

    # The gate

    def pre_enqueue(self, pod: PodInfo) -> Status:
        return STILL_PREEMPTING if pod.uid in self._preempting else SUCCESS

    def deletion_seen(self, uid: str) -> list[str]:
        """A pod is terminating or gone; answers with the preemptors that need not be held back any more."""
        self._preempting.pop(uid, None)
        finished = []
        for preemptor, victims in list(self._preempting.items()):
            victims.discard(uid)
            if not victims:
                del self._preempting[preemptor]
                finished.append(preemptor)
        return finished

    # PostFilter

    def post_filter(self, state: CycleState, pod: PodInfo, diagnosis: Diagnosis) -> PostFilterResult:
        reason = why_not_eligible(pod, self.handle.snapshot, diagnosis)
        if reason:
            return self._rejected(reason, nominated_node_name=None)
        found = self._dry_run(state, pod, diagnosis)
        if len(found.candidates):
            return self._with_extenders(pod, found)
        broken = [status for status in found.statuses if status.code is Code.ERROR]
        if broken:
            return PostFilterResult(Status(Code.ERROR, (f"preemption: {_together(broken)}",)))
        text = fit_error(self._not_helpful(diagnosis, found))
        return self._rejected(text, nominated_node_name="", found=found)

    def _with_extenders(self, pod: PodInfo, found: DryRun) -> PostFilterResult:
        try:
            left = after_extenders(self.handle.extenders, pod, self.handle.snapshot, found.candidates)
        except ExtenderError as failure:
            return PostFilterResult(Status(Code.ERROR, (f"preemption: {failure}",)))
        if not len(left):
            return self._rejected(NO_CANDIDATE, nominated_node_name=None, found=found)
        return self._nominated(pod, found._replace(candidates=left))

    def _dry_run(self, state: CycleState, pod: PodInfo, diagnosis: Diagnosis) -> DryRun:
        rows = diagnosis.rows_with(Code.UNSCHEDULABLE)
        if not len(rows):
            return nothing_to_try()
        if not self.handle.snapshot.has_pods_below(pod.priority):
            return nobody_lower(rows)
        runner = DryRunner(self.handle, state, pod, self._budgets())
        in_order = np.roll(rows, -self.handle.random.randrange(len(rows)))
        wanted = self._candidates_wanted(len(rows))
        room_filter = self._room_filter(state, diagnosis)
        if room_filter is not None:
            return RoomDryRunner(runner, room_filter, self._index).run(in_order, wanted)
        return runner.run(in_order, wanted)

    def _budgets(self) -> list[Budget]:
        budgets: Iterable[PodDisruptionBudget] = self.handle.lister.list("PodDisruptionBudget")
        return compile_budgets(budgets)

    def _room_filter(self, state: CycleState, diagnosis: Diagnosis) -> RoomFilter | None:
        """The plugin that alone stands between the pod and the nodes that may be tried, if room is all it wants."""
        room_filter = self.handle.room_filter(state)
        rejecting = {status.plugin for status in diagnosis.statuses if status.code is Code.UNSCHEDULABLE}
        alone = diagnosis.absent.code is not Code.UNSCHEDULABLE
        return room_filter if room_filter and alone and rejecting == {room_filter.name} else None

    def _candidates_wanted(self, nodes: int) -> int:
        return min(max(nodes * self._percentage // 100, self._absolute), nodes)

    def _nominated(self, pod: PodInfo, found: DryRun) -> PostFilterResult:
        best, rule = found.candidates.select()
        node_name = self.handle.snapshot.names[found.candidates.rows[best]]
        victims = found.candidates.victims(best)
        waiting = self._reject_waiting(victims)
        running = [victim for victim in victims if victim not in waiting]
        self._hold_back(pod, running)
        report = PreemptionReport(
            status=StatusReport(code=Code.SUCCESS.text, plugin=self.name),
            candidates=CandidateReports(found.candidates, self.handle.snapshot.names, self._budgets()),
            node=node_name,
            victims=[_ref(victim) for victim in running],
            waiting_victims=[_ref(victim) for victim in waiting],
            decided_by=rule,
            nominations_cleared=[_ref(each) for each in self._outranked(pod, node_name)],
            not_helpful=self._tried_in_vain(found),
        )
        return PostFilterResult(SUCCESS, node_name, report)

    def _reject_waiting(self, victims: Sequence[PodInfo]) -> list[PodInfo]:
        """Victims that are held at Permit give up their place and are not deleted."""
        rejected = []
        for victim in victims:
            waiting = self.handle.waiting_pods.get(victim.uid)
            if waiting is not None:
                waiting.reject(self.name, PREEMPTED)
                rejected.append(victim)
        return rejected

    def _hold_back(self, pod: PodInfo, victims: Sequence[PodInfo]) -> None:
        waited_for = {victim.uid for victim in victims if not victim.is_terminating}
        if self._gates and waited_for:
            self._preempting[pod.uid] = waited_for

    def _rejected(self, text: str, nominated_node_name: str | None, found: DryRun | None = None) -> PostFilterResult:
        status = unschedulable(f"preemption: {text}")
        report = PreemptionReport(
            status=_report(status.of(self.name)),
            not_helpful=self._tried_in_vain(found) if found else None,
        )
        return PostFilterResult(status, nominated_node_name, report)

    def _outranked(self, pod: PodInfo, node_name: str) -> list[PodInfo]:
        """Pods nominated to the node that may not fit there any more."""
        return [each for each in self.handle.nominated_pods.pods_for_node(node_name) if each.priority < pod.priority]

    def _not_helpful(self, diagnosis: Diagnosis, found: DryRun) -> Diagnosis:
        """Why removing pods helps nowhere, in the form of a diagnosis of its own."""
        nested = Diagnosis(diagnosis.node_count)
        nested.absent = NOT_HELPFUL
        nested.set_rejections(found.rejected_rows, found.codes, found.statuses)
        return nested

    def _tried_in_vain(self, found: DryRun) -> FilterReport | None:
        tried = len(found.rejected_rows)
        if not tried:
            return None
        return FilterReport(
            nodes=NodeNames(self.handle.snapshot.names, found.rejected_rows),
            status=found.codes,
            statuses=[_report(status) for status in found.statuses],
            total_nodes=self.handle.snapshot.n,
            evaluated=tried + len(found.candidates),
        )


class CandidateReports(Sequence[Candidate]):
    """Candidates as people see them, each made when it is read."""

    def __init__(self, candidates: Candidates, names: Sequence[str], budgets: Sequence[Budget]) -> None:
        self._candidates = candidates
        self._names = names
        self._budgets = budgets

    def __len__(self) -> int:
        return len(self._candidates)

    @overload
    def __getitem__(self, index: int) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> list[Candidate]: ...
    def __getitem__(self, index: int | slice) -> Candidate | list[Candidate]:
        chosen = range(len(self))[index]
        return self._candidate(chosen) if isinstance(chosen, int) else [self._candidate(i) for i in chosen]

    def _candidate(self, i: int) -> Candidate:
        found = self._candidates
        started, victims = float(found.earliest_start[i]), found.victims(i)
        return Candidate(
            node=self._names[found.rows[i]],
            victims=[_ref(victim) for victim in victims],
            pdb_violations=int(found.violations[i]),
            highest_priority=int(found.highest_priority[i]),
            sum_priority=sum(victim.priority for victim in victims),
            latest_start=format_timestamp(started) if math.isfinite(started) else None,
            priorities=[victim.priority for victim in victims],
            budgets=[touched for budget in self._budgets if (touched := _touched(budget, victims)).covered],
        )


def _together(broken: Sequence[Status]) -> str:
    """As Kubernetes writes several errors in one, each once."""
    messages = list(dict.fromkeys(status.message for status in broken))
    return messages[0] if len(messages) == 1 else f"[{', '.join(messages)}]"


def _report(status: Status) -> StatusReport:
    return StatusReport(code=status.code.text, plugin=status.plugin, reasons=list(status.reasons))


def _touched(budget: Budget, victims: Sequence[PodInfo]) -> TouchedBudget:
    covered = sum(1 for victim in victims if budget.covers(victim))
    return TouchedBudget(namespace=budget.namespace, name=budget.name, allowed=budget.allowed, covered=covered)


def _ref(pod: PodInfo) -> PodRef:
    return PodRef(namespace=pod.namespace, name=pod.name, uid=pod.uid)
