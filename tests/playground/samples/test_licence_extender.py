"""The sample extenders, asked over HTTP as a scheduler asks them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import AsyncClient, Client

from playground.samples import slow_extender

Json = dict[str, Any]


def a_node(name: str, **labels: str) -> Json:
    return {"metadata": {"name": name, "labels": labels}}


def asked(path: str, body: Any) -> Any:
    return Client().post(f"/samples/{path}", json.dumps(body), content_type="application/json")


def args(*nodes: Json, **labels: str) -> Json:
    return {"Pod": {"metadata": {"name": "web", "labels": labels}}, "Nodes": {"items": list(nodes)}, "NodeNames": None}


def test_a_pod_with_a_licence_goes_where_it_is_valid() -> None:
    nodes = (a_node("n1", **{"licence-matlab": "true"}), a_node("n2"))
    answer = asked("extender/filter", args(*nodes, licence="matlab")).json()
    assert [node["metadata"]["name"] for node in answer["Nodes"]["items"]] == ["n1"]
    assert answer["FailedAndUnresolvableNodes"] == {"n2": "no licence for matlab"}


def test_any_other_pod_goes_anywhere() -> None:
    answer = asked("extender/filter", args(a_node("n1"), a_node("n2"))).json()
    assert len(answer["Nodes"]["items"]) == 2


def test_green_power_scores_best() -> None:
    nodes = (a_node("n1", power="green"), a_node("n2", power="mixed"), a_node("n3"))
    scores = asked("extender/prioritize", args(*nodes)).json()
    assert scores == [{"Host": "n1", "Score": 10}, {"Host": "n2", "Score": 5}, {"Host": "n3", "Score": 0}]


@pytest.mark.parametrize(
    "body", [{}, [], {"Pod": {"metadata": {}}, "Nodes": None}, {"Pod": 1, "Nodes": {"items": [1]}}]
)
def test_what_is_no_question_is_refused(body: Any) -> None:
    assert asked("extender/filter", body).status_code == 400


async def test_the_slow_one_has_no_objection_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_extender, "SECONDS", 0.01)
    response = await AsyncClient().post(
        "/samples/slow-extender/filter", args(a_node("n1")), content_type="application/json"
    )
    assert json.loads(response.content)["Nodes"]["items"][0]["metadata"]["name"] == "n1"
