"""From object changes to the words plugins register for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scheduler_core.queue.events import expanded_actions, node_update_events, object_event, pod_update_events
from scheduler_core.testing import NodeBuilder, PodBuilder, make_node, make_pod


def same(builder: NodeBuilder) -> NodeBuilder:
    return builder


@pytest.mark.parametrize(
    ("change", "actions"),
    [
        pytest.param(same, [], id="a heartbeat is no event"),
        pytest.param(lambda node: node.cpu("8"), ["UpdateNodeAllocatable"], id="allocatable"),
        pytest.param(lambda node: node.labels(disk="ssd"), ["UpdateNodeLabel"], id="labels"),
        pytest.param(lambda node: node.taint("k"), ["UpdateNodeTaint"], id="taints"),
        pytest.param(lambda node: node.cordoned(), [], id="a cordon lets nobody in"),
        pytest.param(
            lambda node: node.cpu("8").labels(disk="ssd"), ["UpdateNodeAllocatable", "UpdateNodeLabel"], id="two"
        ),
    ],
)
def test_node_updates(change: Callable[[NodeBuilder], NodeBuilder], actions: list[str]) -> None:
    events = node_update_events(make_node("n1").node(), change(make_node("n1")).node())
    assert [event.action for event in events] == actions


def test_uncordoning_is_told_as_a_taint_update() -> None:
    events = node_update_events(make_node("n1").cordoned().node(), make_node("n1").node())
    assert [event.label for event in events] == ["NodeUpdateNodeTaint"]


@pytest.mark.parametrize(
    ("old", "new", "actions"),
    [
        pytest.param(make_pod("a"), make_pod("a"), ["Update"], id="nothing of interest"),
        pytest.param(make_pod("a"), make_pod("a").labels(app="x"), ["UpdatePodLabel"], id="labels"),
        pytest.param(
            make_pod("a"), make_pod("a").toleration(operator="Exists"), ["UpdatePodToleration"], id="toleration"
        ),
        pytest.param(make_pod("a").gate("x"), make_pod("a"), ["UpdatePodSchedulingGatesEliminated"], id="last gate"),
        pytest.param(make_pod("a").gate("x", "y"), make_pod("a").gate("y"), ["Update"], id="one gate of two"),
        pytest.param(
            make_pod("a").requests(cpu="2"), make_pod("a").requests(cpu="1"), ["UpdatePodScaleDown"], id="scaled down"
        ),
        pytest.param(make_pod("a").requests(cpu="1"), make_pod("a").requests(cpu="2"), ["Update"], id="scaled up"),
        pytest.param(make_pod("a").requests(cpu="1"), make_pod("a"), ["UpdatePodScaleDown"], id="request removed"),
        pytest.param(
            make_pod("a"),
            make_pod("a").status(resourceClaimStatuses=[{"name": "c", "resourceClaimName": "made"}]),
            ["UpdatePodGeneratedResourceClaim"],
            id="claim made",
        ),
    ],
)
def test_pod_updates(old: PodBuilder, new: PodBuilder, actions: list[str]) -> None:
    assert [event.action for event in pod_update_events(old.pod(), new.pod())] == actions


def test_updates_of_pods_on_nodes_are_told_apart() -> None:
    old, new = make_pod("a").on("n1").pod(), make_pod("a").on("n1").labels(app="x").pod()
    assert [event.label for event in pod_update_events(old, new)] == ["AssignedPodUpdatePodLabel"]


def test_grouped_kinds_carry_their_group() -> None:
    assert object_event("StorageClass", "Add").resource == "storage.k8s.io/StorageClass"
    assert object_event("PersistentVolumeClaim", "Add").label == "PersistentVolumeClaimAdd"


def test_registering_update_means_every_update() -> None:
    assert set(expanded_actions("Pod", frozenset({"Update"}))) >= {"Update", "UpdatePodLabel", "UpdatePodToleration"}
    assert list(expanded_actions("Node", frozenset({"Add"}))) == ["Add"]
    assert set(expanded_actions("PersistentVolume", frozenset({"All"}))) == {"Add", "Delete", "Update"}
