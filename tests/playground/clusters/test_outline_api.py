"""/api/kinds/, as an editor asks."""

from __future__ import annotations

from django.test import Client

from playground.clusters.kinds import KINDS


def test_the_list_has_every_kind_and_where_its_objects_are(client: Client) -> None:
    cards = client.get("/api/kinds/").json()["kinds"]
    assert [card["kind"] for card in cards] == list(KINDS)
    assert {"kind": "Pod", "api_version": "v1", "plural": "pods", "namespaced": True} in cards


def test_an_outline_may_be_kept_by_who_asked(client: Client) -> None:
    answer = client.get("/api/kinds/Pod/outline/")
    assert answer.json()["root"] == "io.k8s.api.core.v1.Pod"
    assert "max-age" in answer["Cache-Control"]


def test_an_unknown_kind_is_told_where_the_known_ones_are(client: Client) -> None:
    answer = client.get("/api/kinds/Pdo/outline/")
    assert answer.status_code == 404
    assert "/api/kinds/" in answer.json()["error"]["message"]
