"""Acceptance, section H: volumes."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.testing import PodBuilder, make_node, make_pod
from tests.scheduler_core.acceptance.reading import reasons
from tests.scheduler_core.acceptance.running_cluster import RunningCluster, victims_of

RWOP = (
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"
)


def storage_class(name: str, mode: str = "WaitForFirstConsumer") -> dict[str, Any]:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": name},
        "provisioner": "csi.example.com",
        "volumeBindingMode": mode,
    }


def claim(name: str, class_name: str = "later", mode: str = "ReadWriteOnce", **metadata: str) -> dict[str, Any]:
    spec = {"accessModes": [mode], "storageClassName": class_name, "resources": {"requests": {"storage": "1Gi"}}}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": name, "namespace": "default", "uid": f"uid-{name}", **metadata},
        "spec": spec,
        "status": {"phase": "Pending"},
    }


def csi_node(node: str, limit: int) -> dict[str, Any]:
    driver = {"name": "csi.example.com", "nodeID": node, "allocatable": {"count": limit}}
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "CSINode",
        "metadata": {"name": node},
        "spec": {"drivers": [driver]},
    }


def using(name: str, claim_name: str) -> PodBuilder:
    return make_pod(name).spec(volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": claim_name}}])


def test_h1_a_node_attaches_no_more_volumes_than_it_can() -> None:
    cluster = RunningCluster()
    cluster.add(storage_class("later"))
    for i in range(3):
        cluster.add(make_node(f"n{i}"), csi_node(f"n{i}", limit=1))
    for i in range(5):
        cluster.add(claim(f"data-{i}"), using(f"p{i}", f"data-{i}"))

    reports = [cluster.attempt() for _ in range(5)]

    assert sorted(report.node for report in reports) == ["", "", "n0", "n1", "n2"]
    assert reports[-1].message.startswith("0/3 nodes are available: 3 node(s) exceed max volume count.")


@pytest.mark.parametrize(("priority", "victims"), [(100, ["user"]), (0, [])])
def test_h3_a_claim_for_a_single_pod(priority: int, victims: list[str]) -> None:
    cluster = RunningCluster()
    bound = claim("data", mode="ReadWriteOncePod", annotations={"pv.kubernetes.io/bind-completed": "yes"})
    bound["spec"]["volumeName"] = "volume"
    volume = {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "volume"},
        "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOncePod"], "storageClassName": "later"},
    }
    cluster.add(storage_class("later"), bound, volume, make_node("n"), using("user", "data").priority(0).on("n"))
    cluster.add(using("new", "data").priority(priority))

    report = cluster.attempt()

    assert reasons(report) == {"n": [RWOP]}
    assert victims_of(report) == victims


def without_volume_binding() -> dict[str, Any]:
    plugins = {"multiPoint": {"disabled": [{"name": "VolumeBinding"}]}}
    return {"profiles": [{"schedulerName": "default-scheduler", "plugins": plugins}]}


@pytest.mark.parametrize(("config", "chosen"), [(None, ["default/data"]), (without_volume_binding(), [])])
def test_h5_only_volume_binding_selects_a_node_for_a_claim(config: dict[str, Any] | None, chosen: list[str]) -> None:
    """Without it the pod is bound all the same, and its claim is left for good."""
    cluster = RunningCluster(config)
    cluster.add(storage_class("later"), make_node("n"), claim("data"), using("p", "data"))

    report = cluster.attempt()

    assert report.node == "n"
    provisions = report.binding_data.get("VolumeBinding", {}).get("provisions", [])
    assert [f"{each['namespace']}/{each['claim']}" for each in provisions] == chosen


def test_h5_a_pod_that_names_its_node_passes_by_the_scheduler() -> None:
    cluster = RunningCluster()
    cluster.add(storage_class("later"), make_node("n"), claim("data"), using("p", "data").on("n"))
    assert cluster.step() is None


def test_h6_a_missing_claim() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n"), using("p", "data"))
    assert cluster.attempt().message.startswith('0/1 nodes are available: persistentvolumeclaim "data" not found.')


def test_h6_a_claim_that_is_being_deleted() -> None:
    cluster = RunningCluster()
    cluster.add(storage_class("later"), make_node("n"))
    cluster.add(claim("data", deletionTimestamp="2026-01-01T00:00:00Z"), using("p", "data"))
    assert cluster.attempt().message.startswith(
        '0/1 nodes are available: persistentvolumeclaim "data" is being deleted.'
    )


def test_h6_an_unbound_claim_of_a_class_that_binds_at_once() -> None:
    cluster = RunningCluster()
    cluster.add(storage_class("now", mode="Immediate"), make_node("n"))
    cluster.add(claim("data", class_name="now"), using("p", "data").priority(100))
    report = cluster.attempt()
    assert report.message.startswith("0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.")
    assert victims_of(report) == []
