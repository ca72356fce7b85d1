"""Claims through whole cycles: reserved, written, deallocated."""

from __future__ import annotations

from typing import Any

from scheduler_core.framework.binding_cycle import run_binding_cycle
from scheduler_core.objects.decode import decode
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.report import ClaimDeallocation
from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.acceptance.running_cluster import RunningCluster
from tests.scheduler_core.plugins.dynamic_resources.test_dynamic_resources import (
    CLASS,
    allocation,
    claim,
    device,
    devices_of,
    wanting,
)
from tests.scheduler_core.plugins.harness import FakeApi


def cluster_with_one_device(*objects: Any) -> RunningCluster:
    cluster = RunningCluster()
    cluster.add(make_node("n"), CLASS, devices_of("n", device("g0")), *objects)
    return cluster


def test_a_device_goes_to_one_pod_and_its_claim_is_written_when_the_pod_is_bound() -> None:
    cluster = cluster_with_one_device(
        claim("c1"), claim("c2"), wanting("c1", name="first"), wanting("c2", name="second")
    )

    first, second = cluster.attempt(), cluster.attempt()

    assert (first.node, second.node) == ("n", "")
    assert second.message.startswith("0/1 nodes are available: 1 cannot allocate all claims. still not schedulable,")
    api = FakeApi(claim("c1"))
    pod = decode(cluster.pod("first"))
    framework = cluster.scheduler.profiles["default-scheduler"]
    bound = run_binding_cycle(framework, PodInfo(pod), "n", first.binding_data, api)  # type: ignore[arg-type]
    assert bound.status.code == "Success"
    assert api.objects["ResourceClaim", "default", "c1"]["status"]["allocation"] == allocation("n", "g0")


def test_a_deallocated_claim_brings_the_next_pod_back() -> None:
    taken = claim("c1", allocation=allocation("n", "g0"), reservedFor=[{"uid": "x", "name": "x"}])
    cluster = cluster_with_one_device(taken, claim("c2"), wanting("c2"))
    assert cluster.attempt().outcome == "unschedulable"

    cluster.add(claim("c1"))

    assert [report.node for report in cluster.run(seconds=10)] == ["n"]


def test_a_pod_waits_gated_until_its_claim_is_made() -> None:
    pod = make_pod("p").spec(resourceClaims=[{"name": "c", "resourceClaimTemplateName": "t"}])
    cluster = cluster_with_one_device(pod)
    assert cluster.step() is None
    assert cluster.place_of("p") == "gated"

    made = claim("p-c-1")
    owner = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "uid-default-p", "controller": True}
    made["metadata"]["ownerReferences"] = [owner]
    cluster.add(made)
    pod.status(resourceClaimStatuses=[{"name": "c", "resourceClaimName": "p-c-1"}])
    cluster.update(pod)

    assert [report.node for report in cluster.run(seconds=10)] == ["n"]


def test_an_unused_claim_that_is_elsewhere_is_reported_for_deallocation() -> None:
    cluster = cluster_with_one_device(claim("c1", allocation=allocation("gone", "g9")), wanting("c1"))

    report = cluster.attempt()

    assert report.deallocation == ClaimDeallocation(namespace="default", name="c1", uid="uid-c1")
    cluster.add(claim("c1"))
    assert [report.node for report in cluster.run(seconds=10)] == ["n"]


def test_an_allocated_claim_that_is_deleted_brings_the_next_pod_back() -> None:
    taken = claim("c1", allocation=allocation("n", "g0"), reservedFor=[{"uid": "x", "name": "x"}])
    cluster = cluster_with_one_device(taken, claim("c3"), claim("c2"), wanting("c2"))
    assert cluster.attempt().outcome == "unschedulable"

    cluster.remove("c3", kind="ResourceClaim")
    assert cluster.place_of("p") == "unschedulablePods"
    cluster.remove("c1", kind="ResourceClaim")

    assert [report.node for report in cluster.run(seconds=10)] == ["n"]
