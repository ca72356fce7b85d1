"""Bindings in bulk, and events that are counted and bounded."""

from __future__ import annotations

from typing import Any

import pytest

from playground.clusters import selectors
from playground.clusters.models import Cluster, KubernetesObject, Pod
from playground.clusters.services import events as event_services
from playground.clusters.services.events import NewEvent, Regarding, event_record_many
from playground.clusters.services.pods import PodBinding, pod_bind_many
from playground.clusters.services.transaction import cluster_transaction
from playground.common.errors import ApiError
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import LiveWatch

pytestmark = pytest.mark.django_db


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def bind(cluster: Cluster, *bindings: PodBinding) -> list[str]:
    with cluster_transaction(cluster.pk) as tx:
        results = pod_bind_many(tx, bindings=bindings)
    return [type(each).__name__ if isinstance(each, ApiError) else each["spec"]["nodeName"] for each in results]


def to(node: str, name: str, **more: Any) -> PodBinding:
    return PodBinding(namespace="default", name=name, node_name=node, **more)


def test_each_pod_of_many_is_bound_or_refused_by_itself(cluster: Cluster) -> None:
    watch = LiveWatch(cluster)
    (a, *_) = created(cluster, a_pod("a"), a_pod("gated", schedulingGates=[{"name": "g"}]), a_pod("c"))
    uid = a["metadata"]["uid"]
    assert bind(cluster, to("n1", "a", uid=uid), to("n1", "gone"), to("n1", "gated"), to("n2", "c", uid="other")) == [
        "n1",
        "NotFound",
        "Conflict",
        "Conflict",
    ]
    assert Pod.objects.get(name="a").node_name == "n1"
    watch.assert_fresh()


def test_binding_again_to_the_same_node_is_a_success_and_writes_nothing(cluster: Cluster) -> None:
    created(cluster, a_pod("a"))
    assert bind(cluster, to("n1", "a")) == ["n1"]
    version = selectors.feed_version(cluster.pk)
    assert bind(cluster, to("n1", "a"), to("n2", "a"), to("n1", "a", repeatable=False)) == [
        "n1",
        "Conflict",
        "Conflict",
    ]
    assert selectors.feed_version(cluster.pk) == version


def test_a_pod_that_is_being_deleted_is_not_bound(cluster: Cluster) -> None:
    pod = a_pod("a")
    pod["metadata"]["finalizers"] = ["example.com/x"]
    created(cluster, pod)
    from playground.clusters.services.objects import object_delete

    with cluster_transaction(cluster.pk) as tx:
        object_delete(tx, kind="Pod", namespace="default", name="a")
    assert bind(cluster, to("n1", "a")) == ["Conflict"]


def test_binding_many_costs_a_constant_number_of_queries(cluster: Cluster, django_assert_max_num_queries: Any) -> None:
    created(cluster, *(a_pod(f"p{i}") for i in range(50)))
    with django_assert_max_num_queries(12):
        bind(cluster, *(to("n1", f"p{i}") for i in range(50)))


def an_event(pod: dict[str, Any], message: str = "no room", **more: Any) -> NewEvent:
    metadata = pod["metadata"]
    regarding = Regarding(kind="Pod", namespace="default", name=metadata["name"], uid=metadata["uid"])
    return NewEvent(regarding=regarding, reason="FailedScheduling", message=message, source="default-scheduler", **more)


def record(cluster: Cluster, *events: NewEvent) -> list[tuple[str, int]]:
    with cluster_transaction(cluster.pk) as tx:
        event_record_many(tx, events=events)
    return [(each["message"], each["count"]) for each in selectors.object_list(cluster.pk, "Event")]


def test_a_repeated_event_is_counted(cluster: Cluster) -> None:
    watch = LiveWatch(cluster)
    (pod,) = created(cluster, a_pod())
    record(cluster, an_event(pod), an_event(pod))
    record(cluster, an_event(pod), an_event(pod, "too many pods"))
    assert sorted(record(cluster)) == [("no room", 3), ("too many pods", 1)]
    watch.assert_fresh()
    found = KubernetesObject.objects.filter(regarding_uid=pod["metadata"]["uid"])
    assert found.count() == 2


def test_a_long_note_is_cut_as_kubernetes_does(cluster: Cluster) -> None:
    (pod,) = created(cluster, a_pod())
    ((message, _),) = record(cluster, an_event(pod, "x" * 3000))
    assert (len(message), message[-4:]) == (1024, " ...")


def test_events_about_nodes_are_in_the_default_namespace(cluster: Cluster) -> None:
    (node,) = created(cluster, a_node())
    regarding = Regarding(kind="Node", namespace="", name="n1", uid=node["metadata"]["uid"])
    record(cluster, NewEvent(regarding=regarding, reason="NodeReady", message="ready", source="kubelet", host="n1"))
    (event,) = selectors.object_list(cluster.pk, "Event")
    assert event["metadata"]["namespace"] == "default"
    assert event["source"] == {"component": "kubelet", "host": "n1"}


def test_the_oldest_events_go_where_there_are_too_many(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_services, "EVENTS_KEPT", 5)
    monkeypatch.setattr(event_services, "EVENTS_SLACK", 2)
    watch = LiveWatch(cluster)
    (pod,) = created(cluster, a_pod())
    for i in range(12):
        record(cluster, an_event(pod, f"message {i}"))
    messages = {message for message, _ in record(cluster)}
    assert "message 11" in messages
    assert "message 0" not in messages
    assert len(messages) <= 7
    watch.assert_fresh()
