"""PodGroups, as kubectl sees them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from playground.clusters.models import Cluster
from tests.playground.builders import a_cluster

pytestmark = pytest.mark.django_db

VERSION = "scheduling.x-k8s.io/v1alpha1"
YAML = """
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: PodGroup
metadata: {name: gang}
spec:
  minMember: 3
  scheduleTimeoutSeconds: 10
  minResources: {cpu: 2, memory: 1Gi}
"""


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


@pytest.fixture
def path(cluster: Cluster) -> str:
    return f"/k8s/{cluster.slug}/apis/{VERSION}/namespaces/default/podgroups"


def create(client: Client, path: str, **spec: Any) -> Any:
    body = {"apiVersion": VERSION, "kind": "PodGroup", "metadata": {"name": "gang"}, "spec": spec}
    return client.post(path, json.dumps(body), content_type="application/json")


def test_discovery_lists_the_group(client: Client, cluster: Cluster) -> None:
    groups = client.get(f"/k8s/{cluster.slug}/apis").json()["groups"]
    assert "scheduling.x-k8s.io" in {group["name"] for group in groups}
    resources = client.get(f"/k8s/{cluster.slug}/apis/{VERSION}").json()["resources"]
    assert [each["name"] for each in resources] == ["podgroups", "podgroups/status"]
    assert (resources[0]["namespaced"], resources[0]["shortNames"]) == (True, ["pg", "pgs"])


def test_one_is_applied_read_and_deleted(client: Client, cluster: Cluster, path: str) -> None:
    applied = client.post(f"/api/clusters/{cluster.slug}/apply/", YAML, content_type="application/yaml")
    assert [each["result"] for each in applied.json()["results"]] == ["created"]
    found = client.get(f"{path}/gang").json()
    assert found["spec"] == {
        "minMember": 3,
        "scheduleTimeoutSeconds": 10,
        "minResources": {"cpu": "2", "memory": "1Gi"},
    }
    assert [each["metadata"]["name"] for each in client.get(path).json()["items"]] == ["gang"]
    assert client.delete(f"{path}/gang").status_code == 200
    assert client.get(f"{path}/gang").status_code == 404


@pytest.mark.parametrize("least", [0, -1])
def test_a_gang_has_at_least_one_member(client: Client, path: str, least: int) -> None:
    answer = create(client, path, minMember=least)
    assert answer.status_code == 422
    assert answer.json()["message"] == (
        f'PodGroup.scheduling.x-k8s.io "gang" is invalid: spec.minMember: Invalid value: {least}: '
        "spec.minMember in body should be greater than or equal to 1"
    )


@pytest.mark.parametrize(
    ("spec", "path_of_mistake"),
    [
        ({"minMember": "three"}, "spec.minMember"),
        ({"minMember": 2**31}, "spec.minMember"),
        ({"minMember": 1, "minResources": {"cpu": "much"}}, "spec.minResources[cpu]"),
        ({"minMember": 1, "minResources": ["cpu"]}, "spec.minResources"),
    ],
)
def test_what_is_of_another_shape_is_refused_at_its_field(
    client: Client, path: str, spec: dict[str, Any], path_of_mistake: str
) -> None:
    answer = create(client, path, **spec)
    assert answer.status_code == 400
    assert path_of_mistake in json.dumps(answer.json())
