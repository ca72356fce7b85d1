"""Acceptance, section C: taints, tolerations, cordon."""

from __future__ import annotations

import pytest

from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.acceptance.reading import reasons, score_of
from tests.scheduler_core.acceptance.running_cluster import RunningCluster

# (name, toleration, tolerates k1=v1:NoSchedule)
TOLERATIONS = [
    ("Exists without a key tolerates everything", {"operator": "Exists"}, True),
    ("Exists with the key", {"key": "k1", "operator": "Exists"}, True),
    ("Equal without a value", {"key": "k1", "operator": "Equal"}, False),
    ("Equal without an effect", {"key": "k1", "operator": "Equal", "value": "v1"}, True),
    ("another effect", {"key": "k1", "value": "v1", "effect": "NoExecute"}, False),
    ("no operator means Equal", {"key": "k1", "value": "v1", "effect": "NoSchedule"}, True),
    ("another key", {"key": "k2", "operator": "Exists"}, False),
]


@pytest.mark.parametrize(("name", "toleration", "tolerates"), TOLERATIONS, ids=[row[0] for row in TOLERATIONS])
def test_c1_tolerations(name: str, toleration: dict[str, str], tolerates: bool) -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n").taint("k1", "v1"), make_pod("p").toleration(**toleration))
    assert (cluster.attempt().node == "n") is tolerates


def test_c2_fewer_taints_to_avoid_score_higher() -> None:
    cluster = RunningCluster()
    avoid = "PreferNoSchedule"
    cluster.add(make_node("none"), make_node("one").taint("a", effect=avoid))
    cluster.add(make_node("two").taint("a", effect=avoid).taint("b", effect=avoid), make_pod("p"))

    report = cluster.attempt()

    assert score_of(report, "TaintToleration", "raw") == {"none": 0, "one": 1, "two": 2}
    assert score_of(report, "TaintToleration", "normalized") == {"none": 100, "one": 50, "two": 0}
    assert score_of(report, "TaintToleration") == {"none": 300, "one": 150, "two": 0}


def test_c2_without_such_taints_all_nodes_score_100() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("a"), make_node("b"), make_pod("p"))
    assert score_of(cluster.attempt(), "TaintToleration", "normalized") == {"a": 100, "b": 100}


def test_c4_the_text_names_the_taint() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n").taint("node-role.kubernetes.io/control-plane"), make_pod("p"))
    assert cluster.attempt().message == (
        "0/1 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }. "
        "no new claims to deallocate, "
        "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
    )


def test_c5_a_new_toleration_brings_the_pod_back_onto_the_cordoned_node() -> None:
    cluster = RunningCluster()
    pod = make_pod("p")
    cluster.add(make_node("n").cordoned(), pod)
    assert reasons(cluster.attempt()) == {"n": ["node(s) were unschedulable"]}

    pod.toleration(key="node.kubernetes.io/unschedulable", operator="Exists", effect="NoSchedule")
    cluster.update(pod)
    reports = cluster.run(seconds=10)

    assert [report.node for report in reports] == ["n"]
