import re

import pytest

from scheduler_core.controllers.interface import BATCH, Refusal
from tests.scheduler_core.controllers.cluster import TinyCluster, workload


def test_makes_the_pods_that_are_missing(cluster: TinyCluster) -> None:
    cluster.store.create(workload("ReplicaSet", replicas=3))
    cluster.settle()

    assert len(cluster.pods()) == 3
    for pod in cluster.pods():
        assert re.fullmatch(r"web-[bcdfghjklmnpqrstvwxz2456789]{5}", pod["metadata"]["name"])
        assert pod["metadata"]["generateName"] == "web-"
        assert pod["metadata"]["ownerReferences"][0]["kind"] == "ReplicaSet"
    assert cluster.get("ReplicaSet", "web")["status"]["replicas"] == 3
    assert len(cluster.event_messages("SuccessfulCreate")) == 3


def test_makes_one_pod_where_replicas_is_not_set(cluster: TinyCluster) -> None:
    cluster.store.create(workload("ReplicaSet"))
    cluster.settle()
    assert len(cluster.pods()) == 1


def test_a_big_one_is_made_in_batches(cluster: TinyCluster) -> None:
    cluster.store.create(workload("ReplicaSet", replicas=BATCH * 2 + 50))
    sizes = []

    def one_look() -> bool:
        sizes.append(len(cluster.pods()))
        return True

    cluster.manager.run(cluster.store, cluster.now, one_look)
    assert {BATCH, 2 * BATCH} <= set(sizes)
    assert len(cluster.pods()) == BATCH * 2 + 50
    combined = cluster.event_messages("SuccessfulCreate")[10]
    assert combined.startswith("(combined from similar events): Created pod: web-")
    assert sum(event.count for event in cluster.store.events) == BATCH * 2 + 50


def test_replaces_a_pod_that_failed_and_keeps_it(cluster: TinyCluster) -> None:
    cluster.store.create(workload("ReplicaSet", replicas=2))
    cluster.settle()
    cluster.finish(cluster.pods()[0], "Failed")
    cluster.settle()

    assert len(cluster.pods()) == 3
    assert len(cluster.active_pods()) == 2


def test_replaces_a_pod_that_is_being_deleted(cluster: TinyCluster) -> None:
    cluster.store.create(workload("ReplicaSet", replicas=2))
    cluster.settle()
    bound = cluster.bind(cluster.pods()[0])
    cluster.store.delete_many([bound])
    cluster.settle()

    assert len(cluster.pods()) == 3
    assert len(cluster.active_pods()) == 2


def test_scales_down_to_what_is_asked(cluster: TinyCluster) -> None:
    cluster.store.create(workload("ReplicaSet", replicas=5))
    cluster.settle()
    cluster.change_spec("ReplicaSet", "web", replicas=2)
    cluster.settle()

    assert len(cluster.pods()) == 2
    assert len(cluster.event_messages("SuccessfulDelete")) == 3
    assert cluster.get("ReplicaSet", "web")["status"]["replicas"] == 2


def test_counts_ready_and_available_pods(cluster: TinyCluster) -> None:
    cluster.store.create(workload("ReplicaSet", replicas=3, minReadySeconds=10))
    cluster.settle()
    cluster.set_ready(cluster.pods()[0])
    cluster.settle()

    status = cluster.get("ReplicaSet", "web")["status"]
    assert (status["readyReplicas"], status.get("availableReplicas", 0)) == (1, 0)
    assert cluster.manager.next_due == cluster.now + 10

    cluster.pass_time(10)
    assert cluster.get("ReplicaSet", "web")["status"]["availableReplicas"] == 1


def test_adopts_a_bare_pod_with_the_right_labels(cluster: TinyCluster) -> None:
    bare = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "bare", "namespace": "default", "labels": {"app": "web"}},
        "spec": {"containers": []},
    }
    cluster.store.create(bare)
    cluster.store.create(workload("ReplicaSet", replicas=2))
    cluster.settle()

    assert len(cluster.pods()) == 2
    assert cluster.get("Pod", "bare")["metadata"]["ownerReferences"][0]["name"] == "web"


def test_releases_a_pod_whose_labels_no_longer_match(cluster: TinyCluster) -> None:
    cluster.store.create(workload("ReplicaSet", replicas=2))
    cluster.settle()
    pod = cluster.pods()[0]
    cluster.store.update({**pod, "metadata": {**pod["metadata"], "labels": {"app": "debug"}}})
    cluster.settle()

    assert len(cluster.pods()) == 3
    assert cluster.get("Pod", pod["metadata"]["name"])["metadata"]["ownerReferences"] == []


def test_tells_why_a_pod_could_not_be_made(cluster: TinyCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    message = 'pods "web-" is forbidden: no PriorityClass with name high was found'
    cluster.store.create(workload("ReplicaSet", replicas=1))
    with monkeypatch.context() as patched:
        patched.setattr(cluster.store, "create_many", lambda pods: [Refusal(reason="Forbidden", message=message)])
        cluster.settle()

    assert cluster.event_messages("FailedCreate") == [f"Error creating: {message}"]
    (condition,) = cluster.get("ReplicaSet", "web")["status"]["conditions"]
    assert (condition["type"], condition["reason"], condition["message"]) == ("ReplicaFailure", "FailedCreate", message)

    cluster.pass_time(60)
    assert len(cluster.pods()) == 1
    assert "conditions" not in cluster.get("ReplicaSet", "web")["status"]


def test_a_replication_controller_works_alike(cluster: TinyCluster) -> None:
    cluster.store.create(workload("ReplicationController", replicas=2))
    cluster.settle()
    assert len(cluster.pods()) == 2


def test_an_empty_selector_claims_nothing(cluster: TinyCluster) -> None:
    bare = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "bare", "namespace": "default", "labels": {"app": "web"}},
        "spec": {"containers": []},
    }
    cluster.store.create(bare)
    cluster.store.create(workload("ReplicaSet", replicas=0, selector={}))
    cluster.settle()
    assert "ownerReferences" not in cluster.get("Pod", "bare")["metadata"]
