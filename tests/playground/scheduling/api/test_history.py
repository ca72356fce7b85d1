"""The history over HTTP: its bounds, its timeline, snapshots of the past and the messages that follow them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from django.test import Client

from playground.clusters.models import Cluster
from playground.clusters.services.clusters import cluster_pause, cluster_speed
from playground.clusters.services.objects import object_delete
from playground.clusters.services.transaction import cluster_transaction
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.scheduling.driving import Worker

pytestmark = pytest.mark.django_db

Json = dict[str, Any]


@pytest.fixture
def cluster() -> Cluster:
    cluster = a_cluster()
    created(cluster, a_node("n1", cpu="1"), a_node("n2", cpu="1"))
    created(cluster, a_pod("web"), a_pod("big", cpu="8"))
    Worker(cluster).work()
    with cluster_transaction(cluster.pk) as tx:
        object_delete(tx, kind="Node", namespace="", name="n2")
        cluster_speed(tx, speed=2)
        cluster_pause(tx)
    cluster.refresh_from_db()
    return cluster


def get(client: Client, path: str, status: int = 200) -> Json:
    response = client.get(f"/api/clusters/demo/history/{path}")
    assert response.status_code == status, response.content
    answer: Json = response.json()
    return answer


def test_the_timeline_counts_what_happened(client: Client, cluster: Cluster) -> None:
    answer = get(client, "")
    assert (answer["oldest"], answer["newest"]) == (0, cluster.resource_version)
    slots = answer["slots"]
    assert sum(slot["changes"] for slot in slots) == cluster.resource_version
    assert [sum(slot[name] for slot in slots) for name in ("scheduled", "unschedulable", "bound")] == [1, 1, 1]
    assert [sum(slot[name] for slot in slots) for name in ("pods_created", "node_changes")] == [2, 3]
    assert all(before["last"] < after["first"] for before, after in pairwise(slots))
    marks = [(mark["what"], mark["name"]) for mark in answer["marks"]]
    assert marks == [
        ("node-added", "n1"),
        ("node-added", "n2"),
        ("node-removed", "n2"),
        ("speed", "2"),
        ("paused", "2"),
    ]


def test_slots_are_as_many_as_asked_for(client: Client, cluster: Cluster) -> None:
    slots = get(client, "?slots=3")["slots"]
    assert len(slots) == 3
    assert (slots[0]["first"], slots[-1]["last"]) == (1, cluster.resource_version)


def test_a_part_of_the_history_can_be_looked_at(client: Client, cluster: Cluster) -> None:
    answer = get(client, "?first=10&last=14")
    assert [(slot["first"], slot["last"]) for slot in answer["slots"]] == [(n, n) for n in (11, 12, 13, 14)]


def test_a_time_is_answered_with_its_version(client: Client, cluster: Cluster) -> None:
    answer = get(client, "")
    assert get(client, f"?at={answer['newest_at']}")["version_at"] == cluster.resource_version
    assert get(client, "?at=0")["version_at"] == 0


def test_snapshot_and_messages_lead_from_the_past_to_the_present(client: Client, cluster: Cluster) -> None:
    snapshot = get(client, "0/snapshot/")
    assert (snapshot["frame"], snapshot["version"], snapshot["objects"]) == ("snapshot", 0, [])
    messages = get(client, "0/messages/?limit=2000")
    assert (messages["frame"], messages["after"], messages["version"]) == ("batch", 0, cluster.resource_version)
    assert [message["version"] for message in messages["messages"]] == list(range(1, cluster.resource_version + 1))
    assert get(client, f"{cluster.resource_version}/messages/")["messages"] == []


def test_every_message_of_the_past_has_its_cluster_time(client: Client, cluster: Cluster) -> None:
    timeline = get(client, "")
    times = get(client, "0/messages/?limit=2000")["times"]
    assert len(times) == cluster.resource_version
    assert times == sorted(times)
    assert (times[0], times[-1]) == (timeline["oldest_at"], timeline["newest_at"])
    assert get(client, "5/messages/?limit=3")["times"] == times[5:8]


def test_a_page_of_messages_ends_where_it_says(client: Client, cluster: Cluster) -> None:
    page = get(client, "5/messages/?limit=3")
    assert (page["after"], page["version"], len(page["messages"])) == (5, 8, 3)


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("?slots=0", 422, "slots"),
        ("?slots=401", 422, "slots"),
        ("?first=9&last=8", 422, "must not be above last (8)"),
        ("?first=-1", 422, "first"),
        ("?at=tomorrow", 422, "at"),
        ("?at=nan", 422, "at"),
        ("?last=99999", 404, "version 99999 is not there yet"),
        ("99999999999999999999999/snapshot/", 404, "is not there yet"),
        ("99999/messages/", 404, "is not there yet"),
        ("0/messages/?limit=5000", 422, "limit"),
    ],
)
def test_what_cannot_be_told_is_said(client: Client, cluster: Cluster, path: str, status: int, words: str) -> None:
    assert words in str(get(client, path, status))


def test_a_fork_is_answered_with_its_card(client: Client, cluster: Cluster) -> None:
    body = {"version": 5, "name": "What if"}
    response = client.post("/api/clusters/demo/fork/", body, content_type="application/json")
    card = response.json()
    assert (response.status_code, card["id"], card["version"], card["state"]) == (201, "what-if", 6, "paused")
    again = client.post("/api/clusters/demo/fork/", body, content_type="application/json")
    assert (again.status_code, again.json()["error"]["code"]) == (409, "AlreadyExists")
    assert client.post("/api/clusters/demo/fork/", {"version": -1}, content_type="application/json").status_code == 422
