from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.objects.decode import decode
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.requests import effective_requests, incoming_scoring_requests, scoring_requests

MIB = 1024 * 1024


def container(restart: str | None = None, **requests: str) -> dict[str, Any]:
    made: dict[str, Any] = {"name": "c", "resources": {"requests": requests}}
    return made | ({"restartPolicy": restart} if restart else {})


def pod(*containers: dict[str, Any], **spec: Any) -> Pod:
    decoded = decode({"kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": list(containers), **spec}})
    assert isinstance(decoded, Pod)
    return decoded


# (name, pod, cpu in millicores)
CPU = [
    ("containers run together", pod(container(cpu="1"), container(cpu="500m")), 1500),
    ("an init container runs before them", pod(container(cpu="1"), initContainers=[container(cpu="3")]), 3000),
    ("init containers run in turn", pod(initContainers=[container(cpu="1"), container(cpu="2")]), 2000),
    ("a sidecar runs beside everything", pod(container(cpu="1"), initContainers=[container("Always", cpu="1")]), 2000),
    (
        "an init container runs beside the sidecars before it",
        pod(container(cpu="400m"), initContainers=[container("Always", cpu="300m"), container(cpu="500m")]),
        800,
    ),
    (
        "but not beside the sidecars after it",
        pod(container(cpu="100m"), initContainers=[container(cpu="500m"), container("Always", cpu="300m")]),
        500,
    ),
    ("overhead comes on top", pod(container(cpu="1"), overhead={"cpu": "250m"}), 1250),
    ("the pod's own request replaces the sum", pod(container(cpu="1"), resources={"requests": {"cpu": "2"}}), 2000),
    (
        "overhead comes on top of it too",
        pod(container(cpu="1"), resources={"requests": {"cpu": "2"}}, overhead={"cpu": "250m"}),
        2250,
    ),
    ("tiny amounts are added before they are rounded", pod(container(cpu="0.4m"), container(cpu="0.4m")), 1),
]


@pytest.mark.parametrize(("name", "of", "millicores"), CPU, ids=[row[0] for row in CPU])
def test_effective_requests(name: str, of: Pod, millicores: int) -> None:
    assert effective_requests(of)["cpu"] == millicores


def test_pod_level_requests_are_for_cpu_memory_and_huge_pages_only() -> None:
    asked = pod(container(cpu="1"), resources={"requests": {"memory": "1Gi", "nvidia.com/gpu": "2"}})
    assert effective_requests(asked) == {"cpu": 1000, "memory": 1024 * MIB}


def test_scoring_counts_every_container_without_a_request() -> None:
    asked = pod(container(), container(cpu="1"), container(memory="1Mi"))
    assert scoring_requests(asked) == (1200, 401 * MIB)


def test_scoring_of_a_pod_on_a_node_takes_pod_level_requests_as_they_are() -> None:
    asked = pod(container(), resources={"requests": {"cpu": "2", "memory": "1Gi"}})
    assert scoring_requests(asked) == (2000, 1024 * MIB)
    only_cpu = pod(container(), container(), resources={"requests": {"cpu": "2"}})
    assert scoring_requests(only_cpu) == (2000, 400 * MIB)


def test_scoring_of_the_incoming_pod_looks_at_containers_only() -> None:
    asked = pod(container(), resources={"requests": {"cpu": "2", "memory": "1Gi"}})
    assert incoming_scoring_requests(asked) == {"cpu": 100, "memory": 200 * MIB}


def test_absurd_amounts_stay_within_64_bits() -> None:
    asked = effective_requests(pod(container(cpu="1e19"), container(cpu="1e19")))
    assert asked["cpu"] == 2**62


def resizing(reason: str = "") -> Pod:
    status = {
        "containerStatuses": [
            {"name": "c", "resources": {"requests": {"cpu": "1"}}, "allocatedResources": {"cpu": "1500m"}}
        ],
        "conditions": [{"type": "PodResizePending", "status": "True", "reason": reason}],
    }
    manifest = {"kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [container(cpu="4")]}}
    decoded = decode({**manifest, "status": status})
    assert isinstance(decoded, Pod)
    return decoded


@pytest.mark.parametrize(("reason", "millicores"), [("Deferred", 4000), ("Infeasible", 1500)])
def test_a_pod_being_resized_counts_the_largest_amount(reason: str, millicores: int) -> None:
    assert effective_requests(resizing(reason)) == {"cpu": millicores}
