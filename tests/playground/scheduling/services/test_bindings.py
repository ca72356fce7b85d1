"""A binding cycle with more to do than DefaultBinder: all its writes are there, or none; it may have to wait."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from playground.clusters.models import Cluster, KubernetesObject, Pod
from playground.clusters.services.objects import object_patch
from playground.clusters.services.transaction import cluster_transaction
from playground.scheduling.models import Binding, QueuedPod
from playground.scheduling.services.bindings import TransactionApi
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import LiveWatch
from tests.playground.scheduling.driving import Worker, advance, nodes_of_pods

pytestmark = pytest.mark.django_db

Json = dict[str, Any]


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def a_storage_class() -> Json:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "local"},
        "provisioner": "kubernetes.io/no-provisioner",
        "volumeBindingMode": "WaitForFirstConsumer",
    }


def a_volume(name: str, node: str) -> Json:
    on_node = {"key": "kubernetes.io/hostname", "operator": "In", "values": [node]}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name},
        "spec": {
            "capacity": {"storage": "10Gi"},
            "accessModes": ["ReadWriteOnce"],
            "storageClassName": "local",
            "local": {"path": "/mnt"},
            "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [on_node]}]}},
        },
    }


def a_claim(name: str) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "storageClassName": "local",
            "resources": {"requests": {"storage": "1Gi"}},
        },
    }


def a_pod_with_claim(name: str, claim: str) -> Json:
    return a_pod(name, volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": claim}}])


@pytest.fixture
def placed(cluster: Cluster) -> Worker:
    """A pod whose volume is chosen and whose binding cycle has begun."""
    created(
        cluster,
        a_storage_class(),
        a_node("n1", labels={"kubernetes.io/hostname": "n1"}),
        a_node("n2", labels={"kubernetes.io/hostname": "n2"}),
        a_volume("on-n2", "n2"),
        a_claim("data"),
        a_pod_with_claim("web", "data"),
    )
    worker = Worker(cluster)
    worker.work()
    return worker


def bind_claim(cluster: Cluster) -> None:
    """What the volume controller does once the scheduler has chosen."""
    with cluster_transaction(cluster.pk) as tx:
        object_patch(tx, kind="PersistentVolumeClaim", namespace="default", name="data", change=_bound_claim)


def _bound_claim(claim: Json) -> Json:
    annotations = {"pv.kubernetes.io/bind-completed": "yes"}
    return {
        **claim,
        "metadata": {**claim["metadata"], "annotations": annotations},
        "spec": {**claim["spec"], "volumeName": "on-n2"},
    }


def run_again(worker: Worker) -> None:
    """What the sweep does with a binding that waits."""
    worker.run_bindings(list(Binding.objects.values_list("sequence", flat=True)))
    worker.work()


def test_pre_bind_writes_its_choice_and_the_cycle_waits_for_the_volume_controller(
    cluster: Cluster, placed: Worker
) -> None:
    volume = KubernetesObject.objects.get(kind="PersistentVolume").manifest
    assert volume["spec"]["claimRef"]["name"] == "data"
    row = Binding.objects.get()
    assert (row.phase, row.message) == ("binding", 'waiting for persistentvolumeclaim "data" to be bound')
    assert nodes_of_pods(cluster) == {"web": ""}
    assert QueuedPod.objects.get().queue == "binding"


def test_once_the_claim_is_bound_the_pod_is_too(cluster: Cluster, placed: Worker) -> None:
    watch = LiveWatch(cluster)
    run_again(placed)
    assert nodes_of_pods(cluster) == {"web": ""}
    bind_claim(cluster)
    run_again(placed)
    watch.assert_fresh()
    assert nodes_of_pods(cluster) == {"web": "n2"}
    assert [step["plugin"] for step in Binding.objects.get().steps][-1] == "DefaultBinder"


def test_waiting_that_says_nothing_new_writes_no_message(cluster: Cluster, placed: Worker) -> None:
    before = Cluster.objects.get().resource_version
    placed.run_bindings([Binding.objects.get().sequence])
    assert Cluster.objects.get().resource_version == before


def test_a_cycle_that_waited_too_long_fails_and_the_pod_is_tried_again(cluster: Cluster, placed: Worker) -> None:
    advance(cluster, 700)
    run_again(placed)
    first = Binding.objects.order_by("sequence").first()
    assert first is not None
    assert first.phase == "failed"
    condition = Pod.objects.get().manifest["status"]["conditions"][-1]
    assert (condition["reason"], condition["message"]) == ("SchedulerError", first.message)


def test_a_pod_that_is_gone_fails_its_binding(cluster: Cluster, placed: Worker) -> None:
    Pod.objects.all().delete()
    run_again(placed)
    assert (Binding.objects.get().phase, Binding.objects.get().message) == ("failed", 'pods "web" not found')


def test_a_refused_write_of_a_plugin_is_a_status(cluster: Cluster) -> None:
    created(cluster, a_claim("data"))
    with cluster_transaction(cluster.pk) as tx:
        api = TransactionApi(tx)
        assert api.get("PersistentVolumeClaim", "default", "nobody") is None
        assert not api.patch("PersistentVolumeClaim", "default", "nobody", {"metadata": {}}).is_success
        assert api.patch("PersistentVolumeClaim", "default", "data", {"metadata": {"labels": {"a": "b"}}}).is_success
        assert not api.bind("default", "nobody", "", "n1").is_success


def statements_to_bind(cluster: Cluster, pods: int) -> int:
    """So many new pods, placed in one slice and bound in one task."""
    worker = Worker(cluster, binds=False)
    created(cluster, *[a_pod(f"web-{pods}-{number}") for number in range(pods)])
    outcome = worker.slice()
    assert outcome is not None
    assert len(outcome.binding_sequences) == pods
    with CaptureQueriesContext(connection) as captured:
        worker.run_bindings(outcome.binding_sequences)
    return len(captured)


def test_plain_bindings_of_a_slice_cost_as_many_statements_however_many_they_are(cluster: Cluster) -> None:
    created(cluster, a_node("n1"), a_node("n2"))
    statements_to_bind(cluster, 1)
    assert statements_to_bind(cluster, 2) == statements_to_bind(cluster, 20)
