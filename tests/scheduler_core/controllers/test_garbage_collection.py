from scheduler_core.controllers.garbage_collection import FOREGROUND, ORPHAN
from tests.scheduler_core.controllers.cluster import TinyCluster, workload


def delete_with(cluster: TinyCluster, finalizer: str) -> None:
    """Delete the ReplicaSet as the API does for a propagation policy other than Background."""
    replica_set = cluster.get("ReplicaSet", "web")
    marked = {**replica_set, "metadata": {**replica_set["metadata"], "finalizers": [finalizer]}}
    cluster.store.update(marked)
    cluster.store.delete_many([marked])
    cluster.settle()


def running_replica_set(cluster: TinyCluster) -> None:
    cluster.store.create(workload("ReplicaSet", replicas=2))
    cluster.settle()
    cluster.run_all()


def test_pods_follow_their_replica_set(cluster: TinyCluster) -> None:
    running_replica_set(cluster)
    cluster.store.delete_many([cluster.get("ReplicaSet", "web")])
    cluster.settle()
    assert not cluster.active_pods()


def test_in_the_foreground_the_owner_goes_last(cluster: TinyCluster) -> None:
    running_replica_set(cluster)
    delete_with(cluster, FOREGROUND)
    assert not cluster.active_pods()
    assert cluster.store.list("ReplicaSet"), "its pods are still terminating"
    cluster.end_terminating()
    assert not cluster.store.list("ReplicaSet")


def test_orphaned_pods_live_on(cluster: TinyCluster) -> None:
    running_replica_set(cluster)
    delete_with(cluster, ORPHAN)
    assert not cluster.store.list("ReplicaSet")
    assert len(cluster.active_pods()) == 2
    assert all(pod["metadata"]["ownerReferences"] == [] for pod in cluster.pods())


def test_an_object_with_an_owner_that_never_was_is_collected(cluster: TinyCluster) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "stray",
            "namespace": "default",
            "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "gone", "uid": "gone"}],
        },
        "spec": {"containers": []},
    }
    cluster.store.create(pod)
    cluster.settle()
    assert not cluster.pods()


def test_an_object_with_one_living_owner_stays(cluster: TinyCluster) -> None:
    cluster.store.create(workload("ReplicaSet", replicas=1))
    cluster.settle()
    pod = cluster.pods()[0]
    second = {"apiVersion": "v1", "kind": "Node", "name": "gone", "uid": "gone"}
    owners = [*pod["metadata"]["ownerReferences"], second]
    cluster.store.update({**pod, "metadata": {**pod["metadata"], "ownerReferences": owners}})
    cluster.settle()
    assert len(cluster.pods()) == 1
