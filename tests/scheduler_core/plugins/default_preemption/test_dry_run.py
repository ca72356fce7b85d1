"""Trying nodes: by arithmetic and node by node the answer is the same."""

from __future__ import annotations

import random
from typing import Any

import pytest

from scheduler_core.plugins.default_preemption import DefaultPreemption
from scheduler_core.report import CycleReport, encode
from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.acceptance.running_cluster import RunningCluster, budget, victims_of


def random_objects(seed: int) -> list[Any]:
    chance = random.Random(seed)
    objects: list[Any] = []
    for number in range(chance.randrange(1, 12)):
        node = make_node(f"n{number}").cpu(chance.choice(["2", "4"])).pods(chance.choice([3, 110]))
        objects.append(node.taint("t") if chance.random() < 0.1 else node)
        for place in range(chance.randrange(6)):
            pod = make_pod(f"p{number}-{place}").on(f"n{number}").priority(chance.choice([-5, 0, 0, 5, 50]))
            pod.requests(cpu=chance.choice(["250m", "500m", "1", "1"])).labels(app=chance.choice(["web", "db"]))
            if chance.random() < 0.8:
                pod.status(phase="Running", startTime=f"2026-01-01T00:00:{chance.randrange(4):02}Z")
            objects.append(pod)
    for name in ("web", "db"):
        if chance.random() < 0.5:
            objects.append(budget(name, chance.randrange(3), app=name))
    return objects


def outcome(seed: int, config: dict[str, Any] | None = None) -> list[bytes]:
    """Reports of some pods that cannot be placed without preemption, each on what the ones before left."""
    chance = random.Random(seed)
    cluster = RunningCluster(config)
    cluster.add(*random_objects(seed))
    reports = []
    for number in range(4):
        priority = chance.choice([0, 10, 100])
        cluster.add(make_pod(f"new-{number}").priority(priority).requests(cpu=chance.choice(["1", "2", "3500m"])))
        reports.append(cluster.attempt())
    return [_seen(report) for report in reports]


def _seen(report: CycleReport) -> bytes:
    in_vain = sorted(_in_vain(report))
    if report.preemption is not None:
        report.preemption.not_helpful = None
    return encode([report.message, report.nominated_node_name, report.preemption, in_vain])


def _in_vain(report: CycleReport) -> list[tuple[str, list[str]]]:
    table = report.preemption.not_helpful if report.preemption else None
    if table is None:
        return []
    return [(name, table.statuses[code].reasons) for name, code in zip(table.nodes, table.status, strict=True)]


@pytest.mark.parametrize("seed", range(60))
def test_arithmetic_and_trial_agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"profiles": [{"pluginConfig": [{"name": "DefaultPreemption", "args": {"minCandidateNodesAbsolute": 2}}]}]}
    by_arithmetic = [outcome(seed), outcome(seed, few)]
    monkeypatch.setattr(DefaultPreemption, "_room_filter", lambda *_: None)
    assert by_arithmetic == [outcome(seed), outcome(seed, few)]


def test_the_random_clusters_do_preempt() -> None:
    preempted = sum(
        b'"decided_by":""' not in seen and b"candidates" in seen for seed in range(60) for seen in outcome(seed)
    )
    assert preempted > 30


def full_cluster(nodes: int, **preemption: Any) -> RunningCluster:
    config = {"profiles": [{"pluginConfig": [{"name": "DefaultPreemption", "args": preemption}]}]}
    cluster = RunningCluster(config)
    for number in range(nodes):
        cluster.add(make_node(f"n{number}"), make_pod(f"low-{number}").on(f"n{number}").requests(cpu="4"))
    return cluster


def candidates_of(cluster: RunningCluster) -> list[str]:
    cluster.add(make_pod("high").priority(10).requests(cpu="1"))
    report = cluster.attempt()
    assert report.preemption is not None
    return [candidate.node for candidate in report.preemption.candidates]


def test_no_more_nodes_are_tried_than_are_wanted() -> None:
    assert len(candidates_of(full_cluster(50, minCandidateNodesPercentage=0, minCandidateNodesAbsolute=7))) == 7
    assert len(candidates_of(full_cluster(50, minCandidateNodesPercentage=20, minCandidateNodesAbsolute=7))) == 10
    assert len(candidates_of(full_cluster(5, minCandidateNodesPercentage=100, minCandidateNodesAbsolute=7))) == 5


def test_nodes_are_tried_on_until_one_harms_no_budget() -> None:
    cluster = full_cluster(20, minCandidateNodesPercentage=0, minCandidateNodesAbsolute=1)
    for number in range(20):
        if number != 7:
            cluster.update(make_pod(f"low-{number}").on(f"n{number}").requests(cpu="4").labels(app="web"))
    cluster.add(budget("web", 0, app="web"))
    names = candidates_of(cluster)
    assert names[0] == "n7"
    assert len(names) >= 1


def test_where_the_search_begins_depends_on_the_seed_only() -> None:
    args = {"minCandidateNodesPercentage": 0, "minCandidateNodesAbsolute": 3}
    assert candidates_of(full_cluster(50, **args)) == candidates_of(full_cluster(50, **args))


def test_a_victim_that_is_enough_spares_the_others() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1"))
    for name, priority in (("a", 1), ("b", 2), ("c", 3), ("d", 4)):
        cluster.add(make_pod(name).on("n1").requests(cpu="1").priority(priority))
    cluster.add(make_pod("high").priority(10).requests(cpu="2"))
    assert victims_of(cluster.attempt()) == ["a", "b"]


def test_host_ports_are_tried_node_by_node() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1"), make_pod("low").on("n1").host_port(80), make_pod("other").on("n1"))
    cluster.add(make_pod("high").priority(10).host_port(80))
    assert victims_of(cluster.attempt()) == ["low"]
