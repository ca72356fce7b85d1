from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.testing import PodBuilder, make_node, make_pod
from tests.scheduler_core.plugins.harness import Bench

CONFLICT = "node(s) had no available disk"


def mounting(name: str, **source: Any) -> PodBuilder:
    return make_pod(name).spec(volumes=[{"name": "disk", **source}])


def gce(read_only: bool = False, name: str = "d") -> dict[str, Any]:
    return {"gcePersistentDisk": {"pdName": name, "readOnly": read_only}}


def rbd(*monitors: str, read_only: bool = False) -> dict[str, Any]:
    return {"rbd": {"monitors": list(monitors), "image": "i", "readOnly": read_only}}


# (name, on the node, wanted, conflict)
DISKS = [
    ("a GCE disk twice", gce(), gce(), True),
    ("a GCE disk, both only read", gce(True), gce(True), False),
    ("a GCE disk, one writes", gce(True), gce(), True),
    ("another GCE disk", gce(), gce(name="e"), False),
    (
        "an AWS disk, though both only read",
        {"awsElasticBlockStore": {"volumeID": "v", "readOnly": True}},
        {"awsElasticBlockStore": {"volumeID": "v", "readOnly": True}},
        True,
    ),
    ("an iSCSI target", {"iscsi": {"iqn": "q"}}, {"iscsi": {"iqn": "q", "readOnly": True}}, True),
    (
        "an iSCSI target, both only read",
        {"iscsi": {"iqn": "q", "readOnly": True}},
        {"iscsi": {"iqn": "q", "readOnly": True}},
        False,
    ),
    ("an RBD image by a shared monitor", rbd("m1", "m2"), rbd("m2"), True),
    ("an RBD image of another cluster", rbd("m1"), rbd("m2"), False),
    ("kinds that differ", gce(), rbd("m"), False),
]


@pytest.mark.parametrize(("name", "there", "wanted", "conflict"), DISKS, ids=[row[0] for row in DISKS])
def test_disks_of_the_old_kinds(name: str, there: dict[str, Any], wanted: dict[str, Any], conflict: bool) -> None:
    bench = Bench(make_node("taken"), make_node("free"), mounting("old", **there).on("taken"))
    answers = bench.filter(bench.plugin("VolumeRestrictions"), mounting("new", **wanted).pod_info())
    assert answers["free"].is_success
    assert list(answers["taken"].reasons) == ([CONFLICT] if conflict else [])


def single_pod_claim() -> dict[str, Any]:
    metadata = {"name": "data", "namespace": "default"}
    return {"kind": "PersistentVolumeClaim", "metadata": metadata, "spec": {"accessModes": ["ReadWriteOncePod"]}}


def using_claim(name: str) -> PodBuilder:
    return mounting(name, persistentVolumeClaim={"claimName": "data"})


def test_a_claim_for_one_pod_is_in_use_until_its_user_goes() -> None:
    bench = Bench(make_node("a"), make_node("b"), single_pod_claim(), using_claim("user").on("a"))
    plugin: Any = bench.plugin("VolumeRestrictions")
    pod, state = using_claim("new").pod_info(), CycleState()
    bench.pre_filter(plugin, pod, state)
    assert not any(status.is_success for status in bench.filter(plugin, pod, state).values())

    plugin.remove_pod(state, pod, using_claim("user").on("a").pod_info(), 0)
    assert all(status.is_success for status in bench.filter(plugin, pod, state).values())


def test_without_such_volumes_there_is_nothing_to_ask() -> None:
    bench = Bench(make_node("a"))
    pod: PodInfo = make_pod("p").spec(volumes=[{"name": "c", "configMap": {}}]).pod_info()
    assert bench.pre_filter(bench.plugin("VolumeRestrictions"), pod, CycleState()).status.is_skip
