"""Objects: created, changed, deleted; what a page is told meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from playground.clusters import selectors
from playground.clusters.models import Change, Cluster, Pod
from playground.clusters.services.objects import (
    DeleteOptions,
    StatusPatch,
    object_create,
    object_create_many,
    object_delete,
    object_patch,
    object_replace,
    object_status_update_many,
    object_update_many,
)
from playground.clusters.services.transaction import cluster_transaction
from playground.common.errors import AlreadyExists, ApiError, BadRequest, Conflict, Forbidden, Invalid, NotFound
from tests.playground.builders import a_cluster, a_deployment, a_node, a_pod, created
from tests.playground.freshness import LiveWatch

pytestmark = pytest.mark.django_db


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def stored(cluster: Cluster, kind: str, name: str, namespace: str = "default") -> dict[str, Any] | None:
    return selectors.object_get(cluster.pk, kind, namespace, name)


def delete(cluster: Cluster, kind: str, name: str, namespace: str = "default", **options: Any) -> dict[str, Any]:
    with cluster_transaction(cluster.pk) as tx:
        return object_delete(tx, kind=kind, namespace=namespace, name=name, options=DeleteOptions(**options))


def test_a_created_object_has_identity_version_and_defaults(cluster: Cluster) -> None:
    (pod,) = created(cluster, a_pod())
    assert pod["metadata"]["resourceVersion"] == str(selectors.feed_version(cluster.pk))
    assert pod["metadata"]["uid"]
    assert pod["spec"]["schedulerName"] == "default-scheduler"
    assert pod["spec"]["priority"] == 0
    assert pod["status"] == {"phase": "Pending", "qosClass": "Burstable"}
    assert stored(cluster, "Pod", "web") == pod


def test_limits_become_requests(cluster: Cluster) -> None:
    pod = a_pod()
    pod["spec"]["containers"][0]["resources"] = {"limits": {"cpu": 2}}
    (stored_pod,) = created(cluster, pod)
    assert stored_pod["spec"]["containers"][0]["resources"] == {"limits": {"cpu": "2"}, "requests": {"cpu": "2"}}


def test_a_name_is_given_once(cluster: Cluster) -> None:
    created(cluster, a_pod())
    with pytest.raises(AlreadyExists, match='pods "web" already exists'):
        created(cluster, a_pod())


def test_a_generated_name_follows_its_prefix_and_the_seed() -> None:
    names = []
    for name in ("one", "two"):
        cluster = a_cluster(name)
        pod = a_pod()
        pod["metadata"] = {"generateName": "job-"}
        names.append([created(cluster, pod)[0]["metadata"]["name"] for _ in range(3)])
        assert all(name.startswith("job-") and len(name) == 9 for name in names[-1])
        assert len(set(names[-1])) == 3


def test_the_same_seed_and_history_give_the_same_names_and_uids() -> None:
    identities = []
    for _ in range(2):
        cluster = a_cluster("same")
        pod = a_pod()
        pod["metadata"] = {"generateName": "job-"}
        metadata = created(cluster, pod)[0]["metadata"]
        identities.append((metadata["name"], metadata["uid"]))
        cluster.delete()
    assert identities[0] == identities[1]


def test_a_namespace_must_exist(cluster: Cluster) -> None:
    with pytest.raises(NotFound, match='namespaces "nowhere" not found'):
        created(cluster, a_pod(namespace="nowhere"))


def test_unknown_fields_are_refused_by_their_path(cluster: Cluster) -> None:
    pod = a_pod()
    pod["spec"]["containers"][0]["imagee"] = "x"
    with pytest.raises(BadRequest) as caught:
        created(cluster, pod)
    assert [cause.path for cause in caught.value.causes] == ["spec.containers[0].imagee"]
    assert "did you mean 'image'" in caught.value.causes[0].message


@pytest.mark.parametrize(
    ("path", "broken"),
    [
        ("spec.containers[0].resources.requests[cpu]", {"resources": {"requests": {"cpu": "1.5.2"}}}),
        ("spec.containers[0].ports[0].containerPort", {"ports": [{"containerPort": "80"}]}),
        ("spec.containers[0].args", {"args": "sleep"}),
        ("spec.containers[0].name", {"name": None}),
    ],
)
def test_a_wrong_type_is_refused_by_its_path(cluster: Cluster, path: str, broken: dict[str, Any]) -> None:
    pod = a_pod()
    pod["spec"]["containers"][0].update(broken)
    with pytest.raises(BadRequest) as caught:
        created(cluster, pod)
    assert [cause.path for cause in caught.value.causes] == [path]


def test_nothing_is_written_by_a_refused_request(cluster: Cluster) -> None:
    version = selectors.feed_version(cluster.pk)
    with pytest.raises(ApiError):
        created(cluster, a_pod("fine"), a_pod(namespace="nowhere"))
    assert selectors.feed_version(cluster.pk) == version
    assert not Pod.objects.exists()


def test_a_stale_version_is_a_conflict(cluster: Cluster) -> None:
    (pod,) = created(cluster, a_pod())

    def label(value: str) -> dict[str, Any]:
        with cluster_transaction(cluster.pk) as tx:
            wanted = {**pod, "metadata": {**pod["metadata"], "labels": {"app": value}}}
            return object_replace(tx, kind="Pod", namespace="default", name="web", manifest=wanted)

    assert label("a")["metadata"]["labels"] == {"app": "a"}
    with pytest.raises(Conflict, match="the object has been modified"):
        label("b")


def test_an_update_that_changes_nothing_writes_nothing(cluster: Cluster) -> None:
    (pod,) = created(cluster, a_pod())
    version = selectors.feed_version(cluster.pk)
    with cluster_transaction(cluster.pk) as tx:
        object_replace(tx, kind="Pod", namespace="default", name="web", manifest=pod)
    assert selectors.feed_version(cluster.pk) == version


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("schedulerName", "other"),
        ("affinity", {"nodeAffinity": {}}),
        ("nodeName", "n1"),
        ("nodeSelector", {"disk": "ssd"}),
        ("priority", 7),
        ("tolerations", []),
        ("schedulingGates", [{"name": "late"}]),
    ],
)
def test_what_decides_scheduling_cannot_be_changed(cluster: Cluster, field: str, value: object) -> None:
    gate_free = a_pod(tolerations=[{"key": "gpu", "operator": "Exists"}])
    created(cluster, gate_free)

    def change(manifest: dict[str, Any]) -> dict[str, Any]:
        manifest["spec"][field] = value
        return manifest

    with pytest.raises(Invalid) as caught, cluster_transaction(cluster.pk) as tx:
        object_patch(tx, kind="Pod", namespace="default", name="web", change=change)
    assert caught.value.causes[0].path.startswith(f"spec.{field}")


def test_requests_cannot_be_changed_but_the_image_can(cluster: Cluster) -> None:
    created(cluster, a_pod())

    def change(image: str, cpu: str) -> dict[str, Any]:
        def edit(manifest: dict[str, Any]) -> dict[str, Any]:
            container = manifest["spec"]["containers"][0]
            container["image"], container["resources"]["requests"]["cpu"] = image, cpu
            return manifest

        with cluster_transaction(cluster.pk) as tx:
            return object_patch(tx, kind="Pod", namespace="default", name="web", change=edit)

    assert change("nginx:1.28", "100m")["spec"]["containers"][0]["image"] == "nginx:1.28"
    with pytest.raises(Invalid, match="pod updates may not change fields"):
        change("nginx:1.28", "200m")


def test_gates_can_only_be_removed(cluster: Cluster) -> None:
    (pod,) = created(cluster, a_pod(schedulingGates=[{"name": "a"}, {"name": "b"}]))
    assert pod["status"]["conditions"][0]["reason"] == "SchedulingGated"

    def ungate(manifest: dict[str, Any]) -> dict[str, Any]:
        del manifest["spec"]["schedulingGates"]
        return manifest

    with cluster_transaction(cluster.pk) as tx:
        free = object_patch(tx, kind="Pod", namespace="default", name="web", change=ungate)
    assert "schedulingGates" not in free["spec"]


def test_status_is_written_through_its_own_door(cluster: Cluster) -> None:
    created(cluster, a_deployment())

    def write(subresource: str) -> dict[str, Any]:
        def change(manifest: dict[str, Any]) -> dict[str, Any]:
            manifest["status"] = {"replicas": 3}
            manifest["spec"]["replicas"] = 3
            return manifest

        with cluster_transaction(cluster.pk) as tx:
            return object_patch(
                tx, kind="Deployment", namespace="default", name="web", change=change, subresource=subresource
            )

    by_status = write("status")
    assert (by_status["status"], by_status["spec"]["replicas"]) == ({"replicas": 3}, 1)
    by_object = write("")
    assert (by_object["status"], by_object["spec"]["replicas"]) == ({"replicas": 3}, 3)
    assert by_object["metadata"]["generation"] == 2


def test_a_waiting_pod_goes_at_once_and_a_bound_one_has_its_grace(cluster: Cluster) -> None:
    created(cluster, a_node(), a_pod("waiting"), a_pod("bound", nodeName="n1"))
    delete(cluster, "Pod", "waiting")
    assert stored(cluster, "Pod", "waiting") is None
    assert delete(cluster, "Pod", "bound")["metadata"]["deletionGracePeriodSeconds"] == 30
    assert stored(cluster, "Pod", "bound") is not None
    assert Pod.objects.get(name="bound").deletion_at is not None
    delete(cluster, "Pod", "bound", grace_period_seconds=0)
    assert stored(cluster, "Pod", "bound") is None


def test_a_finalizer_is_waited_for(cluster: Cluster) -> None:
    pod = a_pod()
    pod["metadata"]["finalizers"] = ["example.com/hold"]
    created(cluster, pod)
    assert delete(cluster, "Pod", "web")["metadata"]["deletionTimestamp"]

    def release(manifest: dict[str, Any]) -> dict[str, Any]:
        manifest["metadata"]["finalizers"] = []
        return manifest

    with cluster_transaction(cluster.pk) as tx:
        object_patch(tx, kind="Pod", namespace="default", name="web", change=release)
    assert stored(cluster, "Pod", "web") is None


def test_deleting_with_another_uid_is_a_conflict(cluster: Cluster) -> None:
    created(cluster, a_pod())
    with pytest.raises(Conflict, match="Precondition failed"):
        delete(cluster, "Pod", "web", uid="another")


def test_a_deleted_namespace_takes_its_content_along(cluster: Cluster) -> None:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    created(cluster, a_node(), namespace, a_pod("a", namespace="shop"), a_deployment("b", namespace="shop"))
    delete(cluster, "Namespace", "shop", namespace="")
    assert selectors.object_get(cluster.pk, "Namespace", "", "shop") is None
    assert selectors.object_list(cluster.pk, "Deployment", "shop") == []


def test_a_namespace_waits_for_its_running_pods(cluster: Cluster) -> None:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    created(cluster, a_node(), namespace, a_pod("a", namespace="shop", nodeName="n1"))
    delete(cluster, "Namespace", "shop", namespace="")
    found = selectors.object_get(cluster.pk, "Namespace", "", "shop")
    assert found is not None
    assert found["status"]["phase"] == "Terminating"
    with pytest.raises(Forbidden, match="because it is being terminated"):
        created(cluster, a_pod("b", namespace="shop"))
    delete(cluster, "Pod", "a", namespace="shop", grace_period_seconds=0)
    assert selectors.object_get(cluster.pk, "Namespace", "", "shop") is None


@pytest.mark.parametrize("name", ["default", "kube-system"])
def test_system_namespaces_stay(cluster: Cluster, name: str) -> None:
    with pytest.raises(Forbidden, match="may not be deleted"):
        delete(cluster, "Namespace", name, namespace="")


def test_orphaned_dependents_outlive_their_owner(cluster: Cluster) -> None:
    (owner,) = created(cluster, a_deployment())
    pod = a_pod("child")
    pod["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": owner["metadata"]["uid"]}
    ]
    created(cluster, pod)
    delete(cluster, "Deployment", "web", propagation_policy="Orphan")
    child = stored(cluster, "Pod", "child")
    assert child is not None
    assert child["metadata"]["ownerReferences"] == []


def test_priority_comes_from_the_class(cluster: Cluster) -> None:
    priority_class = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high"},
        "value": 1000,
        "preemptionPolicy": "Never",
    }
    _, high, system = created(
        cluster,
        priority_class,
        a_pod("a", priorityClassName="high"),
        a_pod("b", priorityClassName="system-node-critical"),
    )
    assert (high["spec"]["priority"], high["spec"]["preemptionPolicy"]) == (1000, "Never")
    assert system["spec"]["priority"] == 2_000_001_000
    with pytest.raises(Forbidden, match="no PriorityClass with name nope was found"):
        created(cluster, a_pod("c", priorityClassName="nope"))


def test_a_global_default_class_is_given_to_pods_without_one(cluster: Cluster) -> None:
    usual = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "usual"},
        "value": 5,
        "globalDefault": True,
    }
    _, pod = created(cluster, usual, a_pod())
    assert (pod["spec"]["priorityClassName"], pod["spec"]["priority"]) == ("usual", 5)


def test_match_label_keys_become_requirements(cluster: Cluster) -> None:
    term = {"topologyKey": "zone", "labelSelector": {}, "matchLabelKeys": ["app"], "mismatchLabelKeys": ["team"]}
    pod = a_pod(affinity={"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}})
    pod["metadata"]["labels"]["team"] = "red"
    (stored_pod,) = created(cluster, pod)
    terms = stored_pod["spec"]["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert terms[0]["labelSelector"]["matchExpressions"] == [
        {"key": "app", "operator": "In", "values": ["web"]},
        {"key": "team", "operator": "NotIn", "values": ["red"]},
    ]


def test_many_are_created_together_and_one_refusal_stops_no_other(cluster: Cluster) -> None:
    created(cluster, a_pod("b"))
    with cluster_transaction(cluster.pk) as tx:
        results = object_create_many(tx, kind="Pod", manifests=[a_pod("a"), a_pod("b"), a_pod("c", namespace="no")])
    assert [type(result).__name__ for result in results] == ["dict", "AlreadyExists", "NotFound"]
    assert stored(cluster, "Pod", "a") is not None


def test_a_stale_manifest_among_many_is_a_conflict_of_its_own(cluster: Cluster) -> None:
    first, second = created(cluster, a_deployment("a"), a_deployment("b"))
    fresh = {**first, "spec": {**first["spec"], "replicas": 4}}
    stale = {**second, "metadata": {**second["metadata"], "resourceVersion": "1"}}
    with cluster_transaction(cluster.pk) as tx:
        results = object_update_many(tx, kind="Deployment", manifests=[fresh, stale])
    assert [type(result).__name__ for result in results] == ["dict", "Conflict"]
    assert stored(cluster, "Deployment", "a")["spec"]["replicas"] == 4  # type: ignore[index]


def test_conditions_are_merged_by_type(cluster: Cluster) -> None:
    (pod,) = created(cluster, a_pod())
    uid = pod["metadata"]["uid"]

    def patch(status: str) -> dict[str, Any]:
        condition = {"type": "Ready", "status": status}
        with cluster_transaction(cluster.pk) as tx:
            (result,) = object_status_update_many(
                tx, kind="Pod", patches=[StatusPatch(uid=uid, status={"conditions": [condition]})]
            )
        assert result is not None
        return result

    first = patch("True")
    assert [each["type"] for each in first["status"]["conditions"]] == ["Ready"]
    assert patch("True") == first
    assert patch("False")["status"]["conditions"][0]["status"] == "False"
    with cluster_transaction(cluster.pk) as tx:
        assert object_status_update_many(tx, kind="Pod", patches=[StatusPatch(uid="gone")]) == [None]


def test_every_write_is_told_to_the_page(cluster: Cluster) -> None:
    watch = LiveWatch(cluster)
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    created(cluster, a_node(), a_pod(), a_deployment(), namespace, a_pod("x", namespace="shop", nodeName="n1"))
    assert {message["event"] for message in watch.assert_fresh()} == {"ADDED"}
    delete(cluster, "Pod", "web")
    delete(cluster, "Namespace", "shop", namespace="")
    delete(cluster, "Pod", "x", namespace="shop", grace_period_seconds=0)
    events = [(message["event"], message["object"]["name"]) for message in watch.assert_fresh()]
    assert events == [
        ("DELETED", "web"),
        ("MODIFIED", "x"),
        ("MODIFIED", "shop"),
        ("DELETED", "x"),
        ("DELETED", "shop"),
    ]


def test_the_feed_has_no_gaps(cluster: Cluster) -> None:
    created(cluster, a_node(), a_pod(), a_deployment())
    versions = list(Change.objects.filter(cluster=cluster).values_list("version", flat=True))
    assert versions == list(range(1, selectors.feed_version(cluster.pk) + 1))


def test_an_unknown_kind_is_not_found(cluster: Cluster) -> None:
    with cluster_transaction(cluster.pk) as tx, pytest.raises(NotFound, match='no matches for kind "Widget"'):
        object_create(tx, manifest={"apiVersion": "v1", "kind": "Widget", "metadata": {"name": "w"}})
