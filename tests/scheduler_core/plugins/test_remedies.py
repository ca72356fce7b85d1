"""What would have to change: told for one node, in words."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.testing import PodBuilder, make_node, make_pod
from tests.scheduler_core.plugins.harness import Bench

HOST = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"


def term(key: str, app: str) -> dict[str, Any]:
    selected = {"topologyKey": key, "labelSelector": {"matchLabels": {"app": app}}}
    return {"requiredDuringSchedulingIgnoredDuringExecution": [selected]}


def web(name: str) -> PodBuilder:
    return make_pod(name).labels(app="web")


def cluster() -> Bench:
    bench = Bench(make_node("n").zone("za"), make_node("other").zone("zb"))
    bench.add(web("w1").on("n"), web("w2").on("n"), make_pod("db").labels(app="db").on("other"))
    bench.add(make_pod("loner").affinity(podAntiAffinity=term(ZONE, "batch")).on("n"))
    return bench


# (name, plugin, pod, remedies for node n)
REMEDIES = [
    (
        "a domain that is too full",
        "PodTopologySpread",
        web("p").spread(ZONE),
        [f"2 fewer matching pods in {ZONE}=za, or more elsewhere (it has 2, the emptiest domain 0, maxSkew is 1)"],
    ),
    ("a missing label", "PodTopologySpread", web("p").spread("rack"), ["label rack on the node"]),
    (
        "a pod to be near",
        "InterPodAffinity",
        make_pod("p").affinity(podAffinity=term(ZONE, "db")),
        [f"a pod with app=db in {ZONE}=za"],
    ),
    (
        "a pod to be far from",
        "InterPodAffinity",
        make_pod("p").affinity(podAntiAffinity=term(HOST, "web")),
        [f"no pod with app=web in {HOST}=n"],
    ),
    (
        "a pod that keeps others away",
        "InterPodAffinity",
        make_pod("p").labels(app="batch"),
        [f"no pod that avoids app=batch in {ZONE}=za"],
    ),
]


@pytest.mark.parametrize(("name", "plugin", "pod", "remedies"), REMEDIES, ids=[row[0] for row in REMEDIES])
def test_remedies(name: str, plugin: str, pod: PodBuilder, remedies: list[str]) -> None:
    bench = cluster()
    made: Any = bench.plugin(plugin)
    assert made.remedies(pod.pod_info(), bench.snapshot, bench.snapshot.row_of("n")) == remedies


def test_a_node_that_fits_needs_nothing() -> None:
    bench = cluster()
    for name in ("PodTopologySpread", "InterPodAffinity", "VolumeRestrictions", "VolumeZone", "VolumeBinding"):
        made: Any = bench.plugin(name)
        assert made.remedies(make_pod("p").pod_info(), bench.snapshot, 0) == []


def test_a_volume_in_another_zone() -> None:
    labels = {ZONE: "zb"}
    claim = {
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "c", "namespace": "default"},
        "spec": {"volumeName": "v"},
    }
    bench = cluster()
    bench.add(claim, {"kind": "PersistentVolume", "metadata": {"name": "v", "labels": labels}, "spec": {}})
    made: Any = bench.plugin("VolumeZone")
    pod = make_pod("p").spec(volumes=[{"name": "d", "persistentVolumeClaim": {"claimName": "c"}}]).pod_info()
    assert made.remedies(pod, bench.snapshot, bench.snapshot.row_of("n")) == [
        f"a node with {ZONE} in (zb), where the volume is"
    ]
