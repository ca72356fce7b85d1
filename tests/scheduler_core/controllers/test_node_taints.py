from scheduler_core.objects.manifest import Manifest
from tests.scheduler_core.controllers.cluster import TinyCluster, node


def taints(cluster: TinyCluster) -> list[tuple[str, str]]:
    return [(taint["key"], taint["effect"]) for taint in cluster.get("Node", "n1")["spec"].get("taints") or ()]


def set_conditions(cluster: TinyCluster, **conditions: str) -> None:
    listed: list[Manifest] = [{"type": kind, "status": status} for kind, status in conditions.items()]
    cluster.store.update_status(cluster.get("Node", "n1"), {"conditions": listed})
    cluster.settle()


def test_a_cordoned_node_is_tainted_until_it_is_uncordoned(cluster: TinyCluster) -> None:
    cluster.store.create(node("n1", unschedulable=True, taints=[{"key": "own", "effect": "NoSchedule"}]))
    cluster.settle()
    assert taints(cluster) == [("own", "NoSchedule"), ("node.kubernetes.io/unschedulable", "NoSchedule")]
    cluster.change_spec("Node", "n1", unschedulable=False)
    cluster.settle()
    assert taints(cluster) == [("own", "NoSchedule")]


def test_a_node_in_trouble_says_so(cluster: TinyCluster) -> None:
    cluster.store.create(node("n1"))
    cluster.settle()
    assert taints(cluster) == []

    set_conditions(cluster, Ready="False")
    not_ready = "node.kubernetes.io/not-ready"
    assert taints(cluster) == [(not_ready, "NoSchedule"), (not_ready, "NoExecute")]
    assert cluster.get("Node", "n1")["spec"]["taints"][1]["timeAdded"]

    set_conditions(cluster, Ready="Unknown")
    unreachable = "node.kubernetes.io/unreachable"
    assert taints(cluster) == [(unreachable, "NoSchedule"), (unreachable, "NoExecute")]

    set_conditions(cluster, Ready="True", DiskPressure="True", MemoryPressure="False")
    assert taints(cluster) == [("node.kubernetes.io/disk-pressure", "NoSchedule")]

    set_conditions(cluster, Ready="True")
    assert taints(cluster) == []


def test_a_node_that_says_nothing_of_its_health_is_healthy(cluster: TinyCluster) -> None:
    silent = node("n1")
    del silent["status"]
    cluster.store.create(silent)
    cluster.settle()
    assert taints(cluster) == []
