"""Acceptance, section A: NodeResourcesFit and scoring by resources."""

from __future__ import annotations

import numpy as np
import pytest

from scheduler_core.framework.resource_allocation import Share
from scheduler_core.plugins.args import ScoringStrategy
from scheduler_core.plugins.node_resources_balanced_allocation import balance
from scheduler_core.plugins.node_resources_fit.scoring_strategies import scoring_strategy
from scheduler_core.testing import PodBuilder, make_node, make_pod
from tests.scheduler_core.acceptance.reading import feasible, reasons, rejections, score_of
from tests.scheduler_core.acceptance.running_cluster import RunningCluster


def cpu(amount: str) -> dict[str, dict[str, str]]:
    return {"requests": {"cpu": amount}}


def share(requested: int, allocatable: int) -> Share:
    return Share(1, np.array([requested]), np.array([allocatable]), None)


def test_a1_a_sidecar_runs_beside_the_init_containers_after_it() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("tight").cpu("750m"), make_node("roomy").cpu("800m"))
    pod = make_pod("p").requests(cpu="400m")
    pod.init_container("sidecar", restartPolicy="Always", resources=cpu("300m"))
    pod.init_container("setup", resources=cpu("500m"))
    cluster.add(pod)

    report = cluster.attempt()

    assert pod.pod_info().requests["cpu"] == 800
    assert report.node == "roomy"
    assert reasons(report) == {"tight": ["Insufficient cpu"]}


def test_a1_a_sidecar_counts_beside_the_main_container() -> None:
    pod = make_pod("p").requests(cpu="4")
    pod.init_container("sidecar", restartPolicy="Always", resources=cpu("250m"))
    assert pod.pod_info().requests["cpu"] == 4250


def test_a3_a_finished_init_container_keeps_counting() -> None:
    cluster = RunningCluster()
    running = make_pod("running").requests(cpu="1").on("n").status(phase="Running")
    running.init_container("setup", resources=cpu("3"))
    cluster.add(make_node("n").cpu("4"), running, make_pod("new").requests(cpu="2"))

    report = cluster.attempt()

    assert report.outcome == "unschedulable"
    assert report.message.startswith("0/1 nodes are available: 1 Insufficient cpu.")


@pytest.mark.parametrize(("allowed", "fits"), [(110, True), (3, False)])
def test_a5_a_pod_without_requests_only_needs_a_free_place(allowed: int, fits: bool) -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n").cpu("4").pods(allowed))
    for i in range(3):
        cluster.add(make_pod(f"full-{i}").requests(cpu="2" if i == 0 else "1").on("n"))
    cluster.add(make_pod("empty"))

    report = cluster.attempt()

    assert (report.node == "n") is fits
    if not fits:
        assert reasons(report) == {"n": ["Too many pods"]}


def test_a6_a_quantity_of_zero_is_not_asked_for() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n").resource("example.com/device", "0"))
    cluster.add(make_pod("user").request("example.com/device", "1").on("n"))
    cluster.add(make_pod("new").request("example.com/device", "0"))
    assert cluster.attempt().node == "n"


def test_a7_least_allocated_counts_defaults_and_balance_real_requests() -> None:
    least_allocated = scoring_strategy(ScoringStrategy())
    scoring = [share(5728, 8000), share(13233029120, 14554681344)]
    real = [share(994, 8000), share(5105516544, 14554681344)]
    assert least_allocated.many(scoring, 1).tolist() == [18]
    assert balance(real, 1).tolist() == [88]


def test_a9_balance_is_skipped_for_a_pod_without_requests() -> None:
    cluster = RunningCluster()
    for name, millis, memory in (("busy", 14580, 24593301504), ("b", 15350, 24235737088), ("c", 13480, 19474153472)):
        cluster.add(make_node(name).cpu("15600m").memory("28727588291"))
        cluster.add(make_pod(f"on-{name}").requests(cpu=f"{millis}m", memory=str(memory)).on(name))
    cluster.add(make_pod("best-effort"))
    assert score_of(cluster.attempt(), "NodeResourcesBalancedAllocation") == {}


def test_a10_an_extended_resource_that_is_not_asked_for_does_not_score() -> None:
    resources = [{"name": "nvidia.com/gpu", "weight": 2}, {"name": "cpu", "weight": 1}, {"name": "memory", "weight": 1}]
    args = {"scoringStrategy": {"type": "MostAllocated", "resources": resources}}
    profile = {"pluginConfig": [{"name": "NodeResourcesFit", "args": args}]}
    cluster = RunningCluster({"profiles": [profile]})
    cluster.add(make_node("gpu").resource("nvidia.com/gpu", "8"), make_node("cpu"))
    for node in ("gpu", "cpu"):
        cluster.add(make_pod(f"on-{node}").requests(cpu="1", memory="4Gi").on(node))
    cluster.add(make_pod("new").requests(cpu="1", memory="1Gi"))

    scores = score_of(cluster.attempt(), "NodeResourcesFit")

    assert scores["gpu"] == scores["cpu"] > 0


def test_a12_a_pod_larger_than_every_node_preempts_nobody() -> None:
    cluster = RunningCluster()
    for i in range(3):
        cluster.add(make_node(f"n{i}").cpu("4"), make_pod(f"low-{i}").requests(cpu="3").on(f"n{i}"))
    cluster.add(make_pod("huge").requests(cpu="9").priority(10))

    report = cluster.attempt()

    assert report.message == (
        "0/3 nodes are available: 3 Insufficient cpu. no new claims to deallocate, "
        "preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
    )
    assert {code for _, code, _ in rejections(report).values()} == {"UnschedulableAndUnresolvable"}


# (name, fields of the spec, effective requests)
EFFECTIVE = [
    ("containers add up", make_pod("p").requests(cpu="1").container("c", resources=cpu("500m")), 1500),
    ("the largest init step counts", make_pod("p").requests(cpu="1").init_container("i", resources=cpu("3")), 3000),
    ("overhead comes on top", make_pod("p").requests(cpu="1").spec(overhead={"cpu": "250m"}), 1250),
    ("the pod's own request replaces the sum", make_pod("p").requests(cpu="1").spec(resources=cpu("200m")), 200),
    ("fractions of a millicore are rounded up", make_pod("p").requests(cpu="0.1001"), 101),
]


@pytest.mark.parametrize(("name", "pod", "expected"), EFFECTIVE, ids=[row[0] for row in EFFECTIVE])
def test_a1_effective_requests(name: str, pod: PodBuilder, expected: int) -> None:
    assert pod.pod_info().requests["cpu"] == expected


def test_a6_a_resource_no_node_has_is_short_everywhere() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("a"), make_node("b").resource("example.com/device", "1"))
    cluster.add(make_pod("p").request("example.com/device", "1"))
    report = cluster.attempt()
    assert feasible(report) == {"b"}
    assert reasons(report) == {"a": ["Insufficient example.com/device"]}


def test_a12_an_absurd_request_is_short_of_resources_and_breaks_nothing() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("a"), make_node("b").memory("16Ei"), make_pod("absurd").requests(cpu="1e19", memory="1e30"))
    report = cluster.attempt()
    assert report.outcome == "unschedulable"
    assert {"Insufficient cpu"} <= set(reasons(report)["a"])
