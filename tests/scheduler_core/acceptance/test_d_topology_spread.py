"""Acceptance, section D: PodTopologySpread."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from scheduler_core.testing import PodBuilder, make_node, make_pod
from tests.scheduler_core.acceptance.reading import feasible, score_of
from tests.scheduler_core.acceptance.running_cluster import RunningCluster

HOST = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
TOO_SKEWED = "node(s) didn't match pod topology spread constraints"


def web(name: str) -> PodBuilder:
    return make_pod(name).labels(app="web")


def node_affinity(operator: str, *nodes: str) -> dict[str, Any]:
    term = {"matchExpressions": [{"key": HOST, "operator": operator, "values": list(nodes)}]}
    return {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}


def three_nodes_one_tainted() -> RunningCluster:
    cluster = RunningCluster()
    cluster.add(make_node("n1"), make_node("n2"), make_node("tainted").taint("dedicated", "gpu"))
    return cluster


def test_d1_a_tainted_node_counts_as_an_empty_domain() -> None:
    cluster = three_nodes_one_tainted()
    cluster.add(*(web(f"p{i}").spread(HOST) for i in range(6)))

    reports = [cluster.attempt() for _ in range(6)]

    assert Counter(report.node for report in reports) == {"n1": 1, "n2": 1, "": 4}
    assert reports[-1].message.startswith(
        f"0/3 nodes are available: 1 node(s) had untolerated taint {{dedicated: gpu}}, 2 {TOO_SKEWED}."
    )


def test_d1_taints_honoured_it_does_not_count() -> None:
    cluster = three_nodes_one_tainted()
    cluster.add(*(web(f"p{i}").spread(HOST, nodeTaintsPolicy="Honor") for i in range(6)))
    assert Counter(cluster.attempt().node for _ in range(6)) == {"n1": 3, "n2": 3}


def test_d3_nodes_the_pod_cannot_use_do_not_count() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("w1").zone("A"), make_node("w2").zone("A"), make_node("w3").zone("B"))
    cluster.add(web("a").on("w2"), web("b").on("w2"), web("c").on("w3"))
    cluster.add(web("new").spread(ZONE).affinity(nodeAffinity=node_affinity("NotIn", "w2")))
    assert cluster.attempt().node == "w1"


@pytest.mark.parametrize(("policy", "fits"), [("Ignore", False), ("Honor", True), (None, True)])
def test_d4_node_affinity_policy(policy: str | None, fits: bool) -> None:
    cluster = RunningCluster()
    for node, pods in (("h1", 3), ("h2", 2), ("h3", 1)):
        cluster.add(make_node(node), *(web(f"{node}-{i}").on(node) for i in range(pods)))
    fields = {} if policy is None else {"nodeAffinityPolicy": policy}
    cluster.add(web("new").spread(HOST, **fields).affinity(nodeAffinity=node_affinity("In", "h1")))
    assert (cluster.attempt().node == "h1") is fits


def test_d6_a_key_no_node_has() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("a"), make_node("b"), web("p").spread("rack"))
    assert cluster.attempt().message == (
        f"0/2 nodes are available: 2 {TOO_SKEWED} (missing required label). no new claims to deallocate, "
        "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."
    )


def test_d7_unlabelled_nodes_stay_feasible_and_score_nothing() -> None:
    cluster = RunningCluster()
    for i in range(8):
        node = make_node(f"n{i}")
        cluster.add(node.zone(f"z{i % 3}").labels(nodepool=f"pool{i % 2}") if i < 6 else node)
    cluster.add(web("on-n0").on("n0"))
    pod = web("p").spread(ZONE, hard=False).spread("nodepool", hard=False).spread(HOST, hard=False)
    cluster.add(pod)

    report = cluster.attempt()

    scores = score_of(report, "PodTopologySpread")
    assert feasible(report) == {f"n{i}" for i in range(8)}
    assert scores["n6"] == scores["n7"] == 0
    assert all(scores[f"n{i}"] > 0 for i in range(1, 6))


def test_d9_old_replicas_count_unless_match_label_keys_tells_them_apart() -> None:
    def placed(**fields: Any) -> Counter[str]:
        cluster = RunningCluster()
        for node, old in (("n1", 2), ("n2", 2), ("n3", 1)):
            cluster.add(make_node(node))
            cluster.add(*(web(f"old-{node}-{i}").labels(pod_template_hash="old").on(node) for i in range(old)))
        for i in range(3):
            pod = web(f"new-{i}").spread(HOST, **fields).labels(pod_template_hash="new")
            cluster.add(pod)
        return Counter(cluster.attempt().node for _ in range(3))

    assert placed(matchLabelKeys=["pod-template-hash", "not-on-the-pod"]) == {"n1": 1, "n2": 1, "n3": 1}
    assert placed()["n3"] == 2


def most_allocated(percentage: int) -> dict[str, Any]:
    args = {"scoringStrategy": {"type": "MostAllocated", "resources": [{"name": "cpu", "weight": 1}]}}
    return {
        "percentageOfNodesToScore": percentage,
        "profiles": [{"pluginConfig": [{"name": "NodeResourcesFit", "args": args}]}],
    }


@pytest.mark.parametrize(("percentage", "evaluated", "pack"), [(20, 100, False), (100, 500, True)])
def test_d12_sampling_moves_on(percentage: int, evaluated: int, pack: bool) -> None:
    cluster = RunningCluster(most_allocated(percentage))
    cluster.add(*(make_node(f"n{i:03}") for i in range(500)))
    cluster.add(make_pod("a").requests(cpu="1"), make_pod("b").requests(cpu="1"))

    first, second = cluster.attempt(), cluster.attempt()

    assert first.filter is not None
    assert second.filter is not None
    assert (first.filter.evaluated, second.filter.evaluated) == (evaluated, evaluated)
    assert (first.node == second.node) is pack
    assert bool(set(first.filter.nodes) & set(second.filter.nodes)) is pack
