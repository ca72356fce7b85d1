"""The status of a PodGroup tells how far the gang has come."""

from __future__ import annotations

from typing import Any

from scheduler_core.objects.manifest import Manifest
from tests.scheduler_core.controllers.cluster import TinyCluster

LABEL = "scheduling.x-k8s.io/pod-group"


def group(least: int = 2, **status: Any) -> Manifest:
    return {
        "apiVersion": "scheduling.x-k8s.io/v1alpha1",
        "kind": "PodGroup",
        "metadata": {"name": "gang", "namespace": "default"},
        "spec": {"minMember": least},
        "status": status,
    }


def member(name: str, namespace: str = "default") -> Manifest:
    metadata = {"name": name, "namespace": namespace, "labels": {LABEL: "gang"}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": []}}


def settled(*manifests: Manifest) -> TinyCluster:
    cluster = TinyCluster()
    for manifest in manifests:
        cluster.store.create(manifest)
    cluster.settle()
    return cluster


def set_phase(cluster: TinyCluster, phase: str, *names: str) -> None:
    for name in names:
        cluster.store.update_status(cluster.get("Pod", name), {"phase": phase})
    cluster.settle()


def status(cluster: TinyCluster) -> Manifest:
    found: Manifest = cluster.get("PodGroup", "gang")["status"]
    return found


def test_without_enough_pods_it_is_pending() -> None:
    assert status(settled(group(), member("a"), member("b", namespace="other"))) == {"phase": "Pending"}


def test_with_enough_pods_it_is_being_scheduled_for_their_owner() -> None:
    named = {"apiVersion": "v1", "kind": "ConfigMap"}
    cluster = settled(group(), {**named, "metadata": {"name": "job", "namespace": "default"}})
    owner = {**named, "name": "job", "uid": cluster.get("ConfigMap", "job")["metadata"]["uid"]}
    for name in ("a", "b"):
        pod = member(name)
        pod["metadata"]["ownerReferences"] = [owner]
        cluster.store.create(pod)
    cluster.settle()
    assert status(cluster) == {"phase": "Scheduling", "occupiedBy": "default/job"}


def test_it_runs_when_enough_of_them_run() -> None:
    cluster = settled(group(), member("a"), member("b"), member("c"))
    set_phase(cluster, "Running", "a")
    assert status(cluster) == {"phase": "Scheduling", "running": 1}
    set_phase(cluster, "Running", "b")
    assert status(cluster) == {"phase": "Running", "running": 2}


def test_it_has_finished_when_enough_have_succeeded_and_is_looked_at_no_more() -> None:
    cluster = settled(group(), member("a"), member("b"))
    set_phase(cluster, "Succeeded", "a", "b")
    assert status(cluster) == {"phase": "Finished", "succeeded": 2}
    cluster.store.delete_many([cluster.get("Pod", "a")])
    cluster.settle()
    assert status(cluster) == {"phase": "Finished", "succeeded": 2}


def test_one_that_failed_fails_a_gang_that_had_begun() -> None:
    cluster = settled(group(), member("a"), member("b"))
    set_phase(cluster, "Running", "a")
    set_phase(cluster, "Failed", "b")
    assert status(cluster) == {"phase": "Failed", "running": 1, "failed": 1}


def test_a_gang_that_loses_pods_is_pending_again() -> None:
    cluster = settled(group(), member("a"), member("b"))
    set_phase(cluster, "Running", "a", "b")
    cluster.store.delete_many([cluster.get("Pod", "a")])
    cluster.settle()
    cluster.pass_time(60)
    assert status(cluster) == {"phase": "Pending", "running": 1}
