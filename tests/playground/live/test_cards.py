"""Cards: what a page shows of an object, by the engine's rules."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from playground.live.cards import card_of
from playground.live.messages import EventCard, NodeCard, ObjectCard, PodCard, WorkloadCard
from tests.playground.builders import a_deployment, a_node, a_pod

Json = dict[str, Any]


def stored(manifest: Json, **metadata: Any) -> Json:
    identity = {"uid": "u1", "resourceVersion": "7", "creationTimestamp": "2026-01-01T00:00:00Z"}
    return {**manifest, "metadata": {**manifest["metadata"], **identity, **metadata}}


def test_a_pods_requests_are_effective() -> None:
    pod = a_pod(
        initContainers=[{"name": "init", "image": "x", "resources": {"requests": {"cpu": "2", "memory": "1Mi"}}}],
        overhead={"cpu": "50m"},
    )
    card = card_of("Pod", stored(pod))
    assert isinstance(card, PodCard)
    assert card.requests == {"cpu": 2050, "memory": 1024 * 1024}
    assert (card.resource_version, card.image, card.phase, card.node_name) == (7, "nginx:1.27", "Pending", "")


def test_a_pod_says_why_it_waits_or_failed() -> None:
    waiting = {"containerStatuses": [{"name": "main", "state": {"waiting": {"reason": "ContainerCreating"}}}]}
    failed = {"phase": "Failed", "reason": "OutOfcpu", "message": "Node didn't have enough resource: cpu"}
    for status, reason in ((waiting, "ContainerCreating"), (failed, "OutOfcpu"), ({}, "")):
        card = card_of("Pod", {**stored(a_pod()), "status": status})
        assert isinstance(card, PodCard)
        assert card.reason == reason


def test_a_pods_owner_is_its_controller() -> None:
    owners = [
        {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "o1"},
        {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs", "uid": "o2", "controller": True},
    ]
    card = card_of("Pod", stored(a_pod(), ownerReferences=owners))
    assert isinstance(card, PodCard)
    assert card.owner is not None
    assert card.owner.name == "rs"


def test_a_node_shows_roles_zone_taints_and_size() -> None:
    labels = {"node-role.kubernetes.io/control-plane": "", "topology.kubernetes.io/zone": "a"}
    node = stored(a_node(labels=labels, taints=[{"key": "k", "effect": "NoSchedule"}], unschedulable=True))
    node["status"]["conditions"] = [{"type": "Ready", "status": "True"}]
    node["status"]["images"] = [{"names": ["nginx:1", "nginx@sha256:0"], "sizeBytes": 5}]
    card = card_of("Node", node)
    assert isinstance(card, NodeCard)
    assert (card.roles, card.zone, card.ready, card.unschedulable) == (["control-plane"], "a", "True", True)
    assert card.allocatable == {"cpu": 4000, "memory": 8 * 1024**3, "pods": 110}
    assert (card.taints[0].key, card.images) == ("k", ["nginx:1"])


def test_workloads_events_and_others_have_cards_of_their_own() -> None:
    workload = card_of("Deployment", {**stored(a_deployment(replicas=3)), "status": {"readyReplicas": 2}})
    assert isinstance(workload, WorkloadCard)
    assert (workload.replicas, workload.ready_replicas) == (3, 2)
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "e", "namespace": "default"},
        "involvedObject": {"kind": "Pod", "name": "web", "uid": "p"},
        "reason": "Scheduled",
        "source": {"component": "default-scheduler"},
        "count": 2,
        "firstTimestamp": "2026-01-01T00:00:00Z",
        "lastTimestamp": "2026-01-01T00:00:05Z",
    }
    card = card_of("Event", stored(event))
    assert isinstance(card, EventCard)
    assert (card.count, card.source, card.last_at) == (2, "default-scheduler", "2026-01-01T00:00:05Z")
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "default"}}
    assert isinstance(card_of("Secret", stored(secret)), ObjectCard)


@pytest.mark.parametrize("kind", ["Pod", "Node"])
def test_what_the_engine_cannot_read_is_shown_as_an_object(kind: str) -> None:
    broken = {"apiVersion": "v1", "kind": kind, "metadata": {"name": "x"}, "spec": 5}
    assert isinstance(card_of(kind, stored(broken)), ObjectCard)


def test_cards_are_json_as_the_page_expects_it() -> None:
    body = msgspec.json.decode(msgspec.json.encode(card_of("Pod", stored(a_pod()))))
    assert body["kind"] == "Pod"
