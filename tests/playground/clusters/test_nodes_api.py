"""What drags and lassos ask for: one call for many nodes, undone by what the answer brings; pods that move."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from playground.clusters.models import Cluster, Node, Pod
from playground.clusters.patches import merge_patch
from playground.clusters.selectors import object_get
from playground.clusters.services.many import undoing
from playground.clusters.services.pods import PodBinding, pod_bind_many
from playground.clusters.services.transaction import cluster_transaction
from tests.playground.builders import a_cluster, a_deployment, a_node, a_pod, created
from tests.playground.freshness import LiveWatch

pytestmark = pytest.mark.django_db

Json = dict[str, Any]


@pytest.fixture
def cluster() -> Cluster:
    cluster = a_cluster()
    created(cluster, a_node("n1", labels={"zone": "a", "disk": "ssd"}), a_node("n2"))
    return cluster


def post(client: Client, path: str, body: Any, status: int = 200) -> Json:
    response = client.post(f"/api/clusters/demo/{path}", body, content_type="application/json")
    assert response.status_code == status, response.content
    answer: Json = response.json()
    return answer


def patch(client: Client, names: list[str], change: Json, status: int = 200) -> Json:
    return post(client, "nodes/batch-patch/", {"names": names, "patch": change}, status)


def stored(cluster: Cluster, name: str) -> Json:
    found = object_get(cluster.pk, "Node", None, name)
    assert found is not None
    return found


def without_versions(node: Json) -> Json:
    metadata = {key: value for key, value in node["metadata"].items() if key != "resourceVersion" and value}
    return {**node, "metadata": metadata, "spec": {key: value for key, value in node["spec"].items() if value}}


@pytest.mark.parametrize(
    "change",
    [
        {"metadata": {"labels": {"zone": "b", "disk": None, "new": "yes"}}},
        {"spec": {"taints": [{"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}]}},
        {"status": {"allocatable": {"cpu": "8", "example.com/gpu": "1"}}},
        {"status": {"images": [{"names": ["registry/web:1"], "sizeBytes": 1000}]}},
        {
            "metadata": {"labels": {"zone": "c"}},
            "spec": {"unschedulable": True},
            "status": {"allocatable": {"cpu": "1"}},
        },
    ],
)
def test_many_nodes_are_patched_in_one_call_and_the_answer_undoes_it(
    client: Client, cluster: Cluster, change: Json
) -> None:
    before = [stored(cluster, name) for name in ("n1", "n2")]
    watch = LiveWatch(cluster)
    results = patch(client, ["n1", "n2"], change)["results"]
    assert [(each["name"], each["error"]) for each in results] == [("n1", ""), ("n2", "")]
    assert [stored(cluster, name) for name in ("n1", "n2")] != before
    for result in results:
        patch(client, [result["name"]], result["inverse"])
    after = [stored(cluster, name) for name in ("n1", "n2")]
    assert list(map(without_versions, after)) == list(map(without_versions, before))
    watch.assert_fresh()


def test_a_node_that_is_not_there_or_refuses_does_not_stop_the_others(client: Client, cluster: Cluster) -> None:
    results = patch(client, ["gone", "n1"], {"metadata": {"labels": {"x": "1"}}})["results"]
    assert [each["error"] for each in results] == ['nodes "gone" not found', ""]
    (refused,) = patch(client, ["n1"], {"metadata": {"labels": {"x": "not a label!"}}})["results"]
    assert "metadata.labels" in refused["error"]
    assert stored(cluster, "n1")["metadata"]["labels"]["x"] == "1"


def test_a_patch_that_changes_nothing_has_nothing_to_undo(client: Client, cluster: Cluster) -> None:
    (result,) = patch(client, ["n1"], {"metadata": {"labels": {"zone": "a"}}})["results"]
    assert result == {"name": "n1", "error": "", "inverse": {}}


@pytest.mark.parametrize("change", [{"kind": "Pod"}, {"metadata": {"name": "other"}}])
def test_only_what_people_change_is_patched(client: Client, cluster: Cluster, change: Json) -> None:
    assert "may not be patched here" in str(patch(client, ["n1"], change, 400))


@pytest.mark.parametrize(
    ("old", "new"),
    [({"a": 1}, {}), ({}, {"a": 1}), ({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}}), ({"a": [1, 2]}, {"a": [3]})],
)
def test_undoing_is_the_patch_back(old: Json, new: Json) -> None:
    assert merge_patch(new, undoing(new, old)) == old


def test_many_nodes_are_made_of_one_manifest_under_free_names(client: Client, cluster: Cluster) -> None:
    manifest = a_node("n", labels={"zone": "z"})
    answer = post(client, "nodes/batch-create/", {"manifest": manifest, "count": 3}, 201)
    assert answer == {"names": ["n3", "n4", "n5"]}
    labels = stored(cluster, "n4")["metadata"]["labels"]
    assert (labels["zone"], labels["kubernetes.io/hostname"]) == ("z", "n4")


def test_a_node_with_the_longest_name_has_as_much_of_it_as_a_label_holds(client: Client, cluster: Cluster) -> None:
    longest = ".".join(["n" * 62, "a" * 63, "a" * 63, "a" * 62])
    created(cluster, a_node(longest))
    assert stored(cluster, longest)["metadata"]["labels"]["kubernetes.io/hostname"] == "n" * 62


def test_a_bad_template_makes_no_node_at_all(client: Client, cluster: Cluster) -> None:
    bad = {"metadata": {"name": "Bad_"}}
    assert "metadata.name" in str(post(client, "nodes/batch-create/", {"manifest": bad, "count": 2}, 422))
    assert "count" in str(post(client, "nodes/batch-create/", {"manifest": a_node("x"), "count": 5_001}, 422))
    assert Node.objects.count() == 2


def test_objects_of_several_kinds_are_deleted_in_one_call(client: Client, cluster: Cluster) -> None:
    created(cluster, a_pod("web"), a_deployment("shop"))
    named = [("Pod", "web"), ("Node", "n1"), ("Deployment", "shop"), ("Pod", "gone"), ("Frob", "x")]
    objects = [{"kind": kind, "name": name} for kind, name in named]
    results = post(client, "objects/batch-delete/", {"objects": objects})["results"]
    assert [each["error"] for each in results] == ["", "", "", 'pods "gone" not found', 'no matches for kind "Frob"']
    assert (Pod.objects.count(), Node.objects.count()) == (0, 1)


# Moving


def bind(cluster: Cluster, name: str, node: str = "n1") -> None:
    with cluster_transaction(cluster.pk) as tx:
        pod_bind_many(tx, bindings=[PodBinding(namespace="default", name=name, node_name=node)])


def move(client: Client, name: str, node: str = "n2", status: int = 200) -> Json:
    return post(client, f"pods/default/{name}/move/", {"node": node}, status)


def test_a_moved_pod_goes_and_a_copy_comes_that_may_only_run_there(client: Client, cluster: Cluster) -> None:
    created(cluster, a_pod("web", priorityClassName="system-cluster-critical"))
    bind(cluster, "web")
    answer = move(client, "web")
    assert (answer["evicted"], answer["node"], answer["replaced_by"]) == ("default/web", "n2", "")
    assert Pod.objects.get(name="web").deletion_at is not None
    copy = Pod.objects.get(name=answer["name"]).manifest
    assert copy["metadata"]["uid"] == answer["uid"]
    assert copy["spec"].get("nodeName") is None
    (term,) = copy["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        "nodeSelectorTerms"
    ]
    assert term["matchFields"] == [{"key": "metadata.name", "operator": "In", "values": ["n2"]}]


def test_a_pod_of_a_controller_is_said_to_be_replaced_as_well(client: Client, cluster: Cluster) -> None:
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-1", "uid": "u", "controller": True}
    owned = a_pod("web")
    owned["metadata"]["ownerReferences"] = [owner]
    created(cluster, owned)
    bind(cluster, "web")
    answer = move(client, "web")
    assert answer["replaced_by"] == "ReplicaSet web-1"
    assert "ownerReferences" not in Pod.objects.get(name=answer["name"]).manifest["metadata"]


def test_a_moved_pod_can_be_moved_on(client: Client, cluster: Cluster) -> None:
    created(cluster, a_pod("web"))
    bind(cluster, "web")
    first = move(client, "web")
    bind(cluster, first["name"], "n2")
    second = move(client, first["name"], "n1")
    affinity = Pod.objects.get(name=second["name"]).manifest["spec"]["affinity"]["nodeAffinity"]
    (term,) = affinity["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert term["matchFields"] == [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]


def test_a_budget_forbids_a_move_and_nothing_happens(client: Client, cluster: Cluster) -> None:
    created(cluster, a_pod("web"))
    bind(cluster, "web")
    created(cluster, {
        "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "keep", "namespace": "default"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "web"}}},
    })  # fmt: skip
    row = Pod.objects.get(name="web")
    row.manifest["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    row.save()
    error = move(client, "web", status=429)["error"]
    assert error["message"] == "Cannot evict pod as it would violate the pod's disruption budget."
    assert error["details"][0]["message"] == "The disruption budget keep needs 1 healthy pods and has 1 currently"
    assert Pod.objects.count() == 1
    assert Pod.objects.get().deletion_at is None


def test_what_cannot_be_moved_is_said(client: Client, cluster: Cluster) -> None:
    created(cluster, a_pod("web"))
    assert "bind it instead" in str(move(client, "web", status=409))
    bind(cluster, "web")
    assert "on node" in str(move(client, "web", "n1", 409))
    assert "not found" in str(move(client, "web", "n9", 404))
    assert "not found" in str(move(client, "gone", "n2", 404))


# One node


def test_cordon_drain_fail_and_recover_over_http(client: Client, cluster: Cluster) -> None:
    assert post(client, "nodes/n1/cordon/", {})["unschedulable"] is True
    assert post(client, "nodes/n1/uncordon/", {})["unschedulable"] is False
    assert post(client, "nodes/n1/fail/", {})["kubelet_stopped"] is True
    assert "stopped already" in str(post(client, "nodes/n1/fail/", {}, 409))
    assert post(client, "nodes/n1/recover/", {})["kubelet_stopped"] is False
    answer = post(client, "nodes/n1/drain/", {"ignore_daemonsets": True}, 202)
    assert (answer["node"], answer["drain"]["state"], answer["drain"]["total"]) == ("n1", "draining", 0)
    assert client.get("/api/clusters/demo/nodes/n1/drain/").json() == answer
    assert client.delete("/api/clusters/demo/nodes/n1/drain/").json()["drain"]["state"] == "cancelled"
    assert client.get("/api/clusters/demo/nodes/n2/drain/").status_code == 404
    assert post(client, "nodes/n9/cordon/", {}, 404)["error"]["code"] == "NotFound"
    assert "grace_period" in str(post(client, "nodes/n1/drain/", {"grace_period": -2}, 422))


def test_batches_cost_no_more_statements_for_many_objects(
    client: Client, cluster: Cluster, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    many = [f"many{number}" for number in range(60)]
    created(cluster, *map(a_node, many), *map(a_pod, many))
    with django_assert_max_num_queries(16):
        patched = patch(client, many, {"metadata": {"labels": {"a": "b"}}, "status": {"allocatable": {"cpu": "9"}}})
    with django_assert_max_num_queries(16):
        objects = [{"kind": kind, "name": name} for name in many for kind in ("Pod", "Node")]
        deleted = post(client, "objects/batch-delete/", {"objects": objects})
    assert [each["error"] for each in (*patched["results"], *deleted["results"])] == [""] * 180
    assert not Pod.objects.filter(cluster=cluster).exists()
