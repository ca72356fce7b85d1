"""Timeline cases: the scheduling queue over time, with simulated time.

Every step of a case is an object change at its time; a pod that is placed is
bound at once, victims go at once. The order of the attempts, the pod and the
outcome must be the measured ones; times may differ by a second, since the
measured ones have a ticker of an unknown phase. Each case is run with the gate
SchedulerPopFromBackoffQ off and on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scheduler_core.configuration import decode_configuration, default_configuration
from scheduler_core.conformance.mismatch import Mismatch
from scheduler_core.framework.status import SUCCESS
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.decode import decode
from scheduler_core.objects.label_keys import merge_label_keys
from scheduler_core.objects.model import KubernetesObject
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.queue.queued_pod import QueuedPod
from scheduler_core.report import CycleReport
from scheduler_core.scheduler import Scheduler
from scheduler_core.simulation.simulated_clock import SimulatedClock

Json = Mapping[str, Any]

TOLERANCE = 1.0
# A case that runs away is a failure, not a hang.
MAX_ATTEMPTS = 1000


def run_case(case: Json) -> list[Mismatch]:
    """Everything that differs, for each setting of the gate that was measured."""
    found: list[Mismatch] = []
    for setting, expected in case["expect"].items():
        gate, _, value = setting.partition("=")
        run = _Run(case, {gate: value == "true"})
        run.run()
        found.extend(_compare(f"{case['name']} ({setting})", expected, run))
    return found


class _Run:
    """One case on one scheduler."""

    def __init__(self, case: Json, feature_gates: Mapping[str, bool]) -> None:
        self._case = case
        self._clock = SimulatedClock()
        self._start = self._clock.now()
        config = case.get("config")
        configuration = decode_configuration(config) if config else default_configuration()
        self._scheduler = Scheduler(configuration, self._clock, seed=1, feature_gates=feature_gates)
        # What is stored, by kind and key.
        self._manifests: dict[tuple[str, str], Json] = {}
        self.attempts: list[Json] = []
        self.samples: list[Json] = []

    def run(self) -> None:
        for manifest in self._case["objects"]:
            self._store("ADDED", manifest)
        self._work()
        steps = [(step["at"], 0, step) for step in self._case["steps"]]
        steps += [(at, 1, None) for at in self._case["sample"]]
        for at, _, step in sorted(steps, key=lambda each: each[:2]):
            self._run_until(at)
            if step is None:
                self.samples.append(self._sample(at))
            else:
                self._apply(step)
                self._work()
        self._run_until(self._case["until"])

    def _run_until(self, at: float) -> None:
        end = self._start + at
        wakeup = self._scheduler.next_wakeup()
        while wakeup is not None and wakeup <= end:
            self._clock.advance_to(max(wakeup, self._clock.now()))
            self._work()
            wakeup = self._scheduler.next_wakeup()
        self._clock.advance_to(end)

    def _work(self) -> None:
        """Everything the scheduler can do now."""
        self._scheduler.tick()
        while (report := self._scheduler.schedule_one()) is not None:
            self._record(report)
            if len(self.attempts) >= MAX_ATTEMPTS:
                return

    def _record(self, report: CycleReport) -> None:
        key = f"{report.pod.namespace}/{report.pod.name}"
        attempt = {"t": self._clock.now() - self._start, "pod": key, "outcome": report.outcome}
        self.attempts.append(attempt | ({"node": report.node} if report.node else {}))
        if report.outcome == "scheduled":
            self._bind(report, key)
        elif report.preemption is not None:
            self._preempt(report, key)

    def _bind(self, report: CycleReport, key: str) -> None:
        self._scheduler.binding_finished(report.pod.uid, report.node, SUCCESS)
        pod = self._manifests["Pod", key]
        self._store("MODIFIED", {**pod, "spec": {**pod["spec"], "nodeName": report.node}})

    def _preempt(self, report: CycleReport, key: str) -> None:
        preemption = report.preemption
        assert preemption is not None
        if preemption.node:
            pod = self._manifests["Pod", key]
            self._store("MODIFIED", {**pod, "status": {**pod.get("status", {}), "nominatedNodeName": preemption.node}})
        for victim in preemption.victims:
            self._delete({"kind": "Pod", "name": victim.name, "namespace": victim.namespace})

    def _apply(self, step: Json) -> None:
        if "create" in step:
            self._store("ADDED", step["create"])
        elif "update" in step:
            self._store("MODIFIED", step["update"])
        else:
            self._delete(step["delete"])

    def _store(self, event: Any, manifest: Json) -> None:
        self._manifests[manifest["kind"], _key(manifest)] = manifest
        self._scheduler.handle(ObjectChange(event=event, object=_decode(manifest)))

    def _delete(self, named: Json) -> None:
        namespace = named.get("namespace")
        key = f"{namespace}/{named['name']}" if namespace else named["name"]
        gone = self._manifests.pop((named["kind"], key))
        self._scheduler.handle(ObjectChange(event="DELETED", object=_decode(gone)))

    def _sample(self, at: float) -> Json:
        queue = self._scheduler.queue
        pods = [manifest for (kind, _), manifest in self._manifests.items() if kind == "Pod"]
        bound = [f"{_key(pod)}@{pod['spec']['nodeName']}" for pod in pods if pod["spec"].get("nodeName")]
        sample = {
            "t": at,
            "active": _keys(queue.active()),
            "backoff": _keys(queue.backing_off()),
            "unschedulable": _keys(queue.unschedulable()),
            "bound": sorted(bound),
        }
        nominated = sorted(
            f"{pod.key}@{node}" for node in queue.nominator.nodes for pod in queue.nominator.pods_for_node(node)
        )
        return sample | ({"nominated": nominated} if nominated else {})


def _keys(pods: list[QueuedPod]) -> list[str]:
    return sorted(queued.pod.key for queued in pods)


def _key(manifest: Json) -> str:
    metadata = manifest["metadata"]
    if manifest["kind"] == "Pod":
        return PodInfo(_as_pod(manifest)).key
    namespace = metadata.get("namespace")
    return f"{namespace}/{metadata['name']}" if namespace else str(metadata["name"])


def _as_pod(manifest: Json) -> Any:
    return _decode(manifest)


def _decode(manifest: Json) -> KubernetesObject:
    return decode(merge_label_keys(manifest) if manifest["kind"] == "Pod" else manifest)


def _compare(name: str, expected: Json, run: _Run) -> Iterator[Mismatch]:
    wanted, got = expected.get("attempts") or [], run.attempts
    for i in range(max(len(wanted), len(got))):
        left, right = (each[i] if i < len(each) else None for each in (wanted, got))
        if not _same_attempt(left, right):
            yield Mismatch(case=name, subject=f"attempt {i + 1}", what="attempt", expected=left, got=right)
            break
    for sample, seen in zip(expected.get("samples") or [], run.samples, strict=True):
        for what in ("active", "backoff", "unschedulable", "bound", "nominated"):
            if sample.get(what, []) != seen.get(what, []):
                subject = f"at {sample['t']}"
                yield Mismatch(case=name, subject=subject, what=what, expected=sample.get(what), got=seen.get(what))


def _same_attempt(wanted: Json | None, got: Json | None) -> bool:
    if wanted is None or got is None:
        return False
    alike = all(wanted.get(what) == got.get(what) for what in ("pod", "outcome", "node"))
    return alike and abs(wanted["t"] - got["t"]) <= TOLERANCE
