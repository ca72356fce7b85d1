from typing import Any

import pytest

from scheduler_core.objects.manifest import Manifest, condition_of
from tests.scheduler_core.controllers.cluster import TinyCluster, node

TAINT = {"key": "maintenance", "effect": "NoExecute"}


def pod(name: str, *, annotations: dict[str, str] | None = None, **spec: Any) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "annotations": annotations or {}},
        "spec": {"nodeName": "n1", "containers": [], **spec},
    }


def on_tainted_node(cluster: TinyCluster, *pods: Manifest) -> None:
    cluster.store.create(node("n1"))
    for each in pods:
        cluster.store.create(each)
    cluster.pass_time(1000)
    cluster.change_spec("Node", "n1", taints=[TAINT])
    cluster.settle()


def staying(cluster: TinyCluster) -> list[str]:
    return [each["metadata"]["name"] for each in cluster.active_pods()]


def tolerating(seconds: int | None = None, key: str = "maintenance") -> list[Manifest]:
    limit = {} if seconds is None else {"tolerationSeconds": seconds}
    return [{"key": key, "operator": "Exists", "effect": "NoExecute", **limit}]


def test_a_pod_that_does_not_tolerate_it_goes_with_its_grace_period(cluster: TinyCluster) -> None:
    on_tainted_node(cluster, pod("a"), pod("b", tolerations=tolerating()))
    assert staying(cluster) == ["b"]
    gone = cluster.get("Pod", "a")
    assert gone["metadata"]["deletionGracePeriodSeconds"] == 30
    target = condition_of(gone, "DisruptionTarget")
    assert target is not None
    assert target["reason"] == "DeletionByTaintManager"
    assert cluster.event_messages("TaintManagerEviction") == ["Marking for deletion Pod default/a"]


def test_a_toleration_for_a_while_ends(cluster: TinyCluster) -> None:
    on_tainted_node(cluster, pod("a", tolerations=tolerating(60)))
    cluster.pass_time(59)
    assert staying(cluster) == ["a"]
    cluster.pass_time(1)
    assert staying(cluster) == []


def test_a_taint_that_goes_in_time_spares_the_pod(cluster: TinyCluster) -> None:
    on_tainted_node(cluster, pod("a", tolerations=tolerating(60)))
    cluster.change_spec("Node", "n1", taints=[])
    cluster.settle()
    cluster.pass_time(120)
    assert staying(cluster) == ["a"]


@pytest.mark.parametrize("seconds", [0, -5])
def test_a_toleration_for_no_time_is_none(cluster: TinyCluster, seconds: int) -> None:
    on_tainted_node(cluster, pod("a", tolerations=tolerating(seconds)))
    assert staying(cluster) == []


def test_a_pod_bound_to_a_tainted_node_goes_too(cluster: TinyCluster) -> None:
    on_tainted_node(cluster)
    cluster.store.create(pod("late"))
    cluster.settle()
    assert staying(cluster) == []


def test_c8_the_mirror_of_a_static_pod_stays(cluster: TinyCluster) -> None:
    on_tainted_node(cluster, pod("static", annotations={"kubernetes.io/config.mirror": "1"}))
    assert staying(cluster) == ["static"]


def test_no_schedule_taints_evict_nobody(cluster: TinyCluster) -> None:
    on_tainted_node(cluster, pod("a", tolerations=tolerating()))
    cluster.change_spec("Node", "n1", taints=[{"key": "x", "effect": "NoSchedule"}])
    cluster.settle()
    assert staying(cluster) == ["a"]
