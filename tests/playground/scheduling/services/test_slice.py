"""From a pod in the database to a pod on a node, slice by slice, every step told to pages."""

from __future__ import annotations

import pytest

from playground.clusters.models import Cluster, KubernetesObject, Pod
from playground.scheduling.models import Binding, Decision, QueuedPod
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import LiveWatch
from tests.playground.scheduling.driving import Worker, nodes_of_pods

pytestmark = pytest.mark.django_db


def events(cluster: Cluster, reason: str) -> list[dict]:
    rows = KubernetesObject.objects.filter(cluster=cluster, kind="Event")
    return [row.manifest for row in rows.order_by("resource_version") if row.manifest["reason"] == reason]


def test_a_pod_is_decided_assumed_and_bound() -> None:
    cluster = a_cluster()
    created(cluster, a_node("n1"), a_pod("web"))
    watch = LiveWatch(cluster)

    worker = Worker(cluster)
    outcome = worker.slice()
    assert outcome is not None
    assert len(outcome.binding_ids) == 1
    assert QueuedPod.objects.get().queue == "binding"
    assert nodes_of_pods(cluster) == {"web": ""}
    watch.assert_fresh()

    worker.work()
    from playground.scheduling.services.bindings import bindings_run

    bindings_run(cluster_id=cluster.pk, ids=outcome.binding_ids)
    watch.assert_fresh()
    worker.work()
    assert nodes_of_pods(cluster) == {"web": "n1"}
    assert not QueuedPod.objects.exists()
    assert Binding.objects.get().phase == "bound"
    assert Decision.objects.get().outcome == "scheduled"
    watch.assert_fresh()
    assert [event["message"] for event in events(cluster, "Scheduled")] == ["Successfully assigned default/web to n1"]


def test_a_pod_that_fits_nowhere_says_so_in_its_condition_and_in_a_counted_event() -> None:
    cluster = a_cluster()
    created(cluster, a_node("n1", cpu="1"), a_pod("big", cpu="2"))
    watch = LiveWatch(cluster)
    Worker(cluster).work()
    watch.assert_fresh()
    assert QueuedPod.objects.get().queue == "unschedulablePods"
    condition = Pod.objects.get().manifest["status"]["conditions"][-1]
    assert (condition["type"], condition["status"], condition["reason"]) == ("PodScheduled", "False", "Unschedulable")
    assert condition["message"].startswith("0/1 nodes are available: 1 Insufficient cpu.")
    assert [event["count"] for event in events(cluster, "FailedScheduling")] == [1]


def test_a_new_node_brings_a_waiting_pod_back() -> None:
    cluster = a_cluster()
    created(cluster, a_pod("web"), a_node("n1", cpu="10m"))
    worker = Worker(cluster)
    worker.work()
    watch = LiveWatch(cluster)
    created(cluster, a_node("n2"))
    outcome = worker.slice()
    messages = watch.assert_fresh()
    moves = [move for message in messages if message["type"] == "queue" for move in message["moves"]]
    assert moves[0]["event"] == "NodeAdd"
    assert outcome is not None
