"""/api/ of clusters, as scripts and the page use it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from playground.clusters.models import Cluster, Node, Pod
from playground.clusters.services.from_preset import preset_get

pytestmark = pytest.mark.django_db

ONLINE_BOUTIQUE = Path(__file__).parents[4] / "shared" / "data" / "online-boutique.yaml"
KIND_FILE = """
kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
name: shop
nodes:
- role: control-plane
- role: worker
  labels: {disk: ssd}
- role: worker
  kubeadmConfigPatches:
  - |
    kind: JoinConfiguration
    nodeRegistration:
      kubeletExtraArgs:
        node-labels: "tier=front,zone=a"
      taints:
      - key: dedicated
        value: gpu
        effect: NoSchedule
- role: worker
"""


def post(client: Client, path: str, body: Any, **headers: Any) -> Any:
    return client.post(path, body, content_type="application/json", **headers)


def make(client: Client, **wanted: Any) -> dict[str, Any]:
    response = post(client, "/api/clusters/", wanted)
    assert response.status_code == 201, response.content
    answer: dict[str, Any] = response.json()
    return answer


def apply(client: Client, text: str, cluster: str = "demo") -> list[dict[str, Any]]:
    response = client.post(f"/api/clusters/{cluster}/apply/", text, content_type="application/yaml")
    assert response.status_code == 200, response.content
    results: list[dict[str, Any]] = response.json()["results"]
    return results


def error_of(response: Any, status: int) -> dict[str, Any]:
    assert response.status_code == status, response.content
    error: dict[str, Any] = response.json()["error"]
    return error


def test_a_cluster_is_made_read_listed_and_deleted(client: Client) -> None:
    made = make(client, name="My Demo", seed=7)
    assert (made["id"], made["name"], made["seed"], made["nodes"], made["state"]) == (
        "my-demo",
        "My Demo",
        7,
        0,
        "running",
    )
    assert client.get("/api/clusters/my-demo/").json() == made
    assert [each["id"] for each in client.get("/api/clusters/").json()["results"]] == ["my-demo"]
    assert client.delete("/api/clusters/my-demo/").status_code == 204
    assert not Cluster.objects.exists()
    error_of(client.get("/api/clusters/my-demo/"), 404)


def test_a_name_is_taken_once(client: Client) -> None:
    make(client, name="demo")
    error = error_of(post(client, "/api/clusters/", {"name": "demo"}), 409)
    assert (error["code"], error["details"][0]["path"]) == ("AlreadyExists", "name")


def test_every_preset_makes_the_cluster_it_promises(client: Client) -> None:
    presets = client.get("/api/presets/").json()
    assert "sample-shop" in {preset["id"] for preset in presets}
    for preset in presets:
        if preset["id"] == "nodes-1000":
            continue
        made = make(client, name=preset["id"], preset=preset["id"])
        manifests = preset_get(preset["id"]).manifests("demo")
        # The others are made by controllers.
        pods_made_by_hand = sum(manifest["kind"] == "Pod" for manifest in manifests)
        assert (made["nodes"], made["pods"]) == (preset["nodes"], pods_made_by_hand)
        assert made["preset"] == preset["id"]


def test_a_kind_file_makes_the_nodes_kind_would(client: Client) -> None:
    make(client, kind_config=KIND_FILE)
    nodes = {node.name: node.manifest for node in Node.objects.filter(cluster__slug="shop")}
    assert sorted(nodes) == ["shop-control-plane", "shop-worker", "shop-worker2", "shop-worker3"]
    assert nodes["shop-control-plane"]["spec"]["taints"] == [
        {"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}
    ]
    assert nodes["shop-worker"]["metadata"]["labels"]["disk"] == "ssd"
    assert nodes["shop-worker2"]["metadata"]["labels"]["tier"] == "front"
    assert nodes["shop-worker2"]["spec"]["taints"] == [{"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}]
    assert nodes["shop-worker3"]["metadata"]["labels"]["kubernetes.io/hostname"] == "shop-worker3"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n- role: boss\n", "nodes[0].role"),
        ("kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n- rolle: worker\n", "nodes[0].rolle"),
        ("kind: Cluster\napiVersion: v1\n", "apiVersion"),
        ("kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes: [{role: worker}]\n", "nodes"),
        ("kind: [", ""),
        ("kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes: [{labels: {-x: a}}]", "metadata.labels"),
    ],
)
def test_a_broken_kind_file_is_refused_by_its_path_and_leaves_nothing(client: Client, text: str, path: str) -> None:
    response = post(client, "/api/clusters/", {"name": "demo", "kind_config": text})
    assert response.status_code in (400, 422)
    assert path in [detail["path"] for detail in response.json()["error"]["details"]]
    assert not Cluster.objects.exists()


@pytest.mark.parametrize(
    ("body", "status"),
    [({"name": "!!"}, 422), ({"preset": "nope"}, 422), ({"seed": "x"}, 422), ([], 400), ({"settings": {"x": 1}}, 422)],
)
def test_a_cluster_that_cannot_be_made_is_refused(client: Client, body: Any, status: int) -> None:
    error_of(post(client, "/api/clusters/", body), status)
    assert not Cluster.objects.exists()


def test_templates_can_be_dropped_as_they_are(client: Client) -> None:
    make(client, name="demo", preset="three-zones")
    templates = client.get("/api/templates/").json()
    assert {template["kind"] for template in templates} == {"Pod", "Node"}
    for template in templates:
        plural = "namespaces/default/pods" if template["kind"] == "Pod" else "nodes"
        response = post(client, f"/k8s/demo/api/v1/{plural}", template["manifest"])
        assert response.status_code == 201, response.content
    labels = Node.objects.get(name__startswith="spot-").manifest["metadata"]["labels"]
    assert labels["kubernetes.io/hostname"].startswith("spot-")


def test_the_sample_shop_is_a_dozen_deployments_with_services(client: Client) -> None:
    make(client, name="demo", preset="sample-shop")
    deployments = client.get("/k8s/demo/apis/apps/v1/deployments").json()["items"]
    services = client.get("/k8s/demo/api/v1/services").json()["items"]
    assert (len(deployments), len(services)) == (12, 12)


@pytest.mark.skipif(not ONLINE_BOUTIQUE.exists(), reason="Online Boutique's manifests are not here")
def test_online_boutique_is_applied_whole_and_a_second_time_changes_nothing(client: Client) -> None:
    make(client, name="demo", preset="kind-1-3")
    text = ONLINE_BOUTIQUE.read_text()
    assert {result["result"] for result in apply(client, text)} == {"created"}
    assert {result["result"] for result in apply(client, text)} == {"unchanged"}


STREAM = """
apiVersion: v1
kind: Pod
metadata: {name: typo}
spec:
  containers:
  - name: c
    image: x
    resources: {requests: {cpu: 1.5.2}}
---
foo: [1, 2
---
apiVersion: v1
kind: Pod
metadata: {name: good}
spec:
  containers: [{name: c, image: x}]
---
# nothing here
---
apiVersion: v1
kind: Widget
metadata: {name: w}
---
apiVersion: v1
kind: Pod
metadata: {name: lost, namespace: nowhere}
spec:
  containers: [{name: c, image: x}]
---
apiVersion: v1
kind: Pod
metadata: {name: twice}
metadata: {name: again}
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: one}, data: {a: 1}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: two}, data: {a: "1"}}
"""


def test_a_broken_document_is_told_with_its_number_path_and_line_and_the_others_are_applied(client: Client) -> None:
    make(client, name="demo")
    told = [
        (each["document"], each["result"], each["error"] and (each["error"]["path"], each["error"]["line"]))
        for each in apply(client, STREAM)
    ]
    assert told == [
        (1, "error", ("spec.containers[0].resources.requests[cpu]", 9)),
        (2, "error", ("", 12)),
        (3, "created", None),
        (4, "error", ("kind", 22)),
        (5, "error", ("", 25)),
        (6, "error", ("metadata", 34)),
        (7, "error", ("items[0].data[a]", 39)),
        (7, "created", None),
    ]
    assert list(Pod.objects.values_list("name", flat=True)) == ["good"]


def test_apply_configures_what_changed_and_takes_back_what_is_gone(client: Client) -> None:
    make(client, name="demo")
    first = "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, labels: {a: x, b: y}}, data: {k: v}}"
    second = "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, labels: {a: z}}, data: {k: v}}"
    assert [each["result"] for text in (first, first, second) for each in apply(client, text)] == [
        "created",
        "unchanged",
        "configured",
    ]
    path = "/k8s/demo/api/v1/namespaces/default/configmaps/c"
    client.patch(path, {"metadata": {"labels": {"by": "hand"}}}, content_type="application/merge-patch+json")
    apply(client, first)
    assert client.get(path).json()["metadata"]["labels"] == {"a": "x", "b": "y", "by": "hand"}


def test_apply_sets_a_nodes_size(client: Client) -> None:
    make(client, name="demo")
    text = "{{apiVersion: v1, kind: Node, metadata: {{name: n}}, status: {{allocatable: {{cpu: '{cpu}'}}}}}}"
    assert [each["result"] for cpu in (2, 8, 8) for each in apply(client, text.format(cpu=cpu))] == [
        "created",
        "configured",
        "unchanged",
    ]
    assert Node.objects.get().manifest["status"]["allocatable"]["cpu"] == "8"


def test_apply_says_which_field_of_a_pod_cannot_change(client: Client) -> None:
    make(client, name="demo")
    text = (
        "{{apiVersion: v1, kind: Pod, metadata: {{name: p}},"
        " spec: {{schedulerName: {name}, containers: [{{name: c, image: x}}]}}}}"
    )
    apply(client, text.format(name="one"))
    (result,) = apply(client, text.format(name="two"))
    assert result["error"]["path"] == "spec.schedulerName"


def test_what_admission_added_to_a_pod_is_no_change_when_it_is_applied_again(client: Client) -> None:
    make(client, name="demo")
    text = """
apiVersion: v1
kind: Pod
metadata: {name: p, labels: {app: p}}
spec:
  containers: [{name: c, image: x, ports: [{containerPort: 80}], resources: {limits: {cpu: 1}}}]
  tolerations: [{key: gpu, operator: Exists}]
  affinity:
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - {topologyKey: zone, labelSelector: {matchLabels: {a: b}}, matchLabelKeys: [app]}
  topologySpreadConstraints:
  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {}, matchLabelKeys: [app]}
"""
    assert [each["result"] for _ in range(2) for each in apply(client, text)] == ["created", "unchanged"]


def test_an_alias_bomb_is_refused(client: Client) -> None:
    make(client, name="demo")
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10)]
    (result,) = apply(client, "\n".join(lines))
    assert "aliases" in result["error"]["message"]


def test_a_deep_document_is_refused(client: Client) -> None:
    make(client, name="demo")
    for deep in ("[" * 5000, "[" * 500 + "]" * 500, "{a: " * 200 + "1" + "}" * 200):
        (result,) = apply(client, f"a: {deep}")
        assert result["result"] == "error"


def test_too_many_documents_are_refused_as_a_whole(client: Client) -> None:
    make(client, name="demo")
    response = client.post("/api/clusters/demo/apply/", "---\na: 1\n" * 2001, content_type="application/yaml")
    error_of(response, 413)


@pytest.mark.parametrize("path", ["/api/clusters/demo/apply/", "/api/clusters/", "/k8s/demo/api/v1/nodes"])
def test_a_body_of_five_megabytes_is_refused(client: Client, path: str) -> None:
    make(client, name="demo")
    response = client.post(path, "x" * 5_000_000, content_type="application/yaml")
    assert response.status_code == 413


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "/api/clusters/nope/", 404),
        ("post", "/api/clusters/nope/apply/", 404),
        ("put", "/api/clusters/", 405),
        ("get", "/api/nothing/", 404),
        ("get", "/api/clusters/not a slug/", 404),
    ],
)
def test_what_is_not_there_is_told_as_json(client: Client, method: str, path: str, status: int) -> None:
    error_of(getattr(client, method)(path), status)


def test_malformed_json_is_a_bad_request(client: Client) -> None:
    error = error_of(client.post("/api/clusters/", '{"name": ', content_type="application/json"), 400)
    assert "not JSON" in error["message"]


def test_a_body_without_a_content_type_is_json(client: Client) -> None:
    response = client.generic("POST", "/api/clusters/", b'{"name": "demo"}', content_type="")
    assert response.status_code == 201


def test_a_page_of_another_origin_may_read_but_not_write(client: Client) -> None:
    foreign = {"HTTP_ORIGIN": "http://evil.example"}
    assert error_of(post(client, "/api/clusters/", {"name": "demo"}, **foreign), 403)["code"] == "Forbidden"
    assert client.get("/api/clusters/", **foreign).status_code == 200  # type: ignore[arg-type]
    own = {"HTTP_ORIGIN": "http://testserver", "HTTP_HOST": "testserver"}
    assert post(client, "/api/clusters/", {"name": "demo"}, **own).status_code == 201


def test_another_host_name_is_refused(client: Client) -> None:
    assert client.get("/api/clusters/", headers={"host": "evil.example"}).status_code == 400


@pytest.mark.parametrize("number", [2**31, 2**63, 10**22, "9" * 5_000])
@pytest.mark.parametrize("path", ["/api/clusters/", "/api/clusters/demo/decisions/"])
def test_pages_may_be_asked_for_with_any_number(client: Client, path: str, number: int | str) -> None:
    post(client, "/api/clusters/", {"name": "demo"})
    for parameter in ("limit", "offset"):
        assert client.get(path, {parameter: number}).status_code == 200
