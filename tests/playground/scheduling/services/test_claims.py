"""Scheduler, volume and claim controllers and kubelets together: a pod with claims ends Running."""

from __future__ import annotations

from typing import Any

import pytest

from playground.clusters.models import Cluster, Pod
from playground.clusters.selectors import object_get, object_list
from playground.controllers.services.run import controllers_run
from playground.controllers.session import sessions
from playground.live import followers
from playground.scheduling.models import Binding
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.scheduling.driving import Worker, advance

pytestmark = pytest.mark.django_db

Json = dict[str, Any]


class Town:
    """Every worker of a cluster, taking turns."""

    def __init__(self) -> None:
        self.cluster: Cluster = a_cluster()
        self.worker = Worker(self.cluster)
        # A rolled-back test's cluster id is given out again.
        sessions.drop(self.cluster.pk)

    def create(self, *manifests: Json) -> None:
        created(self.cluster, *manifests)

    def live(self, seconds: float) -> None:
        for _ in range(round(seconds)):
            self.worker.work()
            self.worker.run_bindings(list(Binding.objects.values_list("sequence", flat=True)))
            with followers.only():
                controllers_run(cluster_id=self.cluster.pk)
            advance(self.cluster, 1.0)

    def get(self, kind: str, name: str) -> Json:
        found = object_get(self.cluster.pk, kind, "default", name)
        assert found is not None
        return found

    def phase(self, name: str) -> tuple[str, str]:
        pod = Pod.objects.get(name=name)
        return pod.phase, pod.node_name


@pytest.fixture
def town() -> Town:
    return Town()


def a_class(mode: str) -> Json:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "disks"},
        "provisioner": "rancher.io/local-path",
        "volumeBindingMode": mode,
    }


def a_claim() -> Json:
    spec = {
        "accessModes": ["ReadWriteOnce"],
        "storageClassName": "disks",
        "resources": {"requests": {"storage": "1Gi"}},
    }
    metadata = {"name": "data", "namespace": "default"}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec}


def with_claim(**spec: Any) -> Json:
    return a_pod("web", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}], **spec)


def host(name: str) -> Json:
    return a_node(name, labels={"kubernetes.io/hostname": name})


@pytest.mark.parametrize("mode", ["WaitForFirstConsumer", "Immediate"])
def test_a_pod_with_a_claim_of_a_class_runs(town: Town, mode: str) -> None:
    town.create(a_class(mode), a_claim(), host("n1"), with_claim())
    town.live(seconds=12)
    assert town.phase("web") == ("Running", "n1")
    assert town.get("PersistentVolumeClaim", "data")["status"]["phase"] == "Bound"
    (volume,) = object_list(town.cluster.pk, "PersistentVolume")
    assert volume["status"]["phase"] == "Bound"


def test_h5_a_pod_bound_past_the_scheduler_waits_for_a_claim_that_nobody_selects_a_node_for(town: Town) -> None:
    town.create(a_class("WaitForFirstConsumer"), a_claim(), host("n1"), with_claim(nodeName="n1"))
    town.live(seconds=8)
    assert town.phase("web") == ("Pending", "n1")
    claim = town.get("PersistentVolumeClaim", "data")
    assert claim["status"]["phase"] == "Pending"
    assert "volume.kubernetes.io/selected-node" not in claim["metadata"].get("annotations", {})
    (container,) = town.get("Pod", "web")["status"]["containerStatuses"]
    assert container["state"] == {"waiting": {"reason": "ContainerCreating"}}
    events = [each for each in object_list(town.cluster.pk, "Event") if each["reason"] == "FailedMount"]
    assert "PVC is not bound" in events[0]["message"]


def device_claim_spec() -> Json:
    return {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu"}}]}}


def devices(node: str) -> tuple[Json, Json]:
    api_version = "resource.k8s.io/v1"
    slice_ = {
        "driver": "gpu.example.com",
        "nodeName": node,
        "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": "gpu-0"}],
    }
    device_class = {"apiVersion": api_version, "kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": {}}
    return device_class, {
        "apiVersion": api_version,
        "kind": "ResourceSlice",
        "metadata": {"name": node},
        "spec": slice_,
    }


def test_a_pod_with_a_claim_from_a_template_runs_with_a_device_of_its_node(town: Town) -> None:
    template = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "one-gpu", "namespace": "default"},
        "spec": {"spec": device_claim_spec()},
    }
    pod = a_pod("web", resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "one-gpu"}])
    town.create(host("n1"), host("n2"), *devices("n2"), template, pod)
    town.live(seconds=8)
    assert town.phase("web") == ("Running", "n2")
    (claim,) = object_list(town.cluster.pk, "ResourceClaim")
    (result,) = claim["status"]["allocation"]["devices"]["results"]
    assert (result["driver"], result["device"]) == ("gpu.example.com", "gpu-0")
    assert [user["name"] for user in claim["status"]["reservedFor"]] == ["web"]


def test_an_unused_claim_that_is_allocated_elsewhere_is_freed_for_the_pod(town: Town) -> None:
    """Its devices are on a node the pod may not use; PostFilter has it deallocated."""
    only_n1 = {"key": "kubernetes.io/hostname", "operator": "In", "values": ["n1"]}
    allocation = {
        "devices": {"results": [{"request": "gpu", "driver": "gpu.example.com", "pool": "n1", "device": "gpu-0"}]},
        "nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [only_n1]}]},
    }
    claim = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "shared", "namespace": "default"},
        "spec": device_claim_spec(),
        "status": {"allocation": allocation},
    }
    pod = a_pod(
        "web",
        resourceClaims=[{"name": "gpu", "resourceClaimName": "shared"}],
        nodeSelector={"kubernetes.io/hostname": "n2"},
    )
    town.create(host("n1"), host("n2"), *devices("n2"), claim, pod)
    town.live(seconds=10)
    assert town.phase("web") == ("Running", "n2")
    (result,) = town.get("ResourceClaim", "shared")["status"]["allocation"]["devices"]["results"]
    assert result["pool"] == "n2"
