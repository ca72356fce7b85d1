"""A small cluster for controllers: an in-memory store, its manager, and hands to play kubelet and scheduler."""

from __future__ import annotations

from random import Random
from typing import Any

from scheduler_core.controllers import all_controllers
from scheduler_core.controllers.manager import ControllerManager
from scheduler_core.objects.conditions import condition, set_condition
from scheduler_core.objects.manifest import Manifest, is_active, node_name_of
from scheduler_core.simulation.store import MemoryStore

START = 1_700_000_000.0


class TinyCluster:
    def __init__(self) -> None:
        self.now = START
        self.store = MemoryStore(now=lambda: self.now)
        self.looks = 0
        self.restart_controllers()

    def restart_controllers(self) -> None:
        """A new process: it knows nothing but the objects."""
        self.manager = ControllerManager(self.store.index, all_controllers(Random(7)))
        self.store.observer = self.manager.observe
        self.manager.resync()

    def settle(self) -> None:
        """Let the controllers work until they have nothing to do at this moment."""
        budget = self.looks + 1000
        self.manager.run(self.store, self.now, self._count_to(budget))
        assert not self.manager.has_work, "the controllers do not come to rest"

    def _count_to(self, budget: int) -> Any:
        def may_go_on() -> bool:
            self.looks += 1
            return self.looks < budget

        return may_go_on

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.settle()

    def pods(self, namespace: str = "default") -> list[Manifest]:
        return list(self.store.list("Pod", namespace))

    def active_pods(self) -> list[Manifest]:
        return [pod for pod in self.pods() if is_active(pod)]

    def get(self, kind: str, name: str) -> Manifest:
        found = self.store.get(kind, "" if kind == "Node" else "default", name)
        assert found is not None, f"{kind} {name} is missing"
        return found

    def only(self, kind: str) -> Manifest:
        (found,) = self.store.list(kind)
        return found

    def bind(self, pod: Manifest, node: str = "n1") -> Manifest:
        return self.store.update({**pod, "spec": {**pod["spec"], "nodeName": node}})

    def set_ready(self, pod: Manifest, ready: bool = True) -> Manifest:
        current = self.get("Pod", pod["metadata"]["name"])
        conditions = (current.get("status") or {}).get("conditions") or ()
        ready_condition = condition("Ready", ready, self.now)
        return self.store.update_status(
            current, {"phase": "Running", "conditions": set_condition(conditions, ready_condition)}
        )

    def finish(self, pod: Manifest, phase: str) -> Manifest:
        return self.store.update_status(self.get("Pod", pod["metadata"]["name"]), {"phase": phase})

    def run_all(self) -> None:
        """Every active pod is bound, running and ready; the controllers see it."""
        for pod in self.active_pods():
            if not node_name_of(pod):
                self.bind(pod)
            self.set_ready(pod)
        self.settle()

    def end_terminating(self) -> None:
        """What the kubelet does at the end of the grace period."""
        for pod in self.pods():
            if pod["metadata"].get("deletionTimestamp"):
                self.store.remove(pod)
        self.settle()

    def change_spec(self, kind: str, name: str, **fields: Any) -> Manifest:
        manifest = self.get(kind, name)
        return self.store.update({**manifest, "spec": {**manifest["spec"], **fields}})

    def event_messages(self, reason: str) -> list[str]:
        return [event.message for event in self.store.events if event.reason == reason]


def template(image: str = "shop:1", labels: dict[str, str] | None = None, **spec: Any) -> Manifest:
    return {
        "metadata": {"labels": labels or {"app": "web"}},
        "spec": {"containers": [{"name": "web", "image": image}], **spec},
    }


def workload(kind: str, name: str = "web", **spec: Any) -> Manifest:
    group = {"ReplicationController": "v1", "Job": "batch/v1"}.get(kind, "apps/v1")
    selector: Any = {"app": "web"} if kind == "ReplicationController" else {"matchLabels": {"app": "web"}}
    return {
        "apiVersion": group,
        "kind": kind,
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"selector": selector, "template": template(), **spec},
    }


def node(name: str, *, labels: dict[str, str] | None = None, **spec: Any) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **(labels or {})}},
        "spec": spec,
        "status": {"conditions": [{"type": "Ready", "status": "True"}]},
    }
