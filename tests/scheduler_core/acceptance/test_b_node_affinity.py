"""Acceptance, section B: NodeAffinity."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.testing import PodBuilder, make_node, make_pod
from tests.scheduler_core.acceptance.reading import feasible, reasons, score_of
from tests.scheduler_core.acceptance.running_cluster import RunningCluster

NO_MATCH = "node(s) didn't match Pod's node affinity/selector"


def expression(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"key": key, "operator": operator, **({"values": list(values)} if values else {})}


def required(*terms: dict[str, Any]) -> dict[str, Any]:
    return {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": list(terms)}}


def labels(*expressions: dict[str, Any]) -> dict[str, Any]:
    return {"matchExpressions": list(expressions)}


def names(*expressions: dict[str, Any]) -> dict[str, Any]:
    return {"matchFields": list(expressions)}


def wanting(name: str, *terms: dict[str, Any]) -> PodBuilder:
    return make_pod(name).affinity(nodeAffinity=required(*terms))


# (name, operator, values, label or None, matches)
OPERATORS = [
    ("In, absent", "In", ["ssd"], None, False),
    ("In, equal", "In", ["ssd"], "ssd", True),
    ("In, other", "In", ["ssd"], "hdd", False),
    ("NotIn, absent", "NotIn", ["ssd"], None, True),
    ("NotIn, equal", "NotIn", ["ssd"], "ssd", False),
    ("NotIn, other", "NotIn", ["ssd"], "hdd", True),
    ("Exists, absent", "Exists", [], None, False),
    ("Exists, present", "Exists", [], "ssd", True),
    ("DoesNotExist, absent", "DoesNotExist", [], None, True),
    ("DoesNotExist, present", "DoesNotExist", [], "ssd", False),
    ("Gt, absent", "Gt", ["150"], None, False),
    ("Gt, equal: it is strict", "Gt", ["150"], "150", False),
    ("Gt, greater", "Gt", ["150"], "500", True),
    ("Gt, compared as numbers", "Gt", ["150"], "20", False),
    ("Gt, the label is no integer", "Gt", ["150"], "abc", False),
    ("Gt, the value is no integer", "Gt", ["150.1"], "500", False),
    ("Gt, no label can have a negative value", "Gt", ["-5"], "500", False),
    ("NotIn, no label can have such a value", "NotIn", ["a b"], "ssd", False),
    ("Lt, absent", "Lt", ["150"], None, False),
    ("Lt, equal: it is strict", "Lt", ["150"], "150", False),
    ("Lt, smaller", "Lt", ["150"], "20", True),
    ("Lt, the label is no integer", "Lt", ["150"], "abc", False),
]


@pytest.mark.parametrize(
    ("name", "operator", "values", "label", "matches"), OPERATORS, ids=[row[0] for row in OPERATORS]
)
def test_b4_operators(name: str, operator: str, values: list[str], label: str | None, matches: bool) -> None:
    cluster = RunningCluster()
    node = make_node("n")
    cluster.add(node if label is None else node.label("key", label))
    cluster.add(wanting("p", labels(expression("key", operator, *values))))
    assert (cluster.attempt().node == "n") is matches


def test_b1_gt_with_a_fraction_matches_nothing() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n").label("size", "500"), wanting("p", labels(expression("size", "Gt", "150.1"))))
    report = cluster.attempt()
    assert reasons(report) == {"n": [NO_MATCH]}


def test_b2_terms_are_alternatives() -> None:
    conflict = names(expression("metadata.name", "In", "n1"), expression("metadata.name", "In", "n2"))
    cluster = RunningCluster()
    cluster.add(make_node("n1"), make_node("n2").labels(foo="bar"))
    cluster.add(wanting("p", conflict, labels(expression("foo", "In", "bar"))))
    assert cluster.attempt().node == "n2"


def test_b2_two_names_at_once_conflict() -> None:
    conflict = names(expression("metadata.name", "In", "n1"), expression("metadata.name", "In", "n2"))
    cluster = RunningCluster()
    cluster.add(make_node("n1"), make_node("n2").labels(foo="bar"), wanting("p", conflict))
    report = cluster.attempt()
    assert report.message.startswith("0/2 nodes are available: pod affinity terms conflict.")


def replica(name: str) -> PodBuilder:
    preference = {"weight": 100, "preference": labels(expression("foo", "In", "bar"))}
    pod = (
        make_pod(name)
        .labels(app="web")
        .affinity(nodeAffinity={"preferredDuringSchedulingIgnoredDuringExecution": [preference]})
    )
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "rs", "controller": True}
    pod.manifest["metadata"]["ownerReferences"] = [owner]
    return pod


REPLICA_SET = {
    "apiVersion": "apps/v1",
    "kind": "ReplicaSet",
    "metadata": {"name": "web", "namespace": "default", "uid": "rs"},
    "spec": {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}},
}


def test_b5_a_preference_outweighs_the_default_spread() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("a").labels(foo="bar"), make_node("b").labels(foo="car"), REPLICA_SET)
    cluster.add(replica("web-1"), replica("web-2"))

    first, second = cluster.attempt(), cluster.attempt()

    assert (first.node, second.node) == ("a", "a")
    assert score_of(second, "NodeAffinity") == {"a": 200, "b": 0}
    assert score_of(second, "PodTopologySpread") == {"a": 132, "b": 200}


def test_b5_without_the_preference_the_second_replica_is_spread() -> None:
    plugins = {"score": {"disabled": [{"name": "NodeAffinity"}]}}
    cluster = RunningCluster({"profiles": [{"plugins": plugins}]})
    cluster.add(make_node("a").labels(foo="bar"), make_node("b").labels(foo="car"), REPLICA_SET)
    cluster.add(replica("web-1"), replica("web-2"))
    assert {cluster.attempt().node, cluster.attempt().node} == {"a", "b"}


def test_b7_affinity_of_the_profile_is_added_to_the_pods() -> None:
    args = {"addedAffinity": required(labels(expression("pool", "In", "x")))}
    cluster = RunningCluster({"profiles": [{"pluginConfig": [{"name": "NodeAffinity", "args": args}]}]})
    cluster.add(make_node("nx").labels(pool="x"), make_node("ny").labels(pool="y"))
    cluster.add(wanting("daemon", names(expression("metadata.name", "In", "ny"))))

    report = cluster.attempt()

    assert reasons(report)["ny"] == ["node(s) didn't match scheduler-enforced node affinity"]


def test_b9_the_counts_add_up_to_the_number_of_nodes() -> None:
    cluster = RunningCluster()
    cluster.add(*(make_node(f"n{i}") for i in range(1, 10)))
    cluster.add(make_pod("holder").host_port(80).on("n9"))
    cluster.add(wanting("daemon", names(expression("metadata.name", "In", "n9"))).host_port(80))

    report = cluster.attempt()

    assert report.message.startswith(
        "0/9 nodes are available: 1 node(s) didn't have free ports for the requested pod ports, "
        "8 node(s) didn't satisfy plugin(s) [NodeAffinity]."
    )


def test_b10_a_pinned_pod_looks_at_one_node_only() -> None:
    cluster = RunningCluster()
    cluster.add(*(make_node(f"n{i}") for i in range(1500)))
    cluster.add(wanting("daemon", names(expression("metadata.name", "In", "n77"))))
    report = cluster.attempt()
    assert report.node == "n77"
    assert report.filter is not None
    assert report.filter.evaluated == 1


def test_b4_a_node_selector_wants_every_pair() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("half").labels(disk="ssd"), make_node("whole").labels(disk="ssd", gen="4"))
    cluster.add(make_pod("p").node_selector(disk="ssd", gen="4"))
    assert feasible(cluster.attempt()) == {"whole"}


def test_how_many_nodes_are_enough_is_a_share_of_the_named_nodes() -> None:
    cluster = RunningCluster()
    cluster.add(*(make_node(f"n{i}") for i in range(1000)))
    cluster.add(wanting("daemon", *(names(expression("metadata.name", "In", f"n{i}")) for i in range(300))))
    report = cluster.attempt()
    assert report.filter is not None
    # 50 - 300/125 percent of 300 nodes, not 50 - 1000/125 percent of 1000.
    assert report.filter.evaluated == 144
