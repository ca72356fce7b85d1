"""All extenders of a scheduler in a scheduling cycle, in the order of the configuration, the ignorable ones last.

Filter comes after the plugins' Filter; each extender gets the nodes that the one
before let pass. Prioritize comes after Score, and its failure costs only its
scores. Preempt is asked once candidates were found, and may take some away or
name other victims. An extender that is not interested in a pod is passed over,
and so is the failure of an ignorable one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.extenders import wire
from scheduler_core.framework.extenders.extender import Extender, ExtenderError
from scheduler_core.framework.extenders.interface import ExtenderCaller, ExtenderSpec, ManifestSource
from scheduler_core.framework.recorder import Stopwatch
from scheduler_core.framework.status import Code, Status
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.report import ExtenderCall, ScoreColumn
from scheduler_core.snapshot.snapshot import Snapshot

# Stands for all of them where plugins are named: it is woken by every event.
EXTENDER = "Extender"
# Extenders score from 0 to 10, plugins from 0 to 100.
SCORE_SCALE = 100 // 10


class Passed(NamedTuple):
    """What Filter of all extenders came to."""

    # Nodes that all of them let pass.
    names: list[str]
    # What they said of others, whether they were asked about them or not.
    statuses: dict[str, Status]


class ExtenderVictims(NamedTuple):
    """A candidate for preemption."""

    node_name: str
    victims: Sequence[PodInfo]
    pdb_violations: int


class Extenders:
    """Of one scheduler."""

    def __init__(
        self,
        specs: Sequence[ExtenderSpec],
        caller: ExtenderCaller,
        manifests: ManifestSource,
        stopwatch: Stopwatch,
    ) -> None:
        self._calls: list[ExtenderCall] = []
        # Who must be heard is asked first.
        in_order = sorted(specs, key=lambda spec: spec.ignorable)
        self._all = [Extender(spec, caller, stopwatch, self._calls.append) for spec in in_order]
        self._manifests = manifests
        # Where somebody filters or scores behind the plugins, the first feasible node is not enough.
        self.want_choice = any(spec.filter_verb or spec.prioritize_verb for spec in specs)

    def __len__(self) -> int:
        return len(self._all)

    def take_calls(self) -> list[ExtenderCall]:
        """Those made since it was asked last, in order."""
        calls, self._calls[:] = list(self._calls), []
        return calls

    # Filter

    def filters(self, pod: PodInfo) -> bool:
        """Whether there is anybody to ask."""
        return any(extender.spec.filter_verb and extender.is_interested(pod) for extender in self._all)

    def filter(self, pod: PodInfo, snapshot: Snapshot, names: Sequence[str]) -> Passed:
        """Raises ExtenderError."""
        passed = Passed(list(names), {})
        for extender in self._all:
            if not passed.names:
                break
            if extender.spec.filter_verb and extender.is_interested(pod):
                passed = self._filter_with(extender, pod, snapshot, passed)
        return passed

    def _filter_with(self, extender: Extender, pod: PodInfo, snapshot: Snapshot, before: Passed) -> Passed:
        try:
            answer = extender.filter(self._body(extender, pod, snapshot, before.names), before.names)
            names = extender.passed(answer, before.names)
        except ExtenderError as failure:
            self._pass_over(extender, failure)
            return before
        # Who is in both maps is unresolvable.
        failed = {**_rejections(answer.failed, Code.UNSCHEDULABLE)}
        failed |= _rejections(answer.failed_and_unresolvable, Code.UNSCHEDULABLE_AND_UNRESOLVABLE)
        self._calls[-1].nodes_passed = len(names)
        return Passed(names, {**before.statuses, **failed})

    def _body(self, extender: Extender, pod: PodInfo, snapshot: Snapshot, names: Sequence[str]) -> bytes:
        nodes = None if extender.spec.node_cache_capable else [self._node(snapshot, name) for name in names]
        return wire.filter_body(self._manifests.pod(pod), names, nodes)

    def _node(self, snapshot: Snapshot, name: str) -> bytes:
        record = snapshot.record_of(name)
        assert record is not None
        return self._manifests.node(record.node)

    def _pass_over(self, extender: Extender, failure: ExtenderError) -> None:
        """Note the failure; raise it again unless the extender is ignorable."""
        self._calls[-1].error = str(failure)
        if not extender.spec.ignorable:
            raise failure

    # Prioritize

    def prioritize(self, pod: PodInfo, snapshot: Snapshot, names: Sequence[str]) -> list[ScoreColumn]:
        """A column for every extender that answered; one that fails gives no score, and that is all."""
        columns = []
        for extender in self._all:
            if not extender.spec.prioritize_verb or not extender.is_interested(pod):
                continue
            try:
                scores = extender.prioritize(self._body(extender, pod, snapshot, names), names)
            except ExtenderError as failure:
                self._calls[-1].error = str(failure)
                continue
            columns.append(_score_column(extender, _raw_scores(scores, names)))
        return columns

    # Preempt

    def preempts(self, pod: PodInfo) -> bool:
        """Whether there is anybody to ask."""
        return any(extender.spec.preempt_verb and extender.is_interested(pod) for extender in self._all)

    def process_preemption(
        self, pod: PodInfo, snapshot: Snapshot, candidates: Sequence[ExtenderVictims]
    ) -> list[ExtenderVictims]:
        """The candidates that are left, in the order they came, with the victims the extenders named.

        Raises ExtenderError.
        """
        left = list(candidates)
        for extender in self._all:
            if not left:
                break
            if extender.spec.preempt_verb and extender.is_interested(pod):
                left = self._preempt_with(extender, pod, snapshot, left)
        return left

    def _preempt_with(
        self, extender: Extender, pod: PodInfo, snapshot: Snapshot, before: list[ExtenderVictims]
    ) -> list[ExtenderVictims]:
        try:
            answer = extender.preempt(self._preempt_body(extender, pod, before), len(before))
            found = {node: _victims_on(snapshot, extender, node, each) for node, each in answer.items()}
        except ExtenderError as failure:
            self._pass_over(extender, failure)
            return before
        for node in [node for node, each in found.items() if not each.victims]:
            self._pass_over(extender, ExtenderError(f'expected at least one victim pod on node "{node}"'))
            del found[node]
        self._calls[-1].nodes_passed = len(found)
        order = {each.node_name: place for place, each in enumerate(before)}
        return sorted(found.values(), key=lambda each: order.get(each.node_name, len(order)))

    def _preempt_body(self, extender: Extender, pod: PodInfo, candidates: Sequence[ExtenderVictims]) -> bytes:
        meta = extender.spec.node_cache_capable
        victims = {each.node_name: self._victims(each, meta=meta) for each in candidates}
        return wire.preempt_body(self._manifests.pod(pod), victims, meta=meta)

    def _victims(self, candidate: ExtenderVictims, *, meta: bool) -> Mapping[str, Any]:
        pods: list[Any] = (
            [{"UID": victim.uid} for victim in candidate.victims]
            if meta
            else [msgspec.Raw(self._manifests.pod(victim)) for victim in candidate.victims]
        )
        return {"Pods": pods, "NumPDBViolations": candidate.pdb_violations}


def _rejections(reasons: Mapping[str, str], code: Code) -> dict[str, Status]:
    return {name: Status(code, (reason,), EXTENDER) for name, reason in reasons.items()}


def _raw_scores(scores: Sequence[tuple[str, int]], names: Sequence[str]) -> NDArray[np.int64]:
    """Who is named twice gets both scores; whom nobody asked about is passed over."""
    place = {name: i for i, name in enumerate(names)}
    raw = np.zeros(len(names), dtype=np.int64)
    for host, score in scores:
        if host in place:
            raw[place[host]] += np.int64(score)
    return raw


def _score_column(extender: Extender, raw: NDArray[np.int64]) -> ScoreColumn:
    """Scores out of 0..10 count as they are: kube-scheduler does not look."""
    normalized = raw * np.int64(SCORE_SCALE)
    weight = extender.spec.weight
    return ScoreColumn(
        plugin=extender.url, weight=weight, raw=raw, normalized=normalized, weighted=normalized * np.int64(weight)
    )


def _victims_on(snapshot: Snapshot, extender: Extender, node: str, named: wire.MetaVictims) -> ExtenderVictims:
    record = snapshot.record_of(node)
    if record is None:
        raise ExtenderError(f'nodeinfo not found for node name "{node}"')
    victims = []
    for uid in named.uids:
        if uid not in record.pods:
            raise ExtenderError(
                # Go prints the whole struct that has the UID.
                f"extender: {extender.url} claims to preempt pod (UID: &{{{uid}}}) on node: {node}, "
                "but the pod is not found on that node"
            )
        victims.append(record.pods[uid])
    return ExtenderVictims(node, victims, named.pdb_violations)
