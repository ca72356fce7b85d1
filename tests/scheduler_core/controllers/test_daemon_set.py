from typing import Any

from scheduler_core.controllers.daemon_pods import node_of
from tests.scheduler_core.controllers.cluster import TinyCluster, node, template, workload


def nodes_with_daemons(cluster: TinyCluster) -> list[str]:
    return sorted(node_of(pod) for pod in cluster.active_pods())


def on_nodes(cluster: TinyCluster, *nodes: Any, **spec: Any) -> None:
    for each in nodes:
        cluster.store.create(each)
    cluster.store.create(workload("DaemonSet", **spec))
    cluster.settle()


def bind_where_meant(cluster: TinyCluster) -> None:
    for pod in cluster.active_pods():
        if not pod["spec"].get("nodeName"):
            cluster.bind(pod, node_of(pod))
        cluster.set_ready(pod)
    cluster.settle()


def test_c7_a_pod_for_every_node_even_a_cordoned_one(cluster: TinyCluster) -> None:
    on_nodes(cluster, node("n1"), node("n2", unschedulable=True))
    assert nodes_with_daemons(cluster) == ["n1", "n2"]
    tolerated = {(each["key"], each["effect"]) for each in cluster.pods()[0]["spec"]["tolerations"]}
    assert tolerated == {
        ("node.kubernetes.io/not-ready", "NoExecute"),
        ("node.kubernetes.io/unreachable", "NoExecute"),
        ("node.kubernetes.io/disk-pressure", "NoSchedule"),
        ("node.kubernetes.io/memory-pressure", "NoSchedule"),
        ("node.kubernetes.io/pid-pressure", "NoSchedule"),
        ("node.kubernetes.io/unschedulable", "NoSchedule"),
    }


def test_a_pod_of_the_host_network_does_not_wait_for_the_network(cluster: TinyCluster) -> None:
    on_nodes(cluster, node("n1"), template=template(hostNetwork=True))
    assert "node.kubernetes.io/network-unavailable" in {
        each["key"] for each in cluster.pods()[0]["spec"]["tolerations"]
    }


def test_pods_are_pinned_beside_what_the_template_asks(cluster: TinyCluster) -> None:
    expression = {"key": "disk", "operator": "In", "values": ["ssd"]}
    required = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
    on_nodes(cluster, node("n1", labels={"disk": "ssd"}), node("n2"), template=template(affinity=affinity))
    (pod,) = cluster.pods()
    (term,) = pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        "nodeSelectorTerms"
    ]
    assert term == {
        "matchExpressions": [expression],
        "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}],
    }


def test_tainted_and_unfit_nodes_get_none(cluster: TinyCluster) -> None:
    tainted = node("n2", taints=[{"key": "gpu", "effect": "NoSchedule"}])
    on_nodes(cluster, node("n1"), tainted)
    assert nodes_with_daemons(cluster) == ["n1"]


def test_a_no_schedule_taint_lets_a_running_daemon_stay(cluster: TinyCluster) -> None:
    on_nodes(cluster, node("n1"))
    bind_where_meant(cluster)
    cluster.change_spec("Node", "n1", taints=[{"key": "gpu", "effect": "NoSchedule"}])
    cluster.settle()
    assert nodes_with_daemons(cluster) == ["n1"]
    cluster.change_spec("Node", "n1", taints=[{"key": "gpu", "effect": "NoExecute"}])
    cluster.settle()
    assert nodes_with_daemons(cluster) == []


def test_a_new_node_gets_one(cluster: TinyCluster) -> None:
    on_nodes(cluster, node("n1"))
    cluster.store.create(node("n2"))
    cluster.settle()
    assert nodes_with_daemons(cluster) == ["n1", "n2"]


def test_a_failed_daemon_is_replaced_after_a_while(cluster: TinyCluster) -> None:
    on_nodes(cluster, node("n1"))
    failed = cluster.bind(cluster.pods()[0])
    cluster.finish(failed, "Failed")
    cluster.settle()
    assert len(cluster.pods()) == 1
    cluster.pass_time(11)
    assert cluster.active_pods()
    assert cluster.event_messages("FailedDaemonPod")


def test_an_update_replaces_them_one_by_one(cluster: TinyCluster) -> None:
    on_nodes(cluster, node("n1"), node("n2"), node("n3"))
    bind_where_meant(cluster)
    cluster.change_spec("DaemonSet", "web", template=template("shop:2"))
    cluster.settle()
    assert len(cluster.active_pods()) == 2
    for _ in range(6):
        cluster.end_terminating()
        bind_where_meant(cluster)
        assert len(cluster.active_pods()) >= 2
    assert {pod["spec"]["containers"][0]["image"] for pod in cluster.active_pods()} == {"shop:2"}
    status = cluster.get("DaemonSet", "web")["status"]
    assert (status["desiredNumberScheduled"], status["numberReady"], status["updatedNumberScheduled"]) == (3, 3, 3)
