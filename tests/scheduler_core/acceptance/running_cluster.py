"""A cluster with a scheduler and nobody else: what a test does not do does not happen.

Placed pods are bound at once, those held at Permit when they are let go. Victims
are marked as the API server would mark them and stay until `remove` takes them away.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from scheduler_core.configuration import decode_configuration
from scheduler_core.framework.extenders import ExtenderCaller
from scheduler_core.framework.registry import Registry
from scheduler_core.framework.status import SUCCESS
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.decode import decode
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.report import CycleReport, QueueMove
from scheduler_core.scheduler import Scheduler
from scheduler_core.testing import FakeClock, NodeBuilder, PodBuilder

HEAD = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
VICTIM = {"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}


class RunningCluster:
    """Scheduler, clock and stored manifests."""

    def __init__(
        self,
        config: Mapping[str, Any] | None = None,
        gates: Mapping[str, bool] | None = None,
        registry: Registry = DEFAULT_REGISTRY,
        caller: ExtenderCaller | None = None,
    ) -> None:
        self.clock = FakeClock()
        configuration = decode_configuration({**HEAD, **(config or {})}, registry, feature_gates=gates)
        self.extenders = configuration.extenders
        self.new_scheduler = partial(
            Scheduler, configuration, self.clock, seed=1, feature_gates=gates, registry=registry, caller=caller
        )
        self.scheduler = self.new_scheduler()
        self.manifests: dict[tuple[str, str], Any] = {}
        self.moves: list[QueueMove] = []
        # Name -> what became of pods that were held at Permit: "" they went on, else the FailedScheduling text.
        self.permit_results: dict[str, str] = {}

    def take_over(self) -> None:
        """Another worker goes on from what is stored."""
        old, self.scheduler = self.scheduler, self.new_scheduler()
        objects = [decode(manifest) for manifest in self.manifests.values()]
        self.scheduler.restore(objects, old.queue_state(), old.assumed_pods(), old.sequence, old.next_start)

    def add(self, *objects: NodeBuilder | PodBuilder | Mapping[str, Any]) -> None:
        for each in objects:
            self._store("ADDED", each.build() if isinstance(each, NodeBuilder | PodBuilder) else dict(each))

    def update(self, *objects: NodeBuilder | PodBuilder) -> None:
        for each in objects:
            self._store("MODIFIED", each.build())

    def remove(self, name: str, kind: str = "Pod") -> None:
        gone = self.manifests.pop((kind, name))
        self.scheduler.handle(ObjectChange(event="DELETED", object=decode(gone)))

    def _store(self, event: Any, manifest: dict[str, Any]) -> None:
        self.manifests[manifest["kind"], manifest["metadata"]["name"]] = manifest
        self.scheduler.manifests.put(manifest)
        self.scheduler.handle(ObjectChange(event=event, object=decode(manifest)))

    def pod(self, name: str) -> dict[str, Any]:
        return self.manifests["Pod", name]  # type: ignore[no-any-return]

    def step(self) -> CycleReport | None:
        """One cycle, and what follows from it."""
        report = self.scheduler.schedule_one()
        if report is not None:
            self._follow(report)
        self.follow_permit()
        self.moves += self.scheduler.drain_moves()
        return report

    def attempt(self) -> CycleReport:
        report = self.step()
        assert report is not None, "there is no pod to try"
        return report

    def run(self, seconds: float = 0.0) -> list[CycleReport]:
        """All cycles until then."""
        end, reports = self.clock.now() + seconds, []
        while True:
            self.scheduler.tick()
            while (report := self.step()) is not None:
                reports.append(report)
            wakeup = self.scheduler.next_wakeup()
            if wakeup is None or wakeup > end:
                self.clock.set(end)
                return reports
            self.clock.set(wakeup)

    def run_backoff(self) -> None:
        """Time goes on until every backoff is over; nothing is tried yet."""
        while self.scheduler.queue.backing_off():
            wakeup = self.scheduler.next_wakeup()
            assert wakeup is not None
            self.clock.set(wakeup)
            self.scheduler.tick()

    def retry(self, name: str) -> CycleReport:
        """The pod is tried now, whatever it waits for."""
        assert self.scheduler.queue.activate(self.uid(name))
        return self.attempt()

    def uid(self, name: str) -> str:
        pod = decode(self.pod(name))
        return PodInfo(pod).uid  # type: ignore[arg-type]

    def place_of(self, name: str) -> str:
        queued = self.scheduler.queue.get(self.uid(name))
        return queued.queue if queued else ""

    def node_of(self, name: str) -> str:
        return self.pod(name)["spec"].get("nodeName", "")  # type: ignore[no-any-return]

    def _bind(self, name: str, uid: str, node: str) -> None:
        pod = self.pod(name)
        self.scheduler.binding_finished(uid, node, SUCCESS)
        self._store("MODIFIED", {**pod, "spec": {**pod["spec"], "nodeName": node}})

    def follow_permit(self) -> None:
        """Pods that need not wait any longer: bound, or back in the queue."""
        for result in self.scheduler.drain_permit_results():
            self.permit_results[result.pod.name] = result.message
            if result.status.code == "Success":
                self._bind(result.pod.name, result.pod.uid, result.node)

    def _follow(self, report: CycleReport) -> None:
        pod = self.pod(report.pod.name)
        if report.outcome == "scheduled":
            self._bind(report.pod.name, report.pod.uid, report.node)
        elif report.nominated_node_name is not None:
            status = {**pod["status"], "nominatedNodeName": report.nominated_node_name}
            self._store("MODIFIED", {**pod, "status": status})

    def evict(self, report: CycleReport) -> None:
        """Marks the victims; they terminate but are still there."""
        assert report.preemption is not None
        for victim in report.preemption.victims:
            pod = self.pod(victim.name)
            metadata = {**pod["metadata"], "deletionTimestamp": "2026-01-01T00:00:30Z"}
            self._store("MODIFIED", {**pod, "metadata": metadata, "status": {**pod["status"], "conditions": [VICTIM]}})


def victims_of(report: CycleReport) -> list[str]:
    return sorted(victim.name for victim in report.preemption.victims) if report.preemption else []


def budget(name: str, allowed: int, **labels: str) -> dict[str, Any]:
    """A PodDisruptionBudget."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": labels}},
        "status": {"disruptionsAllowed": allowed},
    }
