from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.status import Code
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.plugins.harness import Bench, FakeApi

NOT_ON_NODE = "node(s) didn't match PersistentVolume's node affinity"
NOT_FOUND = "node(s) didn't find available persistent volumes to bind"
NO_ROOM = "node(s) did not have enough free storage"
GONE = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
BOUND = {"pv.kubernetes.io/bind-completed": "yes"}


def claim(name: str, size: str = "1Gi", class_name: str = "local", **more: Any) -> dict[str, Any]:
    spec = {"accessModes": ["ReadWriteOnce"], "storageClassName": class_name, **more.pop("spec", {})}
    spec["resources"] = {"requests": {"storage": size}}
    metadata = {"name": name, "namespace": "default", "uid": f"uid-{name}", **more}
    return {"kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec}


def bound(name: str, volume: str) -> dict[str, Any]:
    return claim(name, annotations=BOUND, spec={"volumeName": volume})


def volume(name: str, size: str = "1Gi", zone: str = "", phase: str = "Available", **spec: Any) -> dict[str, Any]:
    if zone:
        term = {"matchExpressions": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": [zone]}]}
        spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": [term]}}
    spec = {"capacity": {"storage": size}, "accessModes": ["ReadWriteOnce"], "storageClassName": "local", **spec}
    return {"kind": "PersistentVolume", "metadata": {"name": name}, "spec": spec, "status": {"phase": phase}}


def storage_class(name: str, provisioner: str = "csi.example.com", **fields: Any) -> dict[str, Any]:
    mode = {"volumeBindingMode": "WaitForFirstConsumer"}
    return {"kind": "StorageClass", "metadata": {"name": name}, "provisioner": provisioner, **mode, **fields}


LOCAL = storage_class("local", provisioner="kubernetes.io/no-provisioner")


def using(*claims: str) -> PodInfo:
    volumes = [{"name": each, "persistentVolumeClaim": {"claimName": each}} for each in claims]
    return make_pod("p").spec(volumes=volumes).pod_info()


def zones() -> Bench:
    return Bench(make_node("a").zone("za"), make_node("b").zone("zb"), make_node("c").zone("zc"), LOCAL)


def fits(bench: Bench, pod: PodInfo) -> dict[str, list[str]]:
    """Node -> reasons against it."""
    answers = bench.filter(bench.plugin("VolumeBinding"), pod)
    return {node: list(status.reasons) for node, status in answers.items()}


def test_a_bound_volume_ties_the_pod_to_its_nodes() -> None:
    bench = zones()
    bench.add(bound("data", "v"), volume("v", zone="zb"))
    assert fits(bench, using("data")) == {"a": [NOT_ON_NODE], "b": [], "c": [NOT_ON_NODE]}


def test_a_bound_volume_that_is_gone() -> None:
    bench = zones()
    bench.add(bound("data", "v"))
    assert fits(bench, using("data")) == {"a": [GONE], "b": [GONE], "c": [GONE]}


def test_an_unbound_claim_takes_a_volume_that_is_there() -> None:
    bench = zones()
    bench.add(claim("data"), volume("va", zone="za"), volume("vb", zone="zb", phase="Bound"))
    assert fits(bench, using("data")) == {"a": [], "b": [NOT_FOUND], "c": [NOT_FOUND]}


def test_two_claims_do_not_share_a_volume() -> None:
    bench = zones()
    bench.add(claim("one"), claim("two"), volume("va", zone="za"), volume("vb1", zone="zb"), volume("vb2", zone="zb"))
    assert fits(bench, using("one", "two")) == {"a": [NOT_FOUND], "b": [], "c": [NOT_FOUND]}


def test_the_smallest_volume_that_is_large_enough_is_taken() -> None:
    bench = zones()
    bench.add(claim("data", size="5Gi"), volume("v1", "1Gi"), volume("v50", "50Gi"), volume("v10", "10Gi"))
    plugin, pod, state = bench.plugin("VolumeBinding"), using("data"), CycleState()
    bench.pre_filter(plugin, pod, state)
    bench.filter(plugin, pod, state)
    assert plugin.reserve(state, pod, "a").is_success  # type: ignore[attr-defined]
    assert [each["volume"] for each in state.binding_data["VolumeBinding"]["bindings"]] == ["v10"]


# (name, the volume's difference)
UNFIT = [
    ("too small", {"size": "1Mi"}),
    ("another class", {"storageClassName": "other"}),
    ("another access mode", {"accessModes": ["ReadOnlyMany"]}),
    ("another mode", {"volumeMode": "Block"}),
    ("somebody else's", {"claimRef": {"namespace": "default", "name": "other", "uid": "u"}}),
]


@pytest.mark.parametrize(("name", "difference"), UNFIT, ids=[row[0] for row in UNFIT])
def test_a_volume_that_does_not_fit_the_claim(name: str, difference: dict[str, Any]) -> None:
    bench = Bench(make_node("a"), LOCAL, claim("data"), volume("v", **difference))
    assert fits(bench, using("data")) == {"a": [NOT_FOUND]}


def test_a_volume_reserved_for_the_claim_is_the_only_choice() -> None:
    bench = zones()
    mine = {"namespace": "default", "name": "data", "uid": "uid-data"}
    bench.add(claim("data"), volume("v-any"), volume("v-mine", zone="zc", claimRef=mine))
    assert fits(bench, using("data")) == {"a": [NOT_FOUND], "b": [NOT_FOUND], "c": []}


def test_a_selector_chooses_among_volumes() -> None:
    bench = zones()
    chosen = volume("v", zone="zb")
    chosen["metadata"]["labels"] = {"speed": "fast"}
    selector = {"selector": {"matchLabels": {"speed": "fast"}}}
    bench.add(claim("data", spec=selector), chosen, volume("slow", zone="za"))
    assert fits(bench, using("data")) == {"a": [NOT_FOUND], "b": [], "c": [NOT_FOUND]}


def test_what_is_not_there_can_be_provisioned_where_the_class_allows() -> None:
    bench = zones()
    allowed = [{"matchLabelExpressions": [{"key": "topology.kubernetes.io/zone", "values": ["za", "zc"]}]}]
    bench.add(storage_class("cloud", allowedTopologies=allowed), claim("data", class_name="cloud"))
    assert fits(bench, using("data")) == {"a": [], "b": [NOT_FOUND], "c": []}


def test_an_empty_term_of_a_class_allows_no_node() -> None:
    bench = zones()
    bench.add(storage_class("cloud", allowedTopologies=[{}]), claim("data", class_name="cloud"))
    assert fits(bench, using("data")) == {"a": [NOT_FOUND], "b": [NOT_FOUND], "c": [NOT_FOUND]}


def capacity(zone: str, **amounts: str) -> dict[str, Any]:
    topology = {"matchLabels": {"topology.kubernetes.io/zone": zone}}
    kind = {"kind": "CSIStorageCapacity", "metadata": {"name": zone, "namespace": "default"}}
    return {**kind, "storageClassName": "cloud", "nodeTopology": topology, **amounts}


def test_a_driver_that_tells_its_capacity_provisions_where_there_is_room() -> None:
    bench = zones()
    bench.add(storage_class("cloud"), claim("data", size="10Gi", class_name="cloud"))
    bench.add({"kind": "CSIDriver", "metadata": {"name": "csi.example.com"}, "spec": {"storageCapacity": True}})
    bench.add(capacity("za", capacity="100Gi"), capacity("zb", capacity="100Gi", maximumVolumeSize="1Gi"))
    assert fits(bench, using("data")) == {"a": [], "b": [NO_ROOM], "c": [NO_ROOM]}


def test_a_claim_on_its_way_to_a_node_stays_there() -> None:
    bench = zones()
    selected = {"volume.kubernetes.io/selected-node": "b"}
    bench.add(storage_class("cloud"), claim("data", class_name="cloud", annotations=selected))
    assert fits(bench, using("data")) == {"a": [NOT_FOUND], "b": [], "c": [NOT_FOUND]}


# (name, objects, the reason)
NOT_YET = [
    ("missing", [], 'persistentvolumeclaim "data" not found'),
    (
        "of a class that binds at once",
        [claim("data", class_name="now")],
        "pod has unbound immediate PersistentVolumeClaims",
    ),
    (
        "going",
        [claim("data", deletionTimestamp="2026-01-01T00:00:00Z")],
        'persistentvolumeclaim "data" is being deleted',
    ),
    (
        "lost",
        [{**claim("data", spec={"volumeName": "v"}), "status": {"phase": "Lost"}}],
        'persistentvolumeclaim "data" bound to non-existent persistentvolume "v"',
    ),
]


@pytest.mark.parametrize(("name", "objects", "reason"), NOT_YET, ids=[row[0] for row in NOT_YET])
def test_a_claim_nobody_can_be_scheduled_with(name: str, objects: list[Any], reason: str) -> None:
    bench = Bench(make_node("a"), LOCAL, storage_class("now", volumeBindingMode="Immediate"), *objects)
    assert fits(bench, using("data")) == {"a": [reason]}


def test_an_ephemeral_volume_waits_for_its_claim() -> None:
    pod = make_pod("p").spec(volumes=[{"name": "tmp", "ephemeral": {}}]).pod_info()
    reason = 'waiting for ephemeral volume controller to create the persistentvolumeclaim "p-tmp"'
    assert fits(Bench(make_node("a"), LOCAL), pod) == {"a": [reason]}


def test_a_class_that_is_gone_fails_the_cycle() -> None:
    bench = Bench(make_node("a"), LOCAL, claim("data"))
    plugin, pod, state = bench.plugin("VolumeBinding"), using("data"), CycleState()
    bench.pre_filter(plugin, pod, state)
    bench.lister.remove(bench.lister.get("StorageClass", None, "local"))
    (status,) = bench.filter(plugin, pod, state).values()
    assert (status.code, status.reasons) == (Code.ERROR, ('failed to find storage class "local"',))


def reserved(bench: Bench, plugin: Any, pod: PodInfo, node: str) -> CycleState:
    state = CycleState()
    bench.pre_filter(plugin, pod, state)
    bench.filter(plugin, pod, state)
    assert plugin.reserve(state, pod, node).is_success
    return state


def test_a_promised_volume_is_not_promised_again_until_it_is_given_back() -> None:
    bench = Bench(make_node("a"), LOCAL, claim("one"), claim("two"), volume("v"))
    plugin: Any = bench.plugin("VolumeBinding")
    first = using("one")
    state = reserved(bench, plugin, first, "a")
    second = using("two")
    assert not bench.filter(plugin, second)["a"].is_success
    plugin.unreserve(state, first, "a")
    assert bench.filter(plugin, second)["a"].is_success


def test_pre_bind_writes_the_choice_and_waits_for_the_volume_controller() -> None:
    bench = Bench(
        make_node("a"), LOCAL, storage_class("cloud"), claim("old"), claim("new", class_name="cloud"), volume("v")
    )
    plugin: Any = bench.plugin("VolumeBinding")
    pod = using("old", "new")
    state = CycleState(reserved(bench, plugin, pod, "a").binding_data)
    api = FakeApi(claim("old"), claim("new", class_name="cloud"), volume("v"))

    assert plugin.pre_bind(state, pod, "a", api).code is Code.WAIT
    assert api.objects["PersistentVolume", None, "v"]["spec"]["claimRef"]["name"] == "old"
    annotations = api.objects["PersistentVolumeClaim", "default", "new"]["metadata"]["annotations"]
    assert annotations == {"volume.kubernetes.io/selected-node": "a"}

    for name, volume_name in (("old", "v"), ("new", "made")):
        made = {"spec": {"volumeName": volume_name}, "metadata": {"annotations": BOUND}}
        api.patch("PersistentVolumeClaim", "default", name, made)
    assert plugin.pre_bind(state, pod, "a", api).is_success


def test_pre_bind_fails_where_somebody_else_took_the_volume() -> None:
    bench = Bench(make_node("a"), LOCAL, claim("data"), volume("v"))
    plugin: Any = bench.plugin("VolumeBinding")
    state = reserved(bench, plugin, using("data"), "a")
    api = FakeApi(claim("data"), volume("v", claimRef={"namespace": "default", "name": "thief"}))
    status = plugin.pre_bind(state, using("data"), "a", api)
    assert (status.code, status.message) == (Code.ERROR, 'persistentvolume "v" was bound to another claim')
