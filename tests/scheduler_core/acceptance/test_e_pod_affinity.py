"""Acceptance, section E: InterPodAffinity."""

from __future__ import annotations

from typing import Any

from scheduler_core.testing import PodBuilder, make_node, make_pod
from tests.scheduler_core.acceptance.reading import feasible, reasons, score_of
from tests.scheduler_core.acceptance.running_cluster import RunningCluster

HOST = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def term(key: str, **fields: Any) -> dict[str, Any]:
    return {"topologyKey": key, **fields}


def app(name: str) -> dict[str, Any]:
    return {"matchLabels": {"app": name}}


def near(pod: PodBuilder, *terms: dict[str, Any]) -> PodBuilder:
    return pod.affinity(podAffinity={REQUIRED: list(terms)})


def far(pod: PodBuilder, *terms: dict[str, Any]) -> PodBuilder:
    return pod.affinity(podAntiAffinity={REQUIRED: list(terms)})


def namespace(name: str, **labels: str) -> dict[str, Any]:
    labels = {"kubernetes.io/metadata.name": name, **labels}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}


def test_e1_the_first_of_a_series_needs_every_topology_key() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("zoned").zone("a"), make_node("plain"))
    terms = (term(ZONE, labelSelector=app("web")), term(HOST, labelSelector=app("web")))
    cluster.add(near(make_pod("p").labels(app="web"), *terms))
    report = cluster.attempt()
    assert feasible(report) == {"zoned"}
    assert reasons(report) == {"plain": ["node(s) didn't match pod affinity rules"]}


def test_e1_it_must_match_all_of_its_own_terms() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n").zone("a"))
    terms = (term(ZONE, labelSelector=app("web")), term(ZONE, labelSelector=app("db")))
    cluster.add(near(make_pod("p").labels(app="web"), *terms))
    assert cluster.attempt().outcome == "unschedulable"


def test_e3_one_existing_pod_must_match_all_terms() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n"), make_pod("pod-a").labels(l1="x").on("n"), make_pod("pod-b").labels(l2="x").on("n"))
    terms = [term(HOST, labelSelector={"matchLabels": {key: "x"}}) for key in ("l1", "l2")]
    cluster.add(near(make_pod("new"), *terms))
    assert reasons(cluster.attempt()) == {"n": ["node(s) didn't match pod affinity rules"]}


def test_e4_a_namespace_selector_that_excludes_the_namespace() -> None:
    others = {"matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["team-a"]}]}
    avoid = term(
        HOST, labelSelector={"matchExpressions": [{"key": "app", "operator": "Exists"}]}, namespaceSelector=others
    )
    cluster = RunningCluster()
    cluster.add(namespace("team-a"), namespace("team-b"), make_node("n"))
    cluster.add(far(make_pod("old", "team-a").labels(app="x"), avoid).on("n"))
    cluster.add(far(make_pod("new", "team-a").labels(app="x"), avoid))
    assert cluster.attempt().node == "n"


def waiting_for_a_pod_of_the_shared_namespaces() -> RunningCluster:
    cluster = RunningCluster()
    cluster.add(namespace("default"), namespace("other"), namespace("shared", tier="shared"), make_node("n"))
    selected = {"matchLabels": {"tier": "shared"}}
    cluster.add(near(make_pod("p"), term(HOST, labelSelector=app("web"), namespaceSelector=selected)))
    assert cluster.attempt().outcome == "unschedulable"
    return cluster


def test_e5_a_matching_pod_in_a_selected_namespace_brings_the_pod_back() -> None:
    cluster = waiting_for_a_pod_of_the_shared_namespaces()
    cluster.add(make_pod("web", "shared").labels(app="web").on("n"))
    assert [report.node for report in cluster.run(seconds=10)] == ["n"]


def test_e5_a_namespace_that_becomes_selected_brings_the_pod_back() -> None:
    cluster = waiting_for_a_pod_of_the_shared_namespaces()
    cluster.add(make_pod("web", "other").labels(app="web").on("n"))
    assert cluster.run(seconds=20) == []
    cluster.add(namespace("other", tier="shared"))
    assert [report.node for report in cluster.run(seconds=10)] == ["n"]


def test_e6_without_namespaces_only_the_own_one_counts() -> None:
    def fits(**fields: Any) -> bool:
        cluster = RunningCluster()
        cluster.add(namespace("red"), namespace("blue"), make_node("n"))
        cluster.add(make_pod("other", "blue").labels(app="web").on("n"))
        cluster.add(far(make_pod("new", "red").labels(app="web"), term(HOST, labelSelector=app("web"), **fields)))
        return cluster.attempt().node == "n"

    assert fits()
    assert not fits(namespaceSelector={})
    assert not fits(namespaces=["blue"])
    assert fits(namespaces=["green"])


def test_e8_required_anti_affinity_of_an_existing_pod_keeps_others_away() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("a1").zone("a"), make_node("a2").zone("a"), make_node("b1").zone("b"))
    cluster.add(far(make_pod("loner"), term(ZONE, labelSelector=app("web"))).on("a1"))
    cluster.add(make_pod("plain").labels(app="web"))

    report = cluster.attempt()

    assert report.node == "b1"
    reason = "node(s) didn't satisfy existing pods anti-affinity rules"
    assert reasons(report) == {"a1": [reason], "a2": [reason]}


def test_e8_preferred_anti_affinity_of_an_existing_pod_lowers_the_score() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("a").zone("a"), make_node("b").zone("b"))
    wish = {"weight": 10, "podAffinityTerm": term(ZONE, labelSelector=app("web"))}
    cluster.add(make_pod("loner").affinity(podAntiAffinity={PREFERRED: [wish]}).on("a"))
    cluster.add(make_pod("plain").labels(app="web"))
    assert score_of(cluster.attempt(), "InterPodAffinity") == {"a": 0, "b": 200}


def test_e10_a_node_without_the_key_never_conflicts() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n"), make_pod("old").labels(app="web").on("n"))
    cluster.add(far(make_pod("new").labels(app="web"), term("kubernetes.io/hostnam", labelSelector=app("web"))))
    assert cluster.attempt().node == "n"
