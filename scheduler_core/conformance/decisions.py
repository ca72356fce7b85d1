"""Decision cases: pods scheduled one by one, every verdict and score compared.

The scheduler runs as it does in a cluster, fed with object changes. Two things
are the driver's: which of the best nodes is taken, so that the next pod meets
the state that was measured, and that only the pod at hand is in the queue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from scheduler_core.configuration import Configuration, decode_configuration, default_configuration
from scheduler_core.configuration.model import Profile
from scheduler_core.conformance.mismatch import Mismatch
from scheduler_core.framework.interface import ExtensionPoint
from scheduler_core.framework.status import error
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.decode import decode
from scheduler_core.objects.label_keys import merge_label_keys
from scheduler_core.objects.model import KubernetesObject
from scheduler_core.objects.pod import FINISHED_PHASES, Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.report import CycleReport, StatusReport
from scheduler_core.scheduler import Scheduler
from scheduler_core.simulation.simulated_clock import SimulatedClock

Json = Mapping[str, Any]


def run_case(case: Json) -> list[Mismatch]:
    """Everything that differs."""
    driver = _Driver(case)
    found: list[Mismatch] = []
    for step, expected in zip(case["pods"], case["expect"], strict=True):
        found.extend(driver.step(step, expected))
    return found


class _Driver:
    """One case on one scheduler."""

    def __init__(self, case: Json) -> None:
        self._name = case["name"]
        self._wanted_node = ""
        self._scheduler = Scheduler(
            _configuration(case.get("config")),
            SimulatedClock(),
            seed=1,
            choose=lambda best: self._choose(best),
            # A profile without Score plugins was measured on all nodes too.
            sample=False,
        )
        self._objects = [_decode(_as_measured(manifest)) for manifest in case["objects"]]
        self._scheduler.restore(self._objects)
        # Manifests of the pods that are not bound, by key.
        self._pending: dict[str, Json] = {}
        self._pods_by_key = {_key(each): each for each in self._objects if isinstance(each, Pod)}

    def _choose(self, best: Any) -> str:
        return self._wanted_node if self._wanted_node in best else min(best)

    def step(self, step: Json, expected: Json) -> list[Mismatch]:
        """Schedules one pod, compares, and leaves the state the next one is to meet."""
        key = step.get("retry") or _key_of(step)
        outcome, report = self._attempt(step, key, expected.get("bound", ""))
        differences = [
            Mismatch(case=self._name, subject=key, node=node, what=what, expected=wanted, got=got)
            for what, node, wanted, got in _compare(expected, outcome, report)
        ]
        self._settle(key, report, expected)
        return differences

    def _attempt(self, step: Json, key: str, wanted_node: str) -> tuple[str, CycleReport | None]:
        if "retry" in step:
            if key not in self._pending:
                return "not-pending", None
        else:
            self._pending[key] = step
        pod = _decode(self._pending[key])
        self._scheduler.handle(ObjectChange(event="ADDED", object=pod))
        self._wanted_node = wanted_node
        report = self._scheduler.schedule_one()
        return ("ignored", None) if report is None else (report.outcome, report)

    def _settle(self, key: str, report: CycleReport | None, expected: Json) -> None:
        if report is None:
            return
        pod = PodInfo(_decode_pod(self._pending[key]))
        if report.outcome == "scheduled":
            # What was measured goes on from the node that was taken there.
            self._bind(key, pod, report.node, expected.get("bound") or report.node)
            return
        self._scheduler.queue.delete(pod.uid)
        if report.nominated_node_name is not None:
            self._nominate(key, report.nominated_node_name)
        if _decode_pod(self._pending[key]).status.nominated_node_name:
            self._scheduler.queue.nominator.add(PodInfo(_decode_pod(self._pending[key])))
        if report.preemption is not None:
            for outranked in report.preemption.nominations_cleared:
                self._nominate(f"{outranked.namespace}/{outranked.name}", "")
            for victim in report.preemption.victims:
                gone = self._pods_by_key.pop(f"{victim.namespace}/{victim.name}")
                self._scheduler.handle(ObjectChange(event="DELETED", object=gone))

    def _bind(self, key: str, pod: PodInfo, chosen: str, node_name: str) -> None:
        manifest = self._pending.pop(key)
        bound = _decode_pod({**manifest, "spec": {**manifest["spec"], "nodeName": node_name}})
        # PreBind was not run where this was measured: what Reserve promised of volumes and devices is taken back.
        self._scheduler.binding_finished(pod.uid, chosen, error("taken back"))
        self._scheduler.handle(ObjectChange(event="MODIFIED", object=bound))
        self._pods_by_key[key] = bound

    def _nominate(self, key: str, node_name: str) -> None:
        manifest = self._pending[key]
        status = {**manifest.get("status", {}), "nominatedNodeName": node_name}
        self._pending[key] = {**manifest, "status": status}


def _configuration(document: Json | None) -> Configuration:
    """PreEnqueue is left out: what was measured are cycles, also of pods that would not get one yet."""
    given = default_configuration() if document is None else decode_configuration(document)
    return replace(given, profiles=tuple(map(_without_pre_enqueue, given.profiles)))


def _without_pre_enqueue(profile: Profile) -> Profile:
    return replace(profile, plugins={**profile.plugins, ExtensionPoint.PRE_ENQUEUE: ()})


def _as_measured(manifest: Json) -> Json:
    """A finished pod takes room in the measured answers.

    A cluster's scheduler never hears of finished pods: the API server leaves them out of its watch. The
    measuring program gave kube-scheduler all objects as they are.
    """
    phase = manifest.get("status", {}).get("phase")
    if manifest["kind"] != "Pod" or phase not in FINISHED_PHASES:
        return manifest
    return {**manifest, "status": {**manifest["status"], "phase": "Running"}}


def _decode(manifest: Json) -> KubernetesObject:
    return decode(merge_label_keys(manifest) if manifest["kind"] == "Pod" else manifest)


def _decode_pod(manifest: Json) -> Pod:
    pod = _decode(manifest)
    if not isinstance(pod, Pod):
        raise TypeError(f"expected a Pod, got {type(pod).__name__}")
    return pod


def _key(pod: Pod) -> str:
    return PodInfo(pod).key


def _key_of(manifest: Json) -> str:
    metadata = manifest["metadata"]
    return f"{metadata.get('namespace') or 'default'}/{metadata['name']}"


# (what, node, expected, got)
_Difference = tuple[str, str, Any, Any]


def _compare(expected: Json, outcome: str, report: CycleReport | None) -> Iterator[_Difference]:
    if expected["outcome"] != outcome:
        yield "outcome", "", expected["outcome"], outcome
    if report is None:
        return
    yield from _compare_filter(expected, report)
    yield from _compare_scores(expected, report)
    yield from _compare_failure(expected, report)


def _compare_filter(expected: Json, report: CycleReport) -> Iterator[_Difference]:
    feasible, rejected = _verdicts(report)
    if "feasible" in expected and sorted(expected["feasible"]) != sorted(feasible):
        yield "feasible", "", sorted(expected["feasible"]), sorted(feasible)
    wanted = {node: _rejection(each) for node, each in (expected.get("rejected") or {}).items()}
    for node in sorted(wanted.keys() | rejected.keys()):
        got = rejected.get(node, _absent(report) if node not in feasible else None)
        if wanted.get(node) != got:
            yield "rejected", node, wanted.get(node), got


def _rejection(rejected: Json) -> tuple[str, str, list[str]]:
    return rejected["plugin"], rejected["code"], sorted(rejected.get("reasons") or [])


def _of_status(status: StatusReport) -> tuple[str, str, list[str]]:
    return status.plugin, status.code, sorted(status.reasons)


def _absent(report: CycleReport) -> tuple[str, str, list[str]] | None:
    absent = report.filter.absent if report.filter else None
    return None if absent is None else _of_status(absent)


def _verdicts(report: CycleReport) -> tuple[list[str], dict[str, tuple[str, str, list[str]]]]:
    if report.filter is None:
        return [], {}
    pairs = list(zip(report.filter.nodes, report.filter.status, strict=True))
    feasible = [node for node, code in pairs if code < 0]
    return feasible, {node: _of_status(report.filter.statuses[code]) for node, code in pairs if code >= 0}


def _compare_scores(expected: Json, report: CycleReport) -> Iterator[_Difference]:
    got: dict[str, dict[str, int]] = {}
    totals: dict[str, int] = {}
    best = [report.node]
    if report.score is not None:
        score = report.score
        best = score.best
        totals = dict(zip(score.nodes, score.totals.tolist(), strict=True))
        for i, node in enumerate(score.nodes):
            got[node] = {column.plugin: int(column.weighted[i]) for column in score.plugins}
    for node, wanted in (expected.get("scores") or {}).items():
        if wanted != got.get(node):
            yield "scores", node, wanted, got.get(node)
    if (expected.get("totals") or {}) != totals:
        yield "totals", "", expected.get("totals"), totals
    if "best" in expected and sorted(expected["best"]) != sorted(best):
        yield "best", "", sorted(expected["best"]), sorted(best)


def _compare_failure(expected: Json, report: CycleReport) -> Iterator[_Difference]:
    message = expected.get("message") or expected.get("error") or ""
    if message != report.message:
        yield "message", "", message, report.message
    for what, names in (
        ("unschedulablePlugins", report.unschedulable_plugins),
        ("pendingPlugins", report.pending_plugins),
    ):
        if sorted(expected.get(what) or []) != sorted(names):
            yield what, "", sorted(expected.get(what) or []), sorted(names)
    if expected.get("preemption") != _preemption(report):
        yield "preemption", "", expected.get("preemption"), _preemption(report)


def _preemption(report: CycleReport) -> Json | None:
    if report.post_filter is None:
        return None
    victims = report.preemption.victims if report.preemption else []
    return {
        "code": report.post_filter.code,
        "message": ", ".join(report.post_filter.reasons),
        "node": report.nominated_node_name or "",
        "victims": sorted(f"{victim.namespace}/{victim.name}" for victim in victims),
    }
