"""Questions people had about preemption."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.testing import PodBuilder, make_node, make_pod
from tests.scheduler_core.acceptance.running_cluster import RunningCluster, budget, victims_of

STAY_AWAY = "node(s) didn't satisfy existing pods anti-affinity rules."


def running(name: str, node: str, priority: int = 0, cpu: str = "2", start: str = "2026-01-01T00:00:00Z") -> PodBuilder:
    return make_pod(name).priority(priority).requests(cpu=cpu).on(node).status(phase="Running", startTime=start)


def wants(name: str, priority: int = 1000, cpu: str = "4") -> PodBuilder:
    return make_pod(name).priority(priority).requests(cpu=cpu)


def chosen(cluster: RunningCluster, pod: PodBuilder) -> tuple[str, list[str], str]:
    """The node, the victims, and the rule that decided."""
    cluster.add(pod)
    report = cluster.attempt()
    assert report.preemption is not None
    return report.nominated_node_name or "", victims_of(report), report.preemption.decided_by


def test_f1_with_equal_budget_violations_the_lowest_top_priority_decides() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1"), make_node("n2"), budget("web", 0, app="web"))
    cluster.add(running("high", "n1", priority=100), running("low", "n1", priority=0).labels(app="web"))
    cluster.add(running("mid", "n2", priority=50, cpu="4").labels(app="web"))
    node, victims, rule = chosen(cluster, wants("very-high"))
    assert (node, victims) == ("n2", ["mid"])
    assert rule == "lowest priority of its most important victim"


def test_f3_two_victims_of_a_budget_that_allows_one_are_one_violation() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1"), budget("web", 1, app="web"))
    cluster.add(running("a", "n1").labels(app="web"), running("b", "n1").labels(app="web"))
    cluster.add(wants("high"))
    report = cluster.attempt()
    assert report.preemption is not None
    assert [candidate.pdb_violations for candidate in report.preemption.candidates] == [1]
    (touched,) = report.preemption.candidates[0].budgets
    assert (touched.allowed, touched.covered) == (1, 2)
    assert victims_of(report) == ["a", "b"]


def test_f4_a_higher_pod_may_take_the_room_and_the_nomination_is_cleared() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1"), running("p0", "n1"), wants("p1", priority=10, cpu="3"))
    first = cluster.attempt()
    assert (first.nominated_node_name, victims_of(first)) == ("n1", ["p0"])
    cluster.evict(first)
    cluster.add(wants("p2", priority=20, cpu="1500m"))
    cluster.attempt()
    assert cluster.node_of("p2") == "n1"
    cluster.clock.advance(5)
    cluster.remove("p0")
    report = cluster.attempt()
    assert (report.pod.name, report.outcome, report.nominated_node_name) == ("p1", "unschedulable", "")
    assert len(cluster.scheduler.queue.nominator) == 0


def test_f5_while_the_victim_terminates_nothing_more_is_preempted_and_then_the_pod_is_placed() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1"), running("low", "n1", cpu="4"), wants("high", priority=1_000_000))
    cluster.evict(cluster.attempt())
    report = cluster.retry("high")
    assert report.message.endswith("preemption: not eligible due to a terminating pod on the nominated node.")
    assert report.nominated_node_name is None
    cluster.clock.advance(30)
    cluster.remove("low")
    cluster.run(2)
    assert cluster.node_of("high") == "n1"


def test_f6_a_pod_that_never_preempts_takes_no_victims() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1"), running("low", "n1"), wants("high").spec(preemptionPolicy="Never"))
    report = cluster.attempt()
    assert report.message.endswith("preemption: not eligible due to preemptionPolicy=Never.")
    assert victims_of(report) == []


# What PostFilter adds: with DynamicResources, which never saw the pod, v1.34.1 really says this and stops there.
F7_ENDINGS = {
    True: "not found",
    False: "preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
}


@pytest.mark.parametrize("dynamic_resources", [False, True])
def test_f7_an_unbound_immediate_claim_is_not_a_matter_of_room(dynamic_resources: bool) -> None:
    cluster = RunningCluster(gates={"DynamicResourceAllocation": dynamic_resources})
    for name in ("n1", "n2", "n3"):
        cluster.add(make_node(name), running(f"low-{name}", name))
    claim = {"storageClassName": "now", "accessModes": ["ReadWriteOnce"]}
    cluster.add(
        {"kind": "StorageClass", "metadata": {"name": "now"}, "provisioner": "x", "volumeBindingMode": "Immediate"},
        {"kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": "default"}, "spec": claim},
        wants("high", cpu="1").spec(volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]),
    )
    report = cluster.attempt()
    why = "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. "
    assert report.message == why + F7_ENDINGS[dynamic_resources]
    assert victims_of(report) == []


def test_f9_a_node_is_no_candidate_where_the_pod_needs_one_of_the_victims() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1"), running("cache", "n1", cpu="4").labels(app="cache"))
    term = {"labelSelector": {"matchLabels": {"app": "cache"}}, "topologyKey": "kubernetes.io/hostname"}
    cluster.add(wants("high", cpu="1").affinity(podAffinity={"requiredDuringSchedulingIgnoredDuringExecution": [term]}))
    report = cluster.attempt()
    assert report.message.endswith("preemption: 0/1 nodes are available: 1 node(s) didn't match pod affinity rules.")
    assert victims_of(report) == []


def test_f11_a_preemptor_that_is_held_back_goes_on_when_its_victims_are_gone() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1"), running("low", "n1", cpu="4"), wants("high"))
    cluster.attempt()
    cluster.clock.advance(2)
    # Wakes the preemptor before anybody has deleted the victim.
    cluster.add(make_node("n2").taint("for-others"))
    assert cluster.place_of("high") == "gated"
    assert cluster.step() is None
    cluster.remove("low")
    assert cluster.place_of("high") == "activeQ"
    cluster.run(1)
    assert cluster.node_of("high") == "n1"


def test_f13_a_deleted_preemptor_reserves_nothing() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1"), running("low", "n1", cpu="4"), wants("high"))
    cluster.evict(cluster.attempt())
    cluster.remove("high")
    cluster.remove("low")
    cluster.add(make_pod("small").requests(cpu="4"))
    cluster.run(1)
    assert cluster.node_of("small") == "n1"


# Two nodes that differ in one thing; n2 is the cheaper one.
TIE_BREAKS: dict[str, Any] = {
    "fewest PodDisruptionBudget violations": (
        [running("a", "n1", cpu="4").labels(app="web")],
        [running("b", "n2", cpu="4").labels(app="free")],
    ),
    "lowest priority of its most important victim": (
        [running("a", "n1", priority=2), running("b", "n1", priority=0)],
        [running("c", "n2", priority=1), running("d", "n2", priority=1)],
    ),
    "lowest sum of the victims' priorities": (
        [running("a", "n1", priority=5), running("b", "n1", priority=4)],
        [running("c", "n2", priority=5), running("d", "n2", priority=3)],
    ),
    "fewest victims": (
        # The sums are equal: 2**31 more for one victim less.
        [running("a", "n1", priority=0), running("b", "n1", priority=-(2**31))],
        [running("c", "n2", priority=0, cpu="4")],
    ),
    "latest start of its most important victims": (
        [running("a", "n1", cpu="4", start="2026-01-01T00:00:00Z")],
        [running("b", "n2", cpu="4", start="2026-01-01T00:00:05Z")],
    ),
}


@pytest.mark.parametrize("rule", TIE_BREAKS)
def test_f15_each_rule_decides_where_only_it_differs(rule: str) -> None:
    first, second = TIE_BREAKS[rule]
    cluster = RunningCluster()
    cluster.add(make_node("n1"), make_node("n2"), budget("web", 0, app="web"), *first, *second)
    node, victims, decided_by = chosen(cluster, wants("high"))
    assert (node, decided_by) == ("n2", rule)
    assert victims == sorted(each.manifest["metadata"]["name"] for each in second)


def test_f15_equal_candidates_are_settled_by_their_order() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1"), make_node("n2"), running("a", "n1", cpu="4"), running("b", "n2", cpu="4"))
    assert chosen(cluster, wants("high"))[2] == "first of equal candidates"


def test_pods_that_stay_keep_their_anti_affinity() -> None:
    apart = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "web"}}}
    cluster = RunningCluster()
    cluster.add(make_node("n1"))
    for name, priority in (("high-1", 2000), ("high-2", 2000), ("low", 0)):
        pod = running(name, "n1", priority=priority, cpu="100m")
        cluster.add(pod.affinity(podAntiAffinity={"requiredDuringSchedulingIgnoredDuringExecution": [apart]}))
    # Without "low" there are still two pods that want no web pod beside them.
    cluster.add(wants("web", cpu="100m").labels(app="web"))
    report = cluster.attempt()
    assert victims_of(report) == []
    assert report.message.endswith("preemption: 0/1 nodes are available: 1 " + STAY_AWAY)
