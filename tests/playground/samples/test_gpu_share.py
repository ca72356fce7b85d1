"""The sample webhook and extender that share GPUs by memory."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from django.test import Client

from playground.clusters.models import Cluster
from playground.clusters.presets import gpu_share_lab
from playground.clusters.selectors import object_get
from playground.clusters.services.from_preset import cluster_create_from
from playground.clusters.services.pods import PodBinding, pod_bind_many
from playground.clusters.services.transaction import cluster_transaction
from playground.samples.gpu_cards import CARD, COUNT, MEMORY, best_card, cards_of, memory_wanted, refusal, score
from tests.playground.builders import a_cluster, a_pod, created

Json = dict[str, Any]


def a_gpu_node(name: str = "g1", *, cards: int = 2, memory: int = 32) -> Json:
    resources = {"cpu": "16", "memory": "64Gi", "pods": "110", MEMORY: str(memory), COUNT: str(cards)}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}}
    return {**node, "status": {"capacity": resources, "allocatable": resources}}


def a_gpu_pod(name: str, memory: int, *, card: int | None = None) -> Json:
    pod = a_pod(name)
    for kind in ("requests", "limits"):
        pod["spec"]["containers"][0]["resources"].setdefault(kind, {})[MEMORY] = str(memory)
    if card is not None:
        pod["metadata"]["annotations"] = {CARD: str(card)}
    return pod


def post(path: str, body: Any) -> Any:
    return Client().post(f"/samples/gpu-share/{path}", json.dumps(body), content_type="application/json")


def test_a_pod_gets_the_card_that_is_fullest_afterwards() -> None:
    cards = cards_of(a_gpu_node(), [a_gpu_pod("a", 10, card=1)])
    assert [(card.index, card.free) for card in cards] == [(0, 16), (1, 6)]
    assert [best_card(cards, wanted).index for wanted in (6, 7)] == [1, 0]  # type: ignore[union-attr]
    assert (score(cards, 6), score(cards, 8)) == (10, 5)


def test_room_in_pieces_is_no_room() -> None:
    cards = cards_of(a_gpu_node(), [a_gpu_pod("a", 10, card=0), a_gpu_pod("b", 10, card=1)])
    assert best_card(cards, 8) is None
    assert refusal(cards, 8) == "no card with 8 GiB of GPU memory free (free per card: 6, 6)"


@pytest.mark.parametrize("annotation", ["", "x", "-1", "7", "9999999999"])
def test_a_card_that_is_not_there_counts_for_nothing(annotation: str) -> None:
    pod = a_gpu_pod("a", 10)
    pod["metadata"]["annotations"] = {CARD: annotation}
    assert [card.free for card in cards_of(a_gpu_node(), [pod])] == [16, 16]


def test_rubbish_asks_for_nothing() -> None:
    assert memory_wanted({"spec": {"containers": [{"resources": {"requests": {MEMORY: "much"}}}]}}) == 0
    assert memory_wanted({}) == 0
    assert cards_of({"status": {"allocatable": {COUNT: "x"}}}, []) == []


def test_the_webhook_sends_pods_that_share_a_gpu_to_the_gpu_scheduler() -> None:
    pod = a_gpu_pod("a", 4)
    pod["spec"]["schedulerName"] = "default-scheduler"
    response = post("mutate", {"request": {"uid": "1", "object": pod}}).json()["response"]
    assert json.loads(base64.b64decode(response["patch"])) == [
        {"op": "replace", "path": "/spec/schedulerName", "value": "gpu-scheduler"}
    ]
    pod["spec"]["schedulerName"] = "own"
    assert post("mutate", {"request": {"uid": "1", "object": pod}}).json()["response"] == {"uid": "1", "allowed": True}


@pytest.mark.parametrize("body", [[], {}, {"request": {}}, {"request": {"object": []}}])
def test_the_webhook_says_what_it_expects(body: Any) -> None:
    assert post("mutate", body).status_code == 400


@pytest.mark.django_db
def test_the_extender_filters_scores_and_binds() -> None:
    cluster: Cluster = a_cluster()
    full, free = a_gpu_node("full"), a_gpu_node("free")
    taken = [a_gpu_pod("t0", 10, card=0), a_gpu_pod("t1", 10, card=1)]
    created(cluster, full, free, *taken, a_gpu_pod("new", 8), a_gpu_pod("small", 6))
    with cluster_transaction(cluster.pk) as tx:
        pod_bind_many(tx, bindings=[PodBinding(namespace="default", name=f"t{i}", node_name="full") for i in (0, 1)])
    arguments = {"Pod": a_gpu_pod("new", 8), "Nodes": None, "NodeNames": ["full", "free"]}
    assert post("demo/filter", arguments).json() == {
        "NodeNames": ["free"],
        "FailedNodes": {"full": "no card with 8 GiB of GPU memory free (free per card: 6, 6)"},
        "FailedAndUnresolvableNodes": {},
        "Error": "",
    }
    assert post("demo/prioritize", {**arguments, "Pod": a_gpu_pod("small", 6)}).json() == [
        {"Host": "full", "Score": 10},
        {"Host": "free", "Score": 4},
    ]
    wanted = {"PodNamespace": "default", "PodName": "new", "PodUID": "", "Node": "full"}
    assert "no card with 8 GiB" in post("demo/bind", wanted).json()["Error"]
    assert post("demo/bind", {**wanted, "Node": "free"}).json() == {"Error": ""}
    stored = object_get(cluster.pk, "Pod", "default", "new")
    assert stored is not None
    assert (stored["spec"]["nodeName"], stored["metadata"]["annotations"][CARD]) == ("free", "0")
    assert post("demo/filter", {**arguments, "Pod": a_gpu_pod("x", 20)}).json()["FailedAndUnresolvableNodes"]


@pytest.mark.django_db
def test_the_preset_is_accepted_as_it_stands() -> None:
    cluster = cluster_create_from(name="shared", preset="gpu-share-lab")
    assert object_get(cluster.pk, "MutatingWebhookConfiguration", "", "gpu-share") is not None
    extender = gpu_share_lab.configuration("shared")["extenders"][0]
    assert extender["urlPrefix"] == "http://playground.localhost/samples/gpu-share/shared"
