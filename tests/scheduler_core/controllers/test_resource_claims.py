"""Device claims are made from templates and released when their pods are gone."""

from __future__ import annotations

from typing import Any

from scheduler_core.objects.manifest import Manifest
from tests.scheduler_core.controllers.cluster import TinyCluster

REQUESTS = {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu"}}]}}


def pod(name: str = "p", **entry: str) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"containers": [], "resourceClaims": [{"name": "gpu", **entry}]},
    }


def template() -> Manifest:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "one-gpu", "namespace": "default"},
        "spec": {"metadata": {"labels": {"team": "a"}}, "spec": REQUESTS},
    }


def claim(**status: Any) -> Manifest:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "shared", "namespace": "default"},
        "spec": REQUESTS,
        "status": status,
    }


def settled(*manifests: Manifest) -> TinyCluster:
    cluster = TinyCluster()
    for manifest in manifests:
        cluster.store.create(manifest)
    cluster.settle()
    return cluster


def user(cluster: TinyCluster, name: str) -> Manifest:
    return {"resource": "pods", "name": name, "uid": cluster.get("Pod", name)["metadata"]["uid"]}


def test_a_claim_is_made_and_named_in_the_status_of_the_pod() -> None:
    cluster = settled(template(), pod(resourceClaimTemplateName="one-gpu"))
    made = cluster.only("ResourceClaim")
    assert made["spec"] == REQUESTS
    assert made["metadata"]["labels"] == {"team": "a"}
    assert made["metadata"]["name"].startswith("p-gpu-")
    statuses = cluster.get("Pod", "p")["status"]["resourceClaimStatuses"]
    assert statuses == [{"name": "gpu", "resourceClaimName": made["metadata"]["name"]}]


def test_it_is_made_once_however_often_somebody_looks() -> None:
    cluster = settled(template(), pod(resourceClaimTemplateName="one-gpu"))
    cluster.restart_controllers()
    cluster.settle()
    assert len(cluster.store.list("ResourceClaim")) == 1


def test_a_pod_waits_for_its_template() -> None:
    cluster = settled(pod(resourceClaimTemplateName="one-gpu"))
    (message,) = cluster.event_messages("FailedResourceClaimCreation")
    assert 'resourceclaimtemplate.resource.k8s.io "one-gpu" not found' in message
    cluster.store.create(template())
    cluster.settle()
    assert len(cluster.store.list("ResourceClaim")) == 1


def test_a_generated_claim_goes_with_its_pod_and_with_its_end() -> None:
    for end in ("gone", "finished"):
        cluster = settled(template(), pod(resourceClaimTemplateName="one-gpu"))
        if end == "gone":
            cluster.store.delete_many([cluster.get("Pod", "p")])
        else:
            cluster.finish(cluster.get("Pod", "p"), "Succeeded")
        cluster.settle()
        assert cluster.store.list("ResourceClaim") == []


def test_devices_are_free_when_the_last_pod_that_reserved_them_is_gone() -> None:
    cluster = settled(pod("a", resourceClaimName="shared"), pod("b", resourceClaimName="shared"))
    allocation = {"devices": {"results": []}}
    cluster.store.create(claim(allocation=allocation, reservedFor=[user(cluster, "a"), user(cluster, "b")]))
    cluster.settle()
    cluster.store.delete_many([cluster.get("Pod", "a")])
    cluster.settle()
    status = cluster.only("ResourceClaim")["status"]
    assert status == {"allocation": allocation, "reservedFor": [user(cluster, "b")]}
    cluster.finish(cluster.get("Pod", "b"), "Failed")
    cluster.settle()
    assert cluster.only("ResourceClaim")["status"] == {}


def test_an_allocation_nobody_reserved_yet_stays() -> None:
    cluster = settled(claim(allocation={"devices": {"results": []}}))
    assert "allocation" in cluster.only("ResourceClaim")["status"]
