"""From a pod in the database to a pod on a node, slice by slice, every step told to pages."""

from __future__ import annotations

from typing import Any

import pytest

from playground.clusters.models import Cluster, KubernetesObject, Pod
from playground.clusters.services.objects import DeleteOptions, object_delete
from playground.clusters.services.pods import PodBinding, pod_bind_many
from playground.clusters.services.transaction import cluster_transaction
from playground.scheduling.models import Binding, Decision, QueuedPod, SchedulerState
from playground.scheduling.services import record
from playground.scheduling.services.bindings import bindings_run
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.volume_binding import VolumeBinding
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import LiveWatch
from tests.playground.scheduling.driving import Worker, advance, nodes_of_pods

pytestmark = pytest.mark.django_db


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def events(cluster: Cluster, reason: str) -> list[dict[str, Any]]:
    rows = KubernetesObject.objects.filter(cluster=cluster, kind="Event").order_by("resource_version")
    return [row.manifest for row in rows if row.manifest["reason"] == reason]


def condition(name: str, type_: str = "PodScheduled") -> dict[str, Any]:
    conditions = Pod.objects.get(name=name).manifest["status"]["conditions"]
    return next(each for each in conditions if each["type"] == type_)


def moves_of(messages: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    queue = [message for message in messages if message["type"] == "queue"]
    return [(move["source"], move["target"], move["event"]) for message in queue for move in message["moves"]]


def test_a_pod_is_assumed_by_a_slice_and_bound_by_its_binding_cycle(cluster: Cluster) -> None:
    created(cluster, a_node("n1"), a_pod("web"))
    watch = LiveWatch(cluster)
    worker = Worker(cluster, binds=False)
    outcome = worker.slice()
    assert outcome is not None
    assert (QueuedPod.objects.get().queue, QueuedPod.objects.get().node) == ("binding", "n1")
    assert nodes_of_pods(cluster) == {"web": ""}
    watch.assert_fresh()

    bindings_run(cluster_id=cluster.pk, sequences=outcome.binding_sequences)
    watch.assert_fresh()
    assert nodes_of_pods(cluster) == {"web": "n1"}
    assert (Binding.objects.get().phase, Decision.objects.get().outcome) == ("bound", "scheduled")

    worker.work()
    assert not QueuedPod.objects.exists()
    assert moves_of(watch.assert_fresh()) == [("binding", "bound", "Bound")]
    assert [event["message"] for event in events(cluster, "Scheduled")] == ["Successfully assigned default/web to n1"]


def test_a_pod_that_fits_nowhere_says_so_in_its_condition_and_in_an_event(cluster: Cluster) -> None:
    created(cluster, a_node("n1", cpu="1"), a_pod("big", cpu="2"))
    watch = LiveWatch(cluster)
    Worker(cluster).work()
    watch.assert_fresh()
    assert QueuedPod.objects.get().queue == "unschedulablePods"
    assert (condition("big")["status"], condition("big")["reason"]) == ("False", "Unschedulable")
    assert condition("big")["message"].startswith("0/1 nodes are available: 1 Insufficient cpu.")
    failed = events(cluster, "FailedScheduling")
    assert [(event["count"], event["type"], event["message"]) for event in failed] == [
        (1, "Warning", condition("big")["message"])
    ]


def test_the_same_failure_again_is_counted_in_the_same_event(cluster: Cluster) -> None:
    created(cluster, a_node("n1", cpu="1"), a_pod("big", cpu="4"))
    worker = Worker(cluster)
    worker.work()
    # Longer than a pod stays unschedulable without being tried again.
    advance(cluster, 400)
    worker.work()
    assert [event["count"] for event in events(cluster, "FailedScheduling")] == [2]
    assert [row.attempt for row in Decision.objects.order_by("sequence")] == [1, 2]


def test_a_new_node_brings_a_waiting_pod_back_and_the_move_names_its_cause(cluster: Cluster) -> None:
    created(cluster, a_pod("web"), a_node("n1", cpu="10m"))
    worker = Worker(cluster)
    worker.work()
    watch = LiveWatch(cluster)
    created(cluster, a_node("n2"))
    advance(cluster, 20)
    worker.work()
    assert moves_of(watch.assert_fresh())[0][::2] == ("unschedulablePods", "NodeAdd")
    assert nodes_of_pods(cluster) == {"web": "n2"}


def test_a_pod_that_is_deleted_while_it_waits_leaves_the_queue(cluster: Cluster) -> None:
    created(cluster, a_pod("web"), a_node("n1", cpu="10m"))
    worker = Worker(cluster)
    worker.work()
    watch = LiveWatch(cluster)
    with cluster_transaction(cluster.pk) as tx:
        object_delete(tx, kind="Pod", namespace="default", name="web")
    worker.work()
    watch.assert_fresh()
    assert not QueuedPod.objects.exists()


def test_a_pod_that_is_deleted_before_it_is_bound_fails_its_binding_and_is_forgotten(cluster: Cluster) -> None:
    created(cluster, a_pod("web"), a_node("n1"))
    worker = Worker(cluster, binds=False)
    outcome = worker.slice()
    assert outcome is not None
    watch = LiveWatch(cluster)
    with cluster_transaction(cluster.pk) as tx:
        object_delete(tx, kind="Pod", namespace="default", name="web")
    bindings_run(cluster_id=cluster.pk, sequences=outcome.binding_sequences)
    worker.work()
    watch.assert_fresh()
    assert Binding.objects.get().phase == "failed"
    assert not QueuedPod.objects.exists()


def test_a_pod_that_somebody_else_bound_elsewhere_fails_its_binding_and_leaves_the_queue(cluster: Cluster) -> None:
    created(cluster, a_pod("web"), a_node("n1"))
    worker = Worker(cluster, binds=False)
    outcome = worker.slice()
    assert outcome is not None
    created(cluster, a_node("n2"))
    with cluster_transaction(cluster.pk) as tx:
        pod_bind_many(tx, bindings=[PodBinding(namespace="default", name="web", node_name="n2")])
    watch = LiveWatch(cluster)
    bindings_run(cluster_id=cluster.pk, sequences=outcome.binding_sequences)
    worker.work()
    watch.assert_fresh()
    assert nodes_of_pods(cluster) == {"web": "n2"}
    assert 'already assigned to node "n2"' in Binding.objects.get().message
    assert not QueuedPod.objects.exists()


def test_a_plugin_that_breaks_while_undoing_is_in_the_log(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(plugin: VolumeBinding, state: CycleState, pod: PodInfo, node_name: str) -> None:
        raise RuntimeError("lost the disk")

    monkeypatch.setattr(VolumeBinding, "unreserve", broken)
    created(cluster, a_node("n1"), a_pod("web"))
    worker = Worker(cluster, binds=False)
    worker.slice()
    Pod.objects.all().delete()
    worker.run_bindings([1])
    worker.slice()
    (line,) = [each.getMessage() for each in caplog.records if each.levelname == "ERROR"]
    assert "VolumeBinding" in line
    assert "lost the disk" in line


def test_a_binding_that_is_run_twice_binds_once(cluster: Cluster) -> None:
    created(cluster, a_pod("web"), a_node("n1"))
    outcome = Worker(cluster, binds=False).slice()
    assert outcome is not None
    for _ in range(2):
        bindings_run(cluster_id=cluster.pk, sequences=outcome.binding_sequences)
    assert [event["count"] for event in events(cluster, "Scheduled")] == [1]


def test_a_more_important_pod_evicts_a_victim_and_gets_its_place(cluster: Cluster) -> None:
    created(cluster, a_node("n1", cpu="1"), a_pod("low", cpu="800m"))
    worker = Worker(cluster)
    worker.work()
    created(cluster, a_priority_class("vital", 1000), a_pod("high", cpu="800m", priorityClassName="vital"))
    watch = LiveWatch(cluster)
    worker.work()
    watch.assert_fresh()
    low, high = (Pod.objects.get(name=name).manifest for name in ("low", "high"))
    assert "deletionTimestamp" in low["metadata"]
    assert high["status"]["nominatedNodeName"] == "n1"
    assert condition("low", "DisruptionTarget")["reason"] == "PreemptionByScheduler"
    assert [event["message"] for event in events(cluster, "Preempted")] == [
        f"Preempted by pod {high['metadata']['uid']} on node n1"
    ]

    with cluster_transaction(cluster.pk) as tx:
        object_delete(tx, kind="Pod", namespace="default", name="low", options=DeleteOptions(grace_period_seconds=0))
    advance(cluster, 20)
    worker.work()
    watch.assert_fresh()
    assert nodes_of_pods(cluster) == {"high": "n1"}


def test_a_pod_of_an_unknown_scheduler_is_left_alone(cluster: Cluster) -> None:
    created(cluster, a_node("n1"), a_pod("web", schedulerName="somebody-else"))
    Worker(cluster).work()
    assert not QueuedPod.objects.exists()
    assert not Decision.objects.exists()


def test_only_the_newest_attempts_of_a_pod_and_the_newest_decisions_are_kept(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "NEWEST_DECISIONS", 0)
    monkeypatch.setattr(record, "DECISIONS_KEPT", 4)
    monkeypatch.setattr(record, "DECISIONS_STEP", 2)
    created(cluster, a_node("n1"), *(a_pod(f"web-{number}") for number in range(6)))
    worker = Worker(cluster)
    worker.work()
    created(cluster, a_pod("last"))
    worker.work()
    sequences = list(Decision.objects.order_by("sequence").values_list("sequence", flat=True))
    assert sequences[-1] == 7
    assert len(sequences) <= 5
    assert Binding.objects.filter(sequence=7).exists()
    assert not Binding.objects.filter(sequence__lte=2).exists()


def test_looking_at_a_change_that_means_nothing_writes_no_version(cluster: Cluster) -> None:
    created(cluster, a_node("n1"), a_pod("web"))
    worker = Worker(cluster)
    worker.work()
    created(cluster, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "default"}})
    cluster.refresh_from_db()
    worker.slice()
    state = SchedulerState.objects.get()
    assert state.feed_version == cluster.resource_version
    version = cluster.resource_version
    cluster.refresh_from_db()
    assert cluster.resource_version == version


def a_priority_class(name: str, value: int) -> dict[str, Any]:
    return {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": name},
        "value": value,
    }
