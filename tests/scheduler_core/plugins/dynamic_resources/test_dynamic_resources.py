from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.status import Code
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.report import ClaimDeallocation
from scheduler_core.testing import PodBuilder, make_node, make_pod
from tests.scheduler_core.plugins.harness import Bench, FakeApi

DRIVER = "gpu.example.com"


def cel(expression: str) -> dict[str, Any]:
    return {"selectors": [{"cel": {"expression": expression}}]}


CLASS = {"kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": cel(f'device.driver == "{DRIVER}"')}


def device(name: str, **attributes: Any) -> dict[str, Any]:
    kinds: dict[type, str] = {bool: "bool", int: "int", str: "string"}
    return {"name": name, "attributes": {key: {kinds[type(value)]: value} for key, value in attributes.items()}}


def devices_of(node: str, *devices: dict[str, Any], slices: int = 1, **where: Any) -> dict[str, Any]:
    pool = {"name": node, "generation": 1, "resourceSliceCount": slices}
    spec = {"driver": DRIVER, "pool": pool, "devices": list(devices), **(where or {"nodeName": node})}
    return {"kind": "ResourceSlice", "metadata": {"name": f"slice-{node}"}, "spec": spec}


def request(name: str = "r", **body: Any) -> dict[str, Any]:
    return {"name": name, "exactly": {"deviceClassName": "gpu", **body}}


def claim(name: str, *requests: dict[str, Any], constraints: Any = (), **status: Any) -> dict[str, Any]:
    devices = {"requests": list(requests) or [request()], "constraints": list(constraints)}
    metadata = {"name": name, "namespace": "default", "uid": f"uid-{name}"}
    return {"kind": "ResourceClaim", "metadata": metadata, "spec": {"devices": devices}, "status": status}


def allocation(node: str, *names: str) -> dict[str, Any]:
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}
    results = [{"request": "r", "driver": DRIVER, "pool": node, "device": each} for each in names]
    return {"devices": {"results": results}, "nodeSelector": {"nodeSelectorTerms": [term]}}


def wanting(*claims: str, name: str = "p") -> PodBuilder:
    return make_pod(name).spec(resourceClaims=[{"name": each, "resourceClaimName": each} for each in claims])


def fitting(bench: Bench, pod: PodBuilder) -> set[str]:
    answers = bench.filter(bench.plugin("DynamicResources"), pod.pod_info())
    assert {status.message for status in answers.values() if not status.is_success} <= {"cannot allocate all claims"}
    return {node for node, status in answers.items() if status.is_success}


def two_nodes(*objects: Any) -> Bench:
    a100, h100 = device("g0", model="a100", numa=0), device("g1", model="h100", numa=1)
    more = device("g0", model="a100", numa=0), device("g1", model="a100", numa=0)
    return Bench(
        make_node("mixed"),
        make_node("twins"),
        CLASS,
        devices_of("mixed", a100, h100),
        devices_of("twins", *more),
        *objects,
    )


NUMA = {"matchAttribute": f"{DRIVER}/numa"}
H100 = cel(f'device.attributes["{DRIVER}"].model == "h100"')
A100 = cel(f'device.attributes["{DRIVER}"].model == "a100"')

# (name, claim, nodes that fit)
CLAIMS = [
    ("one of a class", claim("c"), {"mixed", "twins"}),
    ("more than there are", claim("c", request(count=3)), set()),
    ("by a selector", claim("c", request(**H100)), {"mixed"}),
    ("two on one NUMA node", claim("c", request(count=2), constraints=[NUMA]), {"twins"}),
    (
        "a constraint over two requests makes the search go back",
        claim("c", request("x"), request("y", **H100), constraints=[{**NUMA, "requests": ["y"]}]),
        {"mixed"},
    ),
    (
        "two that differ",
        claim("c", request(count=2), constraints=[{"distinctAttribute": f"{DRIVER}/model"}]),
        {"mixed"},
    ),
    ("all there are", claim("c", request(allocationMode="All"), constraints=[NUMA]), {"twins"}),
    ("all of which there are none", claim("c", request(allocationMode="All", **H100)), {"mixed"}),
    (
        "the second best will do",
        claim(
            "c",
            {
                "name": "r",
                "firstAvailable": [
                    {"name": "best", "deviceClassName": "gpu", **H100},
                    {"name": "two", "deviceClassName": "gpu", "count": 2, **A100},
                ],
            },
        ),
        {"mixed", "twins"},
    ),
    (
        "an attribute the constraint names is missing",
        claim("c", constraints=[{"matchAttribute": f"{DRIVER}/x"}]),
        set(),
    ),
]


@pytest.mark.parametrize(("name", "wanted", "expected"), CLAIMS, ids=[row[0] for row in CLAIMS])
def test_devices_for_a_claim(name: str, wanted: dict[str, Any], expected: set[str]) -> None:
    assert fitting(two_nodes(wanted), wanting("c")) == expected


def test_devices_in_use_are_not_given_again() -> None:
    taken = claim("taken", allocation=allocation("mixed", "g0", "g1"), reservedFor=[{"name": "x", "uid": "x"}])
    assert fitting(two_nodes(taken, claim("c")), wanting("c")) == {"twins"}


def test_access_for_administrators_shares_a_device() -> None:
    taken = claim("taken", allocation=allocation("mixed", "g0", "g1"))
    assert "mixed" in fitting(two_nodes(taken, claim("c", request(adminAccess=True))), wanting("c"))


def test_going_back_over_administrators_access_frees_nothing() -> None:
    differ = [{"distinctAttribute": f"{DRIVER}/model", "requests": ["watch", "third"]}]
    wanted = claim("c", request("own"), request("watch", adminAccess=True), request("third"), constraints=differ)
    bench = Bench(
        make_node("n"), CLASS, devices_of("n", device("g0", model="a100"), device("g1", model="a100")), wanted
    )
    # "watch" and "third" cannot differ, however often the search goes back.
    assert fitting(bench, wanting("c")) == set()
    alone = claim("c", request("own"), request("watch", adminAccess=True), request("third"), request("fourth"))
    bench = Bench(make_node("n"), CLASS, devices_of("n", device("g0"), device("g1")), alone)
    assert fitting(bench, wanting("c")) == set()


def test_two_claims_of_one_pod_do_not_share_a_device() -> None:
    bench = Bench(make_node("n"), CLASS, devices_of("n", device("g0")), claim("c1"), claim("c2"))
    assert fitting(bench, wanting("c1")) == {"n"}
    assert fitting(bench, wanting("c1", "c2")) == set()


def test_an_allocated_claim_is_usable_where_it_was_allocated() -> None:
    bench = two_nodes(claim("c", allocation=allocation("mixed", "g0")))
    answers = bench.filter(bench.plugin("DynamicResources"), wanting("c").pod_info())
    assert answers["mixed"].is_success
    assert answers["twins"].reasons == ("resourceclaim not available on the node",)


def test_an_incomplete_pool_is_not_used() -> None:
    bench = Bench(make_node("n"), CLASS, devices_of("n", device("g0"), slices=2), claim("c"))
    assert fitting(bench, wanting("c")) == set()


def test_a_pool_may_be_reached_by_selected_nodes() -> None:
    term = {"matchExpressions": [{"key": "rack", "operator": "In", "values": ["1"]}]}
    shared = devices_of("pool", device("g0"), nodeSelector={"nodeSelectorTerms": [term]})
    bench = Bench(make_node("near").label("rack", "1"), make_node("far"), CLASS, shared, claim("c"))
    assert fitting(bench, wanting("c")) == {"near"}


# (name, pod, objects, reason)
MISSING = [
    ("no claim", wanting("c"), [], 'could not find ResourceClaim "default/c"'),
    (
        "the template's claim is not made yet",
        make_pod("p").spec(resourceClaims=[{"name": "c", "resourceClaimTemplateName": "t"}]),
        [],
        'pod "default/p": ResourceClaim not created yet',
    ),
    ("no class", wanting("c"), [claim("c", request(deviceClassName="x"))], "request r: device class x does not exist"),
    (
        "going",
        wanting("c"),
        [{**claim("c"), "metadata": {**claim("c")["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}}],
        'resourceclaim "c" is being deleted',
    ),
    (
        "full",
        wanting("c"),
        [claim("c", allocation=allocation("n", "g"), reservedFor=[{"uid": str(i)} for i in range(256)])],
        "resourceclaim in use",
    ),
]


@pytest.mark.parametrize(("name", "pod", "objects", "reason"), MISSING, ids=[row[0] for row in MISSING])
def test_claims_a_pod_has_to_wait_for(name: str, pod: PodBuilder, objects: list[Any], reason: str) -> None:
    bench = Bench(make_node("n"), CLASS, *objects)
    status = bench.pre_filter(bench.plugin("DynamicResources"), pod.pod_info(), CycleState()).status
    assert (status.code, status.message) == (Code.UNSCHEDULABLE_AND_UNRESOLVABLE, reason)


def test_the_template_claim_is_found_by_the_pods_status() -> None:
    owner = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "uid-default-p", "controller": True}
    made = claim("p-c-x7")
    made["metadata"]["ownerReferences"] = [owner]
    pod = make_pod("p").spec(resourceClaims=[{"name": "c", "resourceClaimTemplateName": "t"}])
    pod.status(resourceClaimStatuses=[{"name": "c", "resourceClaimName": "p-c-x7"}])
    assert fitting(two_nodes(made), pod) == {"mixed", "twins"}


def test_a_broken_expression_fails_the_cycle_and_is_named() -> None:
    broken = claim("c", request(**cel(f'device.attributes["{DRIVER}"].gone == 1')))
    bench = two_nodes(broken)
    answers = bench.filter(bench.plugin("DynamicResources"), wanting("c").pod_info())
    assert {status.code for status in answers.values()} == {Code.ERROR}
    assert "claim default/c: selector #1: CEL runtime error" in answers["mixed"].message


def reserved(bench: Bench, plugin: Any, pod: PodInfo, node: str) -> CycleState:
    state = CycleState()
    assert bench.pre_filter(plugin, pod, state).status.is_success
    bench.filter(plugin, pod, state)
    assert plugin.reserve(state, pod, node).is_success
    return state


def test_a_reserved_device_is_taken_until_it_is_given_back() -> None:
    bench = Bench(make_node("n"), CLASS, devices_of("n", device("g0")), claim("c1"), claim("c2"))
    plugin: Any = bench.plugin("DynamicResources")
    first, second = wanting("c1").pod_info(), wanting("c2", name="q").pod_info()
    state = reserved(bench, plugin, first, "n")
    assert not bench.filter(plugin, second)["n"].is_success
    plugin.unreserve(state, first, "n")
    assert bench.filter(plugin, second)["n"].is_success


def test_pre_bind_writes_allocation_and_consumer_into_the_claim() -> None:
    bench = two_nodes(claim("c", request(**H100)))
    plugin: Any = bench.plugin("DynamicResources")
    pod = wanting("c").pod_info()
    binding_data = reserved(bench, plugin, pod, "mixed").binding_data
    api = FakeApi(claim("c", request(**H100)))

    for _ in range(2):  # once more changes nothing
        assert plugin.pre_bind(CycleState(binding_data), pod, "mixed", api).is_success

    status = api.objects["ResourceClaim", "default", "c"]["status"]
    assert status["allocation"] == allocation("mixed", "g1")
    assert [each["name"] for each in status["reservedFor"]] == ["p"]


def test_pre_bind_fails_where_the_claim_went_elsewhere() -> None:
    bench = two_nodes(claim("c"))
    plugin: Any = bench.plugin("DynamicResources")
    pod = wanting("c").pod_info()
    state = reserved(bench, plugin, pod, "mixed")
    status = plugin.pre_bind(state, pod, "mixed", FakeApi(claim("c", allocation=allocation("twins", "g0"))))
    assert status.message == "resource claim default/c was allocated by somebody else"


# (name, who has reserved it, deallocated)
UNUSED = [("nobody", [], True), ("the pod itself", ["uid-default-p"], True), ("another pod", ["x"], False)]


@pytest.mark.parametrize(("name", "users", "deallocated"), UNUSED, ids=[row[0] for row in UNUSED])
def test_an_unused_claim_elsewhere_is_deallocated(name: str, users: list[str], deallocated: bool) -> None:
    stuck = claim("c", allocation=allocation("gone", "g0"), reservedFor=[{"uid": uid} for uid in users])
    bench = two_nodes(stuck)
    plugin: Any = bench.plugin("DynamicResources")
    pod, state = wanting("c").pod_info(), CycleState()
    bench.pre_filter(plugin, pod, state)
    bench.filter(plugin, pod, state)

    result = plugin.post_filter(state, pod, None)

    assert result.status.message == (
        "deallocation of ResourceClaim completed" if deallocated else "still not schedulable"
    )
    freed = ClaimDeallocation(namespace="default", name="c", uid="uid-c")
    assert result.detail == (freed if deallocated else None)


def test_a_pod_without_claims_has_nothing_to_deallocate() -> None:
    bench = two_nodes()
    plugin: Any = bench.plugin("DynamicResources")
    state = CycleState()
    assert bench.pre_filter(plugin, make_pod("p").pod_info(), state).status.is_skip
    assert plugin.post_filter(state, make_pod("p").pod_info(), None).status.message == "no new claims to deallocate"
    # PreFilter was not reached.
    assert plugin.post_filter(CycleState(), make_pod("p").pod_info(), None).status.code is Code.ERROR


def test_the_gate_switches_it_off() -> None:
    bench = Bench(make_node("n"), gates={"DynamicResourceAllocation": False})
    plugin: Any = bench.plugin("DynamicResources")
    assert bench.pre_filter(plugin, wanting("c").pod_info(), CycleState()).status.is_skip
    assert plugin.events_to_register() == ()
