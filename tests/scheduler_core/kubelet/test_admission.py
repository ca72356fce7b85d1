from typing import Any

import pytest

from scheduler_core.kubelet.admission import admit
from tests.scheduler_core.kubelet.cast import decoded_node, node, pod, pod_info

HOST_PORT = [{"name": "web", "image": "x", "ports": [{"containerPort": 80, "hostPort": 80}]}]


def verdict(one: Any, on: Any, *others: Any) -> tuple[str, str] | None:
    rejection = admit(pod_info(one), decoded_node(on), [pod_info(other) for other in others])
    return rejection and (rejection.reason, rejection.message)


def test_a_pod_that_fits_is_taken() -> None:
    assert verdict(pod(requests={"cpu": "1"}), node(), pod("other", requests={"cpu": "3"})) is None


@pytest.mark.parametrize(
    ("resource", "wanted", "taken", "message"),
    [
        ("cpu", "1500m", "3", "cpu, requested: 1500, used: 3000, capacity: 4000"),
        ("memory", "1Gi", "8Gi", "memory, requested: 1073741824, used: 8589934592, capacity: 8589934592"),
        ("ephemeral-storage", "1", "0", "ephemeral-storage, requested: 1, used: 0, capacity: 0"),
    ],
)
def test_too_little_of_a_resource(resource: str, wanted: str, taken: str, message: str) -> None:
    answer = verdict(pod(requests={resource: wanted}), node(), pod("other", requests={resource: taken}))
    assert answer == (f"OutOf{resource}", f"Node didn't have enough resource: {message}")


def test_too_many_pods() -> None:
    others = [pod(name) for name in "abc"]
    expected = ("OutOfpods", "Node didn't have enough resource: pods, requested: 1, used: 3, capacity: 3")
    assert verdict(pod(), node(), *others) == expected


def test_the_first_objection_is_told() -> None:
    answer = verdict(pod(requests={"cpu": "5", "memory": "9Gi"}, nodeSelector={"disk": "ssd"}), node())
    assert answer is not None
    assert answer[0] == "OutOfcpu"


def test_an_extended_resource_the_node_does_not_know_is_ignored() -> None:
    assert verdict(pod(requests={"nvidia.com/gpu": "1"}), node()) is None


def test_an_extended_resource_that_has_run_out_is_not() -> None:
    full = node()
    full["status"]["allocatable"]["nvidia.com/gpu"] = "1"
    gpu = {"nvidia.com/gpu": "1"}
    answer = verdict(pod(requests=gpu), full, pod("other", requests=gpu))
    assert answer is not None
    assert answer[0] == "OutOfnvidia.com/gpu"


@pytest.mark.parametrize(
    ("spec", "reason", "description"),
    [
        ({"nodeSelector": {"disk": "ssd"}}, "NodeAffinity", "node(s) didn't match Pod's node affinity/selector"),
        ({"nodeName": "n2"}, "NodeName", "node(s) didn't match the requested node name"),
    ],
)
def test_a_pod_that_belongs_elsewhere(spec: dict[str, Any], reason: str, description: str) -> None:
    assert verdict(pod(**spec), node()) == (reason, f"Predicate {reason} failed: {description}")


def test_a_host_port_in_use() -> None:
    taken = pod("other", containers=HOST_PORT)
    answer = verdict(pod(containers=HOST_PORT), node(), taken)
    assert answer is not None
    assert answer[0] == "NodePorts"


def test_only_no_execute_taints_matter() -> None:
    assert verdict(pod(), node(taints=[{"key": "gpu", "effect": "NoSchedule"}], unschedulable=True)) is None
    tainted = node(taints=[{"key": "gpu", "effect": "NoExecute"}])
    answer = verdict(pod(), tainted)
    assert answer is not None
    assert answer[0] == "TaintToleration"
    assert verdict(pod(tolerations=[{"key": "gpu", "operator": "Exists"}]), tainted) is None
