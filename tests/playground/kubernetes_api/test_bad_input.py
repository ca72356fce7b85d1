"""Whatever a client sends, the answer is a 2xx or a 4xx that says what is wrong."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playground.clusters.kinds import KINDS
from playground.clusters.models import Cluster
from tests.playground.builders import a_cluster, a_deployment, a_node, a_pod

pytestmark = pytest.mark.django_db

Json = Any

RICH_POD = a_pod(
    nodeSelector={"disk": "ssd"},
    affinity={
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}]
            },
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {
                    "weight": 5,
                    "preference": {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]},
                }
            ],
        },
        "podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [
                {"topologyKey": "zone", "labelSelector": {"matchLabels": {"a": "b"}}, "matchLabelKeys": ["app"]}
            ]
        },
    },
    tolerations=[{"key": "k", "operator": "Exists", "effect": "NoSchedule"}],
    topologySpreadConstraints=[
        {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}}
    ],
    volumes=[{"name": "v", "emptyDir": {}}],
    initContainers=[{"name": "init", "image": "x", "ports": [{"containerPort": 80, "hostPort": 80}]}],
    overhead={"cpu": "10m"},
    schedulingGates=[{"name": "g"}],
    resourceClaims=[{"name": "c", "resourceClaimName": "d"}],
)
OWNED_JOB = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"name": "j", "ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u"}]},
    "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "x"}]}}},
}
BUDGET = {
    "apiVersion": "policy/v1",
    "kind": "PodDisruptionBudget",
    "metadata": {"name": "b"},
    "spec": {"minAvailable": "50%", "selector": {"matchExpressions": [{"key": "a", "operator": "Exists"}]}},
}
CLAIM = {
    "apiVersion": "v1",
    "kind": "PersistentVolumeClaim",
    "metadata": {"name": "c"},
    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
}
SERVICE = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "s"},
    "spec": {"ports": [{"port": 80, "targetPort": "http"}]},
}
EVENT = {
    "apiVersion": "v1",
    "kind": "Event",
    "metadata": {"name": "e"},
    "involvedObject": {"kind": "Pod", "name": "p", "uid": "u"},
}
GOOD = [
    RICH_POD,
    a_node(taints=[{"key": "a", "effect": "NoSchedule"}]),
    a_deployment(),
    OWNED_JOB,
    BUDGET,
    CLAIM,
    SERVICE,
    EVENT,
]

odd_values = st.sampled_from(
    [None, True, 0, -1, 2**70, 1.5, "", "x", "-", "a" * 300, "1.5.2", "\u0000", "\u2603", [], [[]], {}, {"": 1},
     [None], {"a": {"b": []}}, "Always", "9999999999", "50%", ["x", "x"]]
)  # fmt: skip


def places(value: Json, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    if isinstance(value, dict):
        found += [place for key, inner in value.items() for place in places(inner, (*path, key))]
    elif isinstance(value, list):
        found += [place for i, inner in enumerate(value) for place in places(inner, (*path, i))]
    return found


def changed(value: Json, path: tuple[Any, ...], odd: Json) -> Json:
    if not path:
        return odd
    copy = deepcopy(value)
    parent = copy
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = odd
    return copy


@st.composite
def broken_manifests(draw: st.DrawFn) -> tuple[str, Json]:
    """A good manifest with one or two places that are not what they should be."""
    manifest = draw(st.sampled_from(GOOD))
    kind = manifest["kind"]
    for _ in range(draw(st.integers(1, 2))):
        manifest = changed(manifest, draw(st.sampled_from(places(manifest))), draw(odd_values))
    return kind, manifest


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def collection(kind: str) -> str:
    described = KINDS[kind]
    root = "apis" if described.group else "api"
    scope = "namespaces/default/" if described.namespaced else ""
    return f"/k8s/demo/{root}/{described.api_version}/{scope}{described.plural}"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(broken_manifests())
def test_a_broken_object_is_refused_and_never_an_internal_error(
    client: Client, cluster: Cluster, broken: tuple[str, Json]
) -> None:
    kind, manifest = broken
    for query in ("?dryRun=All", "?dryRun=All&fieldValidation=Ignore"):
        response = client.post(collection(kind) + query, json.dumps(manifest), content_type="application/json")
        assert response.status_code in range(200, 500), response.content
        if response.status_code >= 400:
            assert response.json()["message"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(broken_manifests())
def test_a_broken_document_costs_only_itself(client: Client, cluster: Cluster, broken: tuple[str, Json]) -> None:
    good = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "good"}})
    text = f"---\n{json.dumps(broken[1])}\n---\n{good}\n"
    response = client.post("/api/clusters/demo/apply/", text, content_type="application/yaml")
    assert response.status_code == 200, response.content
    results = response.json()["results"]
    assert results[-1]["result"] in ("created", "unchanged")
    assert not any("internal error" in each["error"]["message"] for each in results if each["error"])


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(broken_manifests(), st.sampled_from(["merge", "strategic-merge", "json"]))
def test_a_broken_patch_is_refused_and_never_an_internal_error(
    client: Client, cluster: Cluster, broken: tuple[str, Json], kind: str
) -> None:
    good = next(each for each in GOOD if each["kind"] == broken[0])
    client.post(collection(broken[0]), json.dumps(good), content_type="application/json")
    path = f"{collection(broken[0])}/{good['metadata']['name']}?dryRun=All"
    patch = [{"op": "add", "path": "/spec", "value": broken[1]}] if kind == "json" else broken[1]
    response = client.patch(path, json.dumps(patch), content_type=f"application/{kind}-patch+json")
    assert response.status_code in range(200, 500), response.content


@pytest.mark.parametrize(
    "path",
    [
        "/k8s/demo/api/v1/namespaces/default/pods/%00",
        "/k8s/demo/api/v1/pods?fieldSelector=metadata.name%3D%00",
        "/k8s/demo/api/v1/pods?labelSelector=%00",
        "/k8s/demo/api/v1/pods?limit=-1",
        "/k8s/demo/api/v1/pods?limit=99999999999999999999",
        "/k8s/demo/api/v1/pods?continue=eyJ2ZXJzaW9uIjoxLCJuYW1lc3BhY2UiOiJcdTAwMDAiLCJuYW1lIjoiYSJ9",
        "/k8s/demo/api/v1/pods?watch=1&resourceVersion=x",
        "/k8s/demo/%2e%2e/%2e%2e/etc/passwd",
    ],
)
def test_an_odd_address_is_a_4xx(client: Client, cluster: Cluster, path: str) -> None:
    assert client.get(path).status_code in range(400, 500)
