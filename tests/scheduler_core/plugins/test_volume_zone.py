from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.testing import PodBuilder, make_node, make_pod
from tests.scheduler_core.plugins.harness import Bench

ZONE = "topology.kubernetes.io/zone"
OLD_ZONE = "failure-domain.beta.kubernetes.io/zone"
REGION = "topology.kubernetes.io/region"


def claim(**spec: Any) -> dict[str, Any]:
    return {"kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": "default"}, "spec": spec}


def volume(**labels: str) -> dict[str, Any]:
    return {"kind": "PersistentVolume", "metadata": {"name": "v", "labels": labels}, "spec": {}}


def using() -> PodBuilder:
    return make_pod("p").spec(volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}])


def cluster(*objects: Any) -> Bench:
    old = make_node("old").label(OLD_ZONE, "za")
    return Bench(
        make_node("a").zone("za").region("r"), make_node("b").zone("zb").region("r"), old, make_node("none"), *objects
    )


# (name, labels of the volume, nodes that fit)
ZONES = [
    ("one zone; a node without labels takes everything", {ZONE: "zb"}, {"b", "none"}),
    ("several zones", {ZONE: "za__zb"}, {"a", "b", "none"}),
    ("the old label is compared with today's", {OLD_ZONE: "za"}, {"a", "old", "none"}),
    ("zone and region", {ZONE: "za", REGION: "r"}, {"a", "none"}),
    ("another region", {REGION: "elsewhere"}, {"none"}),
    ("a malformed label does not count", {ZONE: "za____zb"}, {"a", "b", "old", "none"}),
]


@pytest.mark.parametrize(("name", "labels", "expected"), ZONES, ids=[row[0] for row in ZONES])
def test_the_zone_of_a_bound_volume(name: str, labels: dict[str, str], expected: set[str]) -> None:
    bench = cluster(claim(volumeName="v"), volume(**labels))
    answers = bench.filter(bench.plugin("VolumeZone"), using().pod_info())
    assert {node for node, status in answers.items() if status.is_success} == expected
    assert {status.message for status in answers.values()} <= {"", "node(s) had no available volume zone"}


def storage_class(**fields: Any) -> dict[str, Any]:
    return {"kind": "StorageClass", "metadata": {"name": "c"}, **fields}


# (name, objects, the reason; "": nothing to do)
UNBOUND = [
    ("no claim", [], 'persistentvolumeclaim "data" not found'),
    ("no volume and no class", [claim()], "PersistentVolumeClaim had no pv name and storageClass name"),
    ("the class is gone", [claim(storageClassName="c")], 'storageclass.storage.k8s.io "c" not found'),
    ("no mode", [claim(storageClassName="c"), storage_class()], 'VolumeBindingMode not set for StorageClass "c"'),
    (
        "bound at once, but not yet",
        [claim(storageClassName="c"), storage_class(volumeBindingMode="Immediate")],
        "PersistentVolume had no name",
    ),
    (
        "bound later",
        [claim(storageClassName="c"), storage_class(volumeBindingMode="WaitForFirstConsumer")],
        "",
    ),
    ("the volume is gone", [claim(volumeName="v")], 'persistentvolume "v" not found'),
]


@pytest.mark.parametrize(("name", "objects", "reason"), UNBOUND, ids=[row[0] for row in UNBOUND])
def test_claims_without_a_usable_volume(name: str, objects: list[Any], reason: str) -> None:
    bench = cluster(*objects)
    status = bench.pre_filter(bench.plugin("VolumeZone"), using().pod_info(), CycleState()).status
    assert status.message == reason
    assert status.is_skip is (reason == "")
