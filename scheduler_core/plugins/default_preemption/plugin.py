"""The DefaultPreemption plugin.

PostFilter looks for the node where evicting pods of lower priority hurts least
and nominates the pod to it. It evicts nobody itself: the report names the
victims, and whoever runs the scheduler deletes them. Until all of those
deletions are seen (a victim is terminating, or gone), PreEnqueue holds the
preemptor back, so that it is not tried again, and preempts again, for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.diagnosis import Diagnosis, fit_error
from scheduler_core.framework.interface import Handle, Plugin, PostFilterResult
from scheduler_core.framework.status import SUCCESS, Code, Status, unresolvable, unschedulable
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.objects.workloads import PodDisruptionBudget
from scheduler_core.plugins.args import DefaultPreemptionArgs
from scheduler_core.plugins.default_preemption.budgets import compile_budgets
from scheduler_core.plugins.default_preemption.dry_run import DryRun, DryRunner
from scheduler_core.plugins.default_preemption.eligibility import why_not_eligible
from scheduler_core.plugins.default_preemption.selection import NodeVictims, select
from scheduler_core.report import Candidate, PodRef, PreemptionReport, StatusReport

NOT_HELPFUL = unresolvable("Preemption is not helpful for scheduling")
STILL_PREEMPTING = unresolvable("waiting for the preemption for this pod to be finished")
ASYNC_PREEMPTION_GATE = "SchedulerAsyncPreemption"


class DefaultPreemption(Plugin):
    """Makes room for a pod by evicting pods of lower priority."""

    name = "DefaultPreemption"

    def __init__(self, args: DefaultPreemptionArgs, handle: Handle) -> None:
        super().__init__(args, handle)
        self._percentage = args.min_candidate_nodes_percentage
        self._absolute = args.min_candidate_nodes_absolute
        self._gates = handle.feature_gates.get(ASYNC_PREEMPTION_GATE, True)
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
        if found.candidates:
            return self._nominated(pod, found)
        broken = [status for status in found.statuses.values() if status.code is Code.ERROR]
        if broken:
            return PostFilterResult(Status(Code.ERROR, (f"preemption: {broken[0].message}",)))
        text = fit_error(self._not_helpful(diagnosis, found))
        return self._rejected(text, nominated_node_name="", found=found)

    def _dry_run(self, state: CycleState, pod: PodInfo, diagnosis: Diagnosis) -> DryRun:
        rows = diagnosis.rows_with(Code.UNSCHEDULABLE)
        if not len(rows):
            return DryRun([], {})
        budgets: Iterable[PodDisruptionBudget] = self.handle.lister.list("PodDisruptionBudget")
        runner = DryRunner(self.handle, state, pod, compile_budgets(budgets))
        return runner.run(rows, self.handle.random.randrange(len(rows)), self._candidates_wanted(len(rows)))

    def _candidates_wanted(self, nodes: int) -> int:
        return min(max(nodes * self._percentage // 100, self._absolute), nodes)

    def _nominated(self, pod: PodInfo, found: DryRun) -> PostFilterResult:
        best, rule = select(found.candidates)
        if self._gates:
            self._preempting[pod.uid] = {victim.uid for victim in best.victims if not victim.is_terminating}
            if not self._preempting[pod.uid]:
                del self._preempting[pod.uid]
        report = PreemptionReport(
            status=StatusReport(code=Code.SUCCESS.text, plugin=self.name),
            candidates=[_candidate(each) for each in found.candidates],
            node=best.node_name,
            victims=[_ref(victim) for victim in best.victims],
            decided_by=rule,
            nominations_cleared=[_ref(each) for each in self._outranked(pod, best.node_name)],
            not_helpful=self._statuses(found),
        )
        return PostFilterResult(SUCCESS, best.node_name, report)

    def _rejected(self, text: str, nominated_node_name: str | None, found: DryRun | None = None) -> PostFilterResult:
        status = unschedulable(f"preemption: {text}")
        report = PreemptionReport(
            status=StatusReport(code=status.code.text, plugin=self.name, reasons=list(status.reasons)),
            not_helpful=self._statuses(found) if found else {},
        )
        return PostFilterResult(status, nominated_node_name, report)

    def _outranked(self, pod: PodInfo, node_name: str) -> list[PodInfo]:
        """Pods nominated to the node that may not fit there any more."""
        return [each for each in self.handle.nominated_pods.pods_for_node(node_name) if each.priority < pod.priority]

    def _not_helpful(self, diagnosis: Diagnosis, found: DryRun) -> Diagnosis:
        """Why removing pods helps nowhere, in the form of a diagnosis of its own."""
        nested = Diagnosis(diagnosis.node_count)
        nested.absent = NOT_HELPFUL
        statuses = list(dict.fromkeys(found.statuses.values()))
        rows = np.fromiter(found.statuses, dtype=np.int32, count=len(found.statuses))
        codes = np.fromiter(map(statuses.index, found.statuses.values()), dtype=np.int16, count=len(rows))
        nested.set_rejections(rows, codes, statuses)
        return nested

    def _statuses(self, found: DryRun) -> dict[str, StatusReport]:
        names = self.handle.snapshot.names
        return {
            names[row]: StatusReport(code=status.code.text, plugin=status.plugin, reasons=list(status.reasons))
            for row, status in found.statuses.items()
        }


def _candidate(found: NodeVictims) -> Candidate:
    started = found.earliest_start
    return Candidate(
        node=found.node_name,
        victims=[_ref(victim) for victim in found.victims],
        pdb_violations=found.violations,
        highest_priority=found.highest_priority,
        sum_priority=sum(victim.priority for victim in found.victims),
        latest_start=format_timestamp(started) if started != float("inf") else None,
    )


def _ref(pod: PodInfo) -> PodRef:
    return PodRef(namespace=pod.namespace, name=pod.name, uid=pod.uid)
