"""TaintToleration: taints keep pods away, or ask them to stay away.

Nodes with the same list of taints form one class of the snapshot, so a pod's
tolerations are compared with each distinct list once, and the answer is kept
per pod class until a node changes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import (
    ALL_FIT,
    EventRegistration,
    FilterReads,
    Handle,
    HintAnswer,
    IntArray,
    Plugin,
    Rows,
    Verdicts,
)
from scheduler_core.framework.memo import GenerationMemo
from scheduler_core.framework.normalize import normalize_to_maximum
from scheduler_core.framework.status import SUCCESS, Status, unresolvable
from scheduler_core.framework.verdicts import StatusTable, look_up
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.taints import PREFER_NO_SCHEDULE, Taint, Toleration, first_untolerated, is_tolerated
from scheduler_core.snapshot.snapshot import Snapshot


class TaintToleration(Plugin):
    """Filters by NoSchedule and NoExecute taints, scores by the number of PreferNoSchedule ones."""

    name = "TaintToleration"
    filter_reads = FilterReads.NODE
    scores_stay_in_range = True

    def __init__(self, args: object, handle: Handle) -> None:
        super().__init__(args, handle)
        # Of all nodes.
        self._verdicts: GenerationMemo[Verdicts] = GenerationMemo()
        self._scores: GenerationMemo[IntArray] = GenerationMemo()

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        verdicts = self._verdicts.get(snapshot.node_generation, pod.class_key)
        if verdicts is None:
            verdicts = self._verdicts.put(snapshot.node_generation, pod.class_key, _all_verdicts(pod, snapshot))
        if verdicts.codes is None:
            return ALL_FIT
        return Verdicts(verdicts.codes[rows], verdicts.statuses)

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        tolerations = pod.pod.spec.tolerations
        taints = snapshot.node_at(row).spec.taints
        untolerated = [each for each in taints if first_untolerated((each,), tolerations) is not None]
        return [f"tolerate {taint}" for taint in untolerated]

    def pre_score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Status:
        return SUCCESS

    def score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        scores = self._scores.get(snapshot.node_generation, pod.class_key)
        if scores is None:
            scores = self._scores.put(snapshot.node_generation, pod.class_key, _all_scores(pod, snapshot))
        return scores[rows]

    def normalize(self, state: CycleState, pod: PodInfo, scores: IntArray) -> IntArray:
        return normalize_to_maximum(scores, reverse=True)

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (
            on("Node", "Add", "UpdateNodeTaint", hint=self._node_changed),
            on("Pod", "UpdatePodToleration", hint=self._toleration_changed),
        )

    def _node_changed(self, pod: PodInfo, old: Node | None, new: Node | None) -> HintAnswer:
        tolerations = pod.pod.spec.tolerations
        was_tolerated = old is not None and first_untolerated(old.spec.taints, tolerations) is None
        if new is None or was_tolerated:
            return skip("the node's taints kept nobody away before")
        untolerated = first_untolerated(new.spec.taints, tolerations)
        if untolerated is None:
            return queue("the pod tolerates the node's taints now")
        return skip(f"the pod does not tolerate {untolerated}")

    def _toleration_changed(self, pod: PodInfo, old: Pod | None, new: Pod | None) -> HintAnswer:
        if new is not None and PodInfo(new).uid == pod.uid:
            return queue("the pod tolerates more taints now")
        return skip("another pod's tolerations changed")


def untolerated_reason(taint: Taint) -> str:
    return f"node(s) had untolerated taint {{{taint.key}: {taint.value}}}"


def _all_verdicts(pod: PodInfo, snapshot: Snapshot) -> Verdicts:
    table = StatusTable()
    tolerations = pod.pod.spec.tolerations
    per_class = [table.code(_status(taints, tolerations)) for taints in snapshot.taint_classes]
    if not table.statuses:
        return ALL_FIT
    codes = look_up(per_class, snapshot.taint_class)
    return table.verdicts(codes) if codes.any() else ALL_FIT


def _status(taints: Sequence[Taint], tolerations: Sequence[Toleration]) -> Status:
    untolerated = first_untolerated(taints, tolerations)
    return SUCCESS if untolerated is None else unresolvable(untolerated_reason(untolerated))


def _all_scores(pod: PodInfo, snapshot: Snapshot) -> NDArray[np.int64]:
    tolerations = [each for each in pod.pod.spec.tolerations if each.effect in ("", PREFER_NO_SCHEDULE)]
    per_class = [
        sum(taint.effect == PREFER_NO_SCHEDULE and not is_tolerated(taint, tolerations) for taint in taints)
        for taints in snapshot.taint_classes
    ]
    return np.array(per_class, dtype=np.int64)[snapshot.taint_class]
