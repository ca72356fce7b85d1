"""The Kubernetes-shaped API, as its clients use it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from playground.clusters.models import Cluster, Pod
from tests.playground.builders import a_cluster, a_deployment, a_node, a_pod, created

pytestmark = pytest.mark.django_db

PODS = "/k8s/demo/api/v1/namespaces/default/pods"
DEPLOYMENTS = "/k8s/demo/apis/apps/v1/namespaces/default/deployments"


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


class Api:
    """The test client, speaking JSON."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(path, query)

    def send(self, method: str, path: str, body: Any = None, content_type: str = "application/json") -> Any:
        data = body if isinstance(body, str) else json.dumps(body)
        return self.client.generic(method, path, "" if body is None else data, content_type=content_type)

    def post(self, path: str, body: Any, content_type: str = "application/json") -> Any:
        return self.send("POST", path, body, content_type)

    def patch(self, path: str, body: Any, kind: str = "merge") -> Any:
        return self.send("PATCH", path, body, f"application/{kind}-patch+json")

    def names(self, path: str, **query: Any) -> list[str]:
        response = self.get(path, **query)
        assert response.status_code == 200, response.content
        return [item["metadata"]["name"] for item in response.json()["items"]]


@pytest.fixture
def api(client: Client, cluster: Cluster) -> Api:
    return Api(client)


def status_of(response: Any, code: int, reason: str) -> dict[str, Any]:
    """The Status of a refused request."""
    assert response.status_code == code, response.content
    status: dict[str, Any] = response.json()
    assert (status["kind"], status["apiVersion"], status["status"]) == ("Status", "v1", "Failure")
    assert (status["code"], status["reason"]) == (code, reason)
    return status


def test_an_object_is_created_read_replaced_and_deleted(api: Api) -> None:
    made = api.post(PODS, a_pod())
    assert made.status_code == 201
    pod = made.json()
    assert api.get(f"{PODS}/web").json() == pod
    pod["metadata"]["labels"]["tier"] = "front"
    replaced = api.send("PUT", f"{PODS}/web", pod)
    assert replaced.json()["metadata"]["labels"] == {"app": "web", "tier": "front"}
    assert api.send("DELETE", f"{PODS}/web").json()["metadata"]["name"] == "web"
    status = status_of(api.get(f"{PODS}/web"), 404, "NotFound")
    assert status["message"] == 'pods "web" not found'
    assert status["details"] == {"name": "web", "kind": "pods"}


def test_a_deleted_object_without_a_grace_is_told_as_success(api: Api) -> None:
    uid = api.post(DEPLOYMENTS, a_deployment()).json()["metadata"]["uid"]
    status = api.send("DELETE", f"{DEPLOYMENTS}/web", {"propagationPolicy": "Background"}).json()
    assert (status["status"], status["details"]["uid"]) == ("Success", uid)


def test_a_stale_replacement_is_a_conflict(api: Api) -> None:
    pod = api.post(PODS, a_pod()).json()
    api.patch(f"{PODS}/web", {"metadata": {"labels": {"x": "y"}}})
    status_of(api.send("PUT", f"{PODS}/web", pod), 409, "Conflict")


def test_a_name_is_taken_once(api: Api) -> None:
    api.post(PODS, a_pod())
    status = status_of(api.post(PODS, a_pod()), 409, "AlreadyExists")
    assert status["message"] == 'pods "web" already exists'


def test_an_unknown_field_is_named(api: Api) -> None:
    status = status_of(api.post(PODS, a_pod(nodeSelektor={})), 400, "BadRequest")
    assert status["details"]["causes"][0]["field"] == "spec.nodeSelektor"
    assert "strict decoding error" in status["message"]


def test_an_unknown_field_is_dropped_where_the_client_asks_for_that(api: Api) -> None:
    response = api.post(f"{PODS}?fieldValidation=Ignore", a_pod(nodeSelektor={}))
    assert response.status_code == 201
    assert "nodeSelektor" not in response.json()["spec"]


@pytest.mark.parametrize(
    ("body", "content_type", "code"),
    [
        ("{", "application/json", 400),
        ("[]", "application/json", 400),
        ('"x"', "application/json", 400),
        ("a: [", "application/yaml", 400),
        ("k8s\0...", "application/vnd.kubernetes.protobuf", 415),
        ("[" * 100_000, "application/json", 400),
        ('{"kind": "Node"}', "application/json", 400),
        ('{"metadata": 5}', "application/json", 400),
        ('{"metadata": {"name": ["a"]}}', "application/json", 400),
        ("{}", "application/json", 422),
        ("", "application/json", 400),
    ],
)
def test_a_body_that_is_no_pod_is_refused(api: Api, body: str, content_type: str, code: int) -> None:
    response = api.post(PODS, body, content_type)
    assert (response.status_code, response.json()["kind"]) == (code, "Status")


def test_yaml_and_a_body_without_content_type_are_read(api: Api) -> None:
    assert api.post(PODS, "metadata: {name: a}\nspec: {containers: [{name: c, image: x}]}", "application/yaml")
    assert api.post(PODS, a_pod("b"), "").status_code == 201
    assert api.names(PODS) == ["a", "b"]


def test_dry_run_answers_and_writes_nothing(api: Api, cluster: Cluster) -> None:
    version = Cluster.objects.get().resource_version
    assert api.post(f"{PODS}?dryRun=All", a_pod()).json()["metadata"]["uid"]
    assert Cluster.objects.get().resource_version == version
    assert not Pod.objects.exists()


def test_lists_are_selected_by_labels(api: Api, cluster: Cluster) -> None:
    created(cluster, a_pod("a"), a_pod("b"), a_pod("c"))
    for selector, names in (
        ("app=a", ["a"]),
        ("app==a", ["a"]),
        ("app!=a", ["b", "c"]),
        ("app in (a, b)", ["a", "b"]),
        ("app notin (a,b)", ["c"]),
        ("app", ["a", "b", "c"]),
        ("!app", []),
        ("app in (a,b),app!=b", ["a"]),
        ("", ["a", "b", "c"]),
    ):
        assert api.names(PODS, labelSelector=selector) == names
    for broken in ("app in a", "=x", "app=a,,", "app=a b", "a" * 20_000):
        status_of(api.get(PODS, labelSelector=broken), 400, "BadRequest")


def test_lists_are_selected_by_fields(api: Api, cluster: Cluster) -> None:
    created(cluster, a_node("n1"), a_node("n2", unschedulable=True), a_pod("a", nodeName="n1"), a_pod("b"))
    for selector, names in (
        ("spec.nodeName=n1", ["a"]),
        ("spec.nodeName!=n1", ["b"]),
        ("metadata.name=b,status.phase=Pending", ["b"]),
        ("status.phase!=Pending", []),
        ("spec.restartPolicy=Always", ["a", "b"]),
    ):
        assert api.names(PODS, fieldSelector=selector) == names
    assert api.names("/k8s/demo/api/v1/nodes", fieldSelector="spec.unschedulable=true") == ["n2"]
    status_of(api.get(PODS, fieldSelector="spec.containers=x"), 400, "BadRequest")
    status_of(api.get(PODS, fieldSelector="nonsense"), 400, "BadRequest")


def test_lists_come_in_pages(api: Api, cluster: Cluster) -> None:
    created(cluster, *(a_pod(name) for name in "abcde"))
    seen, token, versions = [], "", set()
    while True:
        body = api.get(PODS, limit=2, **({"continue": token} if token else {})).json()
        seen += [item["metadata"]["name"] for item in body["items"]]
        versions.add(body["metadata"]["resourceVersion"])
        token = body["metadata"].get("continue", "")
        if not token:
            break
    assert seen == list("abcde")
    assert len(versions) == 1
    status_of(api.get(PODS, limit=2, **{"continue": "!"}), 400, "BadRequest")
    status_of(api.get(PODS, limit="x"), 400, "BadRequest")


def test_a_list_spans_namespaces_where_none_is_named(api: Api, cluster: Cluster) -> None:
    created(cluster, a_pod("a"), a_pod("b", namespace="kube-system"))
    assert api.names("/k8s/demo/api/v1/pods") == ["a", "b"]
    assert api.names(PODS) == ["a"]


def test_a_merge_patch_changes_and_removes(api: Api) -> None:
    api.post("/k8s/demo/api/v1/nodes", a_node(labels={"disk": "hdd"}))
    path = "/k8s/demo/api/v1/nodes/n1"
    assert api.patch(path, {"spec": {"unschedulable": True}}).json()["spec"] == {"unschedulable": True}
    patched = api.patch(path, {"spec": {"unschedulable": None}, "metadata": {"labels": {"disk": None}}}).json()
    assert patched["spec"] == {}
    assert "disk" not in patched["metadata"]["labels"]


def test_a_strategic_merge_patch_merges_lists_by_their_key(api: Api) -> None:
    api.post(DEPLOYMENTS, a_deployment())
    patch = {
        "spec": {
            "template": {
                "spec": {
                    "$setElementOrder/containers": [{"name": "side"}, {"name": "main"}],
                    "containers": [{"name": "main", "image": "nginx:2"}, {"name": "side", "image": "proxy:1"}],
                }
            }
        }
    }
    spec = api.patch(f"{DEPLOYMENTS}/web", patch, "strategic-merge").json()["spec"]
    assert [(each["name"], each["image"]) for each in spec["template"]["spec"]["containers"]] == [
        ("side", "proxy:1"),
        ("main", "nginx:2"),
    ]
    remove = {"spec": {"template": {"spec": {"containers": [{"name": "side", "$patch": "delete"}]}}}}
    spec = api.patch(f"{DEPLOYMENTS}/web", remove, "strategic-merge").json()["spec"]
    assert [each["name"] for each in spec["template"]["spec"]["containers"]] == ["main"]


def test_a_strategic_merge_patch_replaces_taints(api: Api) -> None:
    api.post("/k8s/demo/api/v1/nodes", a_node())
    path = "/k8s/demo/api/v1/nodes/n1"
    taint = {"key": "k", "value": "v", "effect": "NoSchedule"}
    assert api.patch(path, {"spec": {"taints": [taint]}}, "strategic-merge").json()["spec"]["taints"] == [taint]
    assert "taints" not in api.patch(path, {"spec": {"taints": None}}, "strategic-merge").json()["spec"]


def test_a_json_patch_operates_in_order(api: Api) -> None:
    api.post(DEPLOYMENTS, a_deployment())
    operations = [
        {"op": "test", "path": "/spec/replicas", "value": 1},
        {"op": "replace", "path": "/spec/replicas", "value": 2},
        {"op": "add", "path": "/metadata/labels/a~1b", "value": "c"},
    ]
    patched = api.patch(f"{DEPLOYMENTS}/web", operations, "json").json()
    assert (patched["spec"]["replicas"], patched["metadata"]["labels"]["a/b"]) == (2, "c")
    status_of(api.patch(f"{DEPLOYMENTS}/web", operations, "json"), 422, "Invalid")
    status_of(api.patch(f"{DEPLOYMENTS}/web", [{"op": "eat", "path": "/spec"}], "json"), 400, "BadRequest")


def test_a_patch_of_another_type_is_unsupported(api: Api) -> None:
    api.post(PODS, a_pod())
    status_of(api.send("PATCH", f"{PODS}/web", {}, "application/json"), 415, "UnsupportedMediaType")


def test_a_patch_cannot_rename_or_break_an_object(api: Api) -> None:
    api.post(PODS, a_pod())
    status_of(api.patch(f"{PODS}/web", {"metadata": {"name": "other"}}), 400, "BadRequest")
    status_of(api.patch(f"{PODS}/web", {"spec": {"containers": 5}}), 400, "BadRequest")
    status_of(api.patch(f"{PODS}/web", {"spec": {"schedulerName": "other"}}), 422, "Invalid")
    status_of(api.patch(f"{PODS}/web", "[]"), 400, "BadRequest")
    assert api.get(f"{PODS}/web").json()["spec"]["schedulerName"] == "default-scheduler"


def test_scale_is_read_patched_and_replaced(api: Api) -> None:
    api.post(DEPLOYMENTS, a_deployment())
    path = f"{DEPLOYMENTS}/web/scale"
    scale = api.get(path).json()
    assert (scale["kind"], scale["spec"], scale["status"]["selector"]) == ("Scale", {"replicas": 1}, "app=web")
    assert api.patch(path, {"spec": {"replicas": 3}}).json()["spec"] == {"replicas": 3}
    assert api.send("PUT", path, {**scale, "spec": {"replicas": 9}}).status_code == 409
    assert api.get(f"{DEPLOYMENTS}/web").json()["spec"]["replicas"] == 3
    status_of(api.patch(path, {"spec": {"replicas": -1}}), 422, "Invalid")
    status_of(api.get(f"{PODS}/web/scale"), 404, "NotFound")


def binding(node: str, **metadata: Any) -> dict[str, Any]:
    target = {"apiVersion": "v1", "kind": "Node", "name": node}
    return {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "web", **metadata}, "target": target}


def test_a_pod_is_bound_once(api: Api) -> None:
    api.post(PODS, a_pod())
    assert api.post(f"{PODS}/web/binding", binding("n1")).json()["status"] == "Success"
    pod = api.get(f"{PODS}/web").json()
    assert pod["spec"]["nodeName"] == "n1"
    assert [each["type"] for each in pod["status"]["conditions"]] == ["PodScheduled"]
    status = status_of(api.post(f"{PODS}/web/binding", binding("n2")), 409, "Conflict")
    assert 'already assigned to node "n1"' in status["message"]


def test_a_binding_that_cannot_be_is_refused(api: Api) -> None:
    api.post(PODS, a_pod(schedulingGates=[{"name": "wait"}]))
    status_of(api.post(f"{PODS}/web/binding", binding("n1")), 409, "Conflict")
    status_of(api.post(f"{PODS}/gone/binding", binding("n1", name="gone")), 404, "NotFound")
    status_of(api.post(f"{PODS}/web/binding", binding("n1", uid="x")), 409, "Conflict")
    status_of(api.post(f"{PODS}/web/binding", binding("")), 422, "Invalid")
    status_of(api.post(f"{PODS}/web/binding", {"kind": "Binding"}), 400, "BadRequest")


def a_budget(minimum: int) -> dict[str, Any]:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "keep", "namespace": "default"},
        "spec": {"minAvailable": minimum, "selector": {"matchLabels": {"app": "web"}}},
    }


def test_an_eviction_asks_the_budget(api: Api, cluster: Cluster) -> None:
    created(cluster, a_node(), a_pod(nodeName="n1"), a_budget(1))
    ready = {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}
    api.patch(f"{PODS}/web/status", ready)
    eviction = {"kind": "Eviction", "apiVersion": "policy/v1", "metadata": {"name": "web"}, "deleteOptions": {}}
    status = status_of(api.post(f"{PODS}/web/eviction", eviction), 429, "TooManyRequests")
    assert "needs 1 healthy pods and has 1 currently" in status["details"]["causes"][0]["message"]
    # Else clients would retry in silence, and kubectl could not say what it waits for.
    assert "retryAfterSeconds" not in status["details"]
    budget = "/k8s/demo/apis/policy/v1/namespaces/default/poddisruptionbudgets/keep"
    api.patch(budget, {"spec": {"minAvailable": 0}})
    assert api.post(f"{PODS}/web/eviction", eviction).status_code == 201
    assert api.get(f"{PODS}/web").json()["metadata"]["deletionTimestamp"]


def test_a_collection_is_deleted_by_selector(api: Api, cluster: Cluster) -> None:
    created(cluster, a_pod("a"), a_pod("b"))
    assert len(api.send("DELETE", f"{PODS}?labelSelector=app%3Da").json()["items"]) == 1
    assert api.names(PODS) == ["b"]


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/k8s/nope/api/v1/pods", 404),
        ("GET", "/k8s/demo/api/v1/widgets", 404),
        ("GET", "/k8s/demo/apis/apps/v1beta1/deployments", 404),
        ("GET", "/k8s/demo/api/v1/namespaces/default/nodes", 404),
        ("GET", "/k8s/demo/api/v1/namespaces/default/pods/a/nothing", 404),
        ("GET", "/k8s/demo/nothing", 404),
        ("POST", "/k8s/demo/api/v1/pods", 405),
        ("PUT", "/k8s/demo/api/v1/pods", 405),
        ("POST", "/k8s/demo/api/v1/namespaces/default/pods/a", 405),
        ("DELETE", "/k8s/demo/api/v1/namespaces/default/pods/a/status", 405),
    ],
)
def test_what_is_not_there_is_told_as_a_status(api: Api, method: str, path: str, code: int) -> None:
    response = api.send(method, path, {})
    assert (response.status_code, response.json()["kind"]) == (code, "Status")


def test_discovery_lists_every_kind_in_both_forms(api: Api) -> None:
    core = {each["name"]: each for each in api.get("/k8s/demo/api/v1").json()["resources"]}
    assert core["pods"]["shortNames"] == ["po"]
    assert (core["pods/eviction"]["group"], core["pods/eviction"]["kind"]) == ("policy", "Eviction")
    groups = {group["name"] for group in api.get("/k8s/demo/apis").json()["groups"]}
    assert {"apps", "policy", "storage.k8s.io", "resource.k8s.io"} <= groups
    accept = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"
    response = api.client.get("/k8s/demo/apis", headers={"accept": accept})
    assert response.json()["apiVersion"] == "apidiscovery.k8s.io/v2beta1"
    assert response.headers["content-type"].startswith("application/json;g=apidiscovery.k8s.io;v=v2beta1")
    plurals = {
        each["resource"] for item in response.json()["items"] for v in item["versions"] for each in v["resources"]
    }
    assert "deployments" in plurals
    assert api.get("/k8s/demo/version").json()["gitVersion"] == "v1.34.1"


def test_an_internal_error_shows_nothing_of_its_inside(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("playground.kubernetes_api.reads.get", broken)
    response = api.get(f"{PODS}/web")
    assert response.status_code == 500
    assert b"secret detail" not in response.content


def test_a_watch_from_before_the_feed_is_expired(api: Api, cluster: Cluster, settings: Any) -> None:
    settings.PLAYGROUND_FEED_LENGTH = 2
    for name in "abcdef":
        created(cluster, a_pod(name))
    status = status_of(api.get(PODS, watch="true", resourceVersion=1), 410, "Expired")
    assert "too old resource version" in status["message"]


@pytest.mark.parametrize("path", [PODS, f"{PODS}/web"])
@pytest.mark.parametrize("watch", ["true", "false"])
def test_a_version_from_the_future_is_refused_as_kubernetes_does(
    api: Api, cluster: Cluster, caplog: pytest.LogCaptureFixture, path: str, watch: str
) -> None:
    created(cluster, a_pod("web"))
    status = status_of(api.get(path, watch=watch, resourceVersion=10**9), 504, "Timeout")
    assert status["message"].startswith("Timeout: Too large resource version: 1000000000, current: ")
    assert status["details"]["causes"][0]["reason"] == "ResourceVersionTooLarge"
    assert status["details"]["retryAfterSeconds"] == 1
    assert not caplog.records


def test_a_field_selector_is_read_whole_or_refused(api: Api) -> None:
    selector = ",".join(["metadata.name!=x"] * 1_000)
    status_of(api.get(PODS, fieldSelector=selector), 400, "BadRequest")
