"""A stored cluster for tests of controllers and kubelets: writes through services, time in the test's hands."""

from __future__ import annotations

from typing import Any

from playground.clusters import clock
from playground.clusters.models import Cluster, Pod
from playground.clusters.selectors import object_get, object_list
from playground.clusters.services.clusters import (
    cluster_clock_advance,
    cluster_create,
    cluster_pause,
    cluster_resume,
    cluster_speed,
)
from playground.clusters.services.objects import object_create, object_delete, object_patch
from playground.clusters.services.pods import PodBinding, pod_bind_many
from playground.clusters.services.transaction import cluster_transaction
from playground.common.errors import ApiError
from playground.controllers.services.run import RunResult, controllers_run
from playground.controllers.session import sessions

Manifest = dict[str, Any]


class Town:
    def __init__(self) -> None:
        self.cluster: Cluster = cluster_create(name="town", seed=7)
        self.id = self.cluster.pk
        # As good as standing still, but running: time passes when the test says so.
        with self.tx() as tx:
            cluster_speed(tx, speed=0.01)
        sessions.drop(self.id)
        self.create(node("n1"))

    def tx(self) -> Any:
        return cluster_transaction(self.id)

    def create(self, manifest: Manifest) -> Manifest:
        with self.tx() as tx:
            return object_create(tx, manifest=manifest)

    def delete(self, kind: str, name: str) -> None:
        with self.tx() as tx:
            object_delete(tx, kind=kind, namespace="" if kind == "Node" else "default", name=name)

    def delete_hooks(self) -> None:
        with self.tx() as tx:
            for hook in object_list(self.id, "MutatingWebhookConfiguration"):
                name = hook["metadata"]["name"]
                object_delete(tx, kind="MutatingWebhookConfiguration", namespace="", name=name)

    def change_spec(self, kind: str, name: str, **fields: Any) -> None:
        def change(manifest: Manifest) -> Manifest:
            return {**manifest, "spec": {**manifest["spec"], **fields}}

        with self.tx() as tx:
            object_patch(tx, kind=kind, namespace="" if kind == "Node" else "default", name=name, change=change)

    def bind(self, *names: str, node_name: str = "n1") -> None:
        bindings = [PodBinding(namespace="default", name=name, node_name=node_name) for name in names]
        with self.tx() as tx:
            for answer in pod_bind_many(tx, bindings=bindings):
                assert not isinstance(answer, ApiError), answer

    def bind_all(self, node_name: str = "n1") -> None:
        self.bind(
            *(pod["metadata"]["name"] for pod in self.pods() if not pod["spec"].get("nodeName")), node_name=node_name
        )

    def run(self) -> RunResult:
        """What the Celery task does, until it would not come back at once."""
        for _ in range(100):
            result = controllers_run(cluster_id=self.id)
            if not result.unfinished:
                return result
        raise AssertionError("the controllers do not come to rest")

    def pass_time(self, seconds: float) -> RunResult:
        with self.tx() as tx:
            cluster_clock_advance(tx, to=clock.now(tx.cluster) + seconds)
        return self.run()

    def pause(self) -> None:
        with self.tx() as tx:
            cluster_pause(tx)

    def resume(self) -> None:
        with self.tx() as tx:
            cluster_resume(tx)

    def get(self, kind: str, name: str) -> Manifest:
        found = object_get(self.id, kind, "" if kind == "Node" else "default", name)
        assert found is not None, f"{kind} {name} is missing"
        return found

    def all(self, kind: str) -> list[Manifest]:
        return object_list(self.id, kind)

    def pods(self) -> list[Manifest]:
        return self.all("Pod")

    def phases(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for phase in Pod.objects.filter(cluster_id=self.id).values_list("phase", flat=True):
            counts[phase] = counts.get(phase, 0) + 1
        return counts

    def reasons(self, name: str) -> list[str]:
        """Reasons of the events about an object, in order."""
        events = [event for event in self.all("Event") if event["involvedObject"]["name"] == name]
        return [event["reason"] for event in sorted(events, key=lambda e: int(e["metadata"]["resourceVersion"]))]


def node(name: str, cpu: str = "4") -> Manifest:
    resources = {"cpu": cpu, "memory": "8Gi", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name},
        "status": {"allocatable": resources, "capacity": resources},
    }


def pod(name: str, cpu: str = "100m", **spec: Any) -> Manifest:
    container = {"name": "web", "image": "shop:1", "resources": {"requests": {"cpu": cpu}}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "labels": {"app": name}},
        "spec": {"containers": [container], **spec},
    }


def deployment(name: str = "web", replicas: int = 2, cpu: str = "100m", **spec: Any) -> Manifest:
    template = pod(name, cpu)
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": name}},
            "template": {"metadata": {"labels": {"app": name}}, "spec": template["spec"]},
            **spec,
        },
    }


def job(name: str = "sum", **spec: Any) -> Manifest:
    template = {"metadata": {}, "spec": {**pod(name)["spec"], "restartPolicy": "Never"}}
    metadata = {"name": name, "namespace": "default"}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": {"template": template, **spec}}
