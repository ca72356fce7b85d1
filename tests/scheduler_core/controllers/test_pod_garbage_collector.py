from tests.scheduler_core.controllers.cluster import TinyCluster, node, workload


def running_on(cluster: TinyCluster, name: str) -> None:
    cluster.store.create(node(name))
    cluster.store.create(workload("ReplicaSet", replicas=1))
    cluster.settle()
    cluster.bind(cluster.pods()[0], name)
    cluster.settle()


def test_pods_of_a_deleted_node_are_replaced_after_a_while(cluster: TinyCluster) -> None:
    running_on(cluster, "n1")
    before = cluster.pods()[0]["metadata"]["name"]
    cluster.store.delete_many([cluster.get("Node", "n1")])
    cluster.settle()
    cluster.pass_time(39)
    assert cluster.pods()[0]["metadata"]["name"] == before
    cluster.pass_time(2)
    (after,) = cluster.pods()
    assert after["metadata"]["name"] != before


def test_a_node_that_comes_back_keeps_its_pods(cluster: TinyCluster) -> None:
    running_on(cluster, "n1")
    cluster.store.delete_many([cluster.get("Node", "n1")])
    cluster.pass_time(30)
    cluster.store.create(node("n1"))
    cluster.pass_time(30)
    cluster.store.delete_many([cluster.get("Node", "n1")])
    cluster.pass_time(30)
    assert cluster.pods()[0]["spec"]["nodeName"] == "n1"


def test_a_restarted_controller_still_misses_the_node(cluster: TinyCluster) -> None:
    running_on(cluster, "n1")
    cluster.store.delete_many([cluster.get("Node", "n1")])
    cluster.restart_controllers()
    cluster.settle()
    cluster.pass_time(41)
    assert "nodeName" not in cluster.pods()[0]["spec"]
