from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.testing import PodBuilder, make_node, make_pod
from tests.scheduler_core.plugins.harness import Bench

DRIVER = "csi.example.com"


def csi_node(name: str, limit: int | None) -> dict[str, Any]:
    allocatable = {"allocatable": {"count": limit}} if limit is not None else {}
    return {"kind": "CSINode", "metadata": {"name": name}, "spec": {"drivers": [{"name": DRIVER, **allocatable}]}}


def claim(name: str, volume: str = "") -> dict[str, Any]:
    spec = {"storageClassName": "later", **({"volumeName": volume} if volume else {})}
    return {"kind": "PersistentVolumeClaim", "metadata": {"name": name, "namespace": "default"}, "spec": spec}


def volume(name: str) -> dict[str, Any]:
    csi = {"driver": DRIVER, "volumeHandle": f"handle-{name}"}
    return {"kind": "PersistentVolume", "metadata": {"name": name}, "spec": {"csi": csi}}


CLASS = {"kind": "StorageClass", "metadata": {"name": "later"}, "provisioner": DRIVER}


def using(name: str, *claims: str) -> PodBuilder:
    volumes = [{"name": each, "persistentVolumeClaim": {"claimName": each}} for each in claims]
    return make_pod(name).spec(volumes=volumes)


def fitting(bench: Bench, pod: PodBuilder) -> set[str]:
    answers = bench.filter(bench.plugin("NodeVolumeLimits"), pod.pod_info())
    return {node for node, status in answers.items() if status.is_success}


def test_volumes_on_the_node_count_against_the_limit() -> None:
    bench = Bench(make_node("a"), make_node("b"), csi_node("a", 2), csi_node("b", 2), CLASS)
    bench.add(claim("c1", "v1"), volume("v1"), claim("c2", "v2"), volume("v2"), claim("c3"))
    bench.add(using("old", "c1", "c2").on("a"))
    assert fitting(bench, using("new", "c3")) == {"b"}


def test_a_volume_two_pods_share_counts_once() -> None:
    bench = Bench(make_node("a"), csi_node("a", 1), claim("c1", "v1"), volume("v1"), using("old", "c1").on("a"))
    assert fitting(bench, using("new", "c1")) == {"a"}


def test_a_volume_that_is_still_attached_counts() -> None:
    attachment = {
        "kind": "VolumeAttachment",
        "metadata": {"name": "att"},
        "spec": {"attacher": DRIVER, "nodeName": "a", "source": {"persistentVolumeName": "v1"}},
    }
    bench = Bench(make_node("a"), csi_node("a", 1), volume("v1"), attachment, CLASS, claim("c2"))
    assert fitting(bench, using("new", "c2")) == set()


def test_a_node_without_limits_takes_everything() -> None:
    bench = Bench(make_node("told"), make_node("untold"), csi_node("told", None), CLASS, claim("c1"), claim("c2"))
    assert fitting(bench, using("new", "c1", "c2")) == {"told", "untold"}


def test_a_missing_claim_is_named() -> None:
    bench = Bench(make_node("a"))
    (status,) = bench.filter(bench.plugin("NodeVolumeLimits"), using("new", "gone").pod_info()).values()
    assert status.reasons == ('looking up PVC default/gone: persistentvolumeclaim "gone" not found',)


def limits(driver: str, count: int) -> dict[str, Any]:
    spec = {"drivers": [{"name": driver, "allocatable": {"count": count}}]}
    return {"kind": "CSINode", "metadata": {"name": "a"}, "spec": spec}


# (driver, source of an old kind, the class that provisions more)
OLD_KINDS = [
    ("pd.csi.storage.gke.io", {"gcePersistentDisk": {"pdName": "disk-1"}}, "kubernetes.io/gce-pd"),
    ("ebs.csi.aws.com", {"awsElasticBlockStore": {"volumeID": "aws://zone/vol-1"}}, "kubernetes.io/aws-ebs"),
    ("disk.csi.azure.com", {"azureDisk": {"diskName": "disk-1", "diskURI": "x"}}, "kubernetes.io/azure-disk"),
]


@pytest.mark.parametrize(("driver", "source", "provisioner"), OLD_KINDS, ids=[row[0] for row in OLD_KINDS])
def test_disks_of_the_old_kinds_count_for_the_driver_that_took_them_over(
    driver: str, source: dict[str, Any], provisioner: str
) -> None:
    old = {"kind": "PersistentVolume", "metadata": {"name": "old"}, "spec": source}
    later = {**CLASS, "provisioner": provisioner}
    there = make_pod("there").spec(volumes=[{"name": "v", **source}]).on("a")
    for limit, fits in ((1, set()), (2, {"a"})):
        bench = Bench(make_node("a"), limits(driver, limit), later, claim("c1"), there)
        assert fitting(bench, using("new", "c1")) == fits
    full = Bench(make_node("a"), limits(driver, 1), later, old, claim("c1"), claim("c2", "old"))
    assert fitting(full, using("new", "c1", "c2")) == set()


def test_a_disk_of_the_old_kind_and_its_csi_volume_are_one() -> None:
    csi = {"driver": "ebs.csi.aws.com", "volumeHandle": "vol-1"}
    new = {"kind": "PersistentVolume", "metadata": {"name": "new"}, "spec": {"csi": csi}}
    there = make_pod("there").spec(volumes=[{"name": "v", **OLD_KINDS[1][1]}]).on("a")
    bench = Bench(make_node("a"), limits("ebs.csi.aws.com", 1), new, claim("c", "new"), there)
    assert fitting(bench, using("p", "c")) == {"a"}
