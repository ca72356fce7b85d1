"""Plugins written in CEL over REST: checked as they are typed, named in profiles, told in reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from playground.clusters.models import Cluster
from playground.scheduling.models import CelPlugin, SchedulerConfiguration
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.scheduling.driving import Worker, advance, nodes_of_pods

pytestmark = pytest.mark.django_db

Json = dict[str, Any]

NO_BIG_PODS = {"name": "NoBigPods", "filter": 'pod.requests["cpu"] <= 1000', "message": "node(s) take no big pods"}
BY_NAME = {"name": "SecondIsBest", "score": 'node.name == "n2" ? 100 : 0'}


class Api:
    def __init__(self, client: Client) -> None:
        self._client = client

    def call(self, method: str, path: str, body: Any = None, status: int = 200, root: str = "clusters/demo/") -> Json:
        send = getattr(self._client, method)
        response = send(f"/api/{root}{path}", body, content_type="application/json")
        assert response.status_code == status, response.content
        return response.json() if response.content else {}

    def enable(self, *names: str, status: int = 200, **plugins: Any) -> Json:
        enabled: list[Mapping[str, Any]] = [{"name": name, "weight": 10} for name in names]
        profile = {"schedulerName": "default-scheduler", "plugins": plugins or {"multiPoint": {"enabled": enabled}}}
        document = {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [profile],
        }
        return self.call("put", "profiles/", document, status)


@pytest.fixture
def cluster() -> Cluster:
    cluster = a_cluster()
    created(cluster, a_node("n1", labels={"disk": "ssd"}), a_node("n2"))
    return cluster


@pytest.fixture
def api(client: Client, cluster: Cluster) -> Api:
    return Api(client)


def test_a_plugin_is_created_read_written_anew_and_deleted(api: Api) -> None:
    created_one = api.call("post", "cel-plugins/", NO_BIG_PODS, 201)
    assert created_one == {**NO_BIG_PODS, "score": ""}
    assert api.call("get", "cel-plugins/") == {"plugins": [created_one]}

    other = api.call("put", "cel-plugins/NoBigPods/", {"filter": "true"})
    assert other == {"name": "NoBigPods", "filter": "true", "score": "", "message": ""}
    assert api.call("get", "cel-plugins/NoBigPods/") == other

    api.call("delete", "cel-plugins/NoBigPods/", status=204)
    api.call("get", "cel-plugins/NoBigPods/", status=404)


def test_a_profile_names_it_and_its_scores_are_in_the_report(api: Api, cluster: Cluster) -> None:
    api.call("post", "cel-plugins/", BY_NAME, 201)
    effective = api.enable("SecondIsBest")
    assert effective["profiles"][0]["weights"]["SecondIsBest"] == 10

    created(cluster, a_pod("p", cpu="500m"))
    Worker(cluster).work()

    assert nodes_of_pods(cluster) == {"p": "n2"}
    report = api.call("get", "decisions/1/")
    column = next(each for each in report["score"]["plugins"] if each["plugin"] == "SecondIsBest")
    assert dict(zip(report["score"]["nodes"], column["weighted"], strict=True)) == {"n1": 0, "n2": 1000}


def test_what_it_rejects_waits_with_its_message_and_wakes_when_the_plugin_is_written_anew(
    api: Api, cluster: Cluster
) -> None:
    api.call("post", "cel-plugins/", NO_BIG_PODS, 201)
    api.enable("NoBigPods")
    created(cluster, a_pod("big", cpu="2"))
    worker = Worker(cluster)
    worker.work()
    assert api.call("get", "decisions/1/")["message"].startswith("0/2 nodes are available: 2 node(s) take no big pods.")

    api.call("put", "cel-plugins/NoBigPods/", {"filter": 'pod.requests["cpu"] <= 2000'})
    advance(cluster, 2.0)
    worker.work()

    assert nodes_of_pods(cluster)["big"] in ("n1", "n2")


def test_would_fit_asks_it_and_tells_what_would_have_to_change(api: Api) -> None:
    api.call("post", "cel-plugins/", NO_BIG_PODS, 201)
    api.enable("NoBigPods")

    answer = api.call("post", "would-fit/", {"pod": a_pod("big", cpu="2"), "explain": True})

    rejection = answer["nodes"][0]["rejections"][0]
    assert rejection["plugin"] == "NoBigPods"
    assert rejection["remedies"] == ['make the filter of NoBigPods true for this node: pod.requests["cpu"] <= 1000']


def test_an_expression_that_fails_is_an_error_of_its_pods_only(api: Api, cluster: Cluster) -> None:
    api.call("post", "cel-plugins/", {"name": "NeedsDisk", "filter": 'node.labels["disk"] == "ssd"'}, 201)
    document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [
            {"schedulerName": "default-scheduler"},
            {"schedulerName": "other", "plugins": {"multiPoint": {"enabled": [{"name": "NeedsDisk"}]}}},
        ],
    }
    api.call("put", "profiles/", document)
    created(cluster, a_pod("wrong", schedulerName="other"), a_pod("fine"))
    Worker(cluster).work()

    assert nodes_of_pods(cluster)["fine"] in ("n1", "n2")
    reports = [api.call("get", f"decisions/{sequence}/") for sequence in (1, 2)]
    wrong = next(each for each in reports if each["pod"]["name"] == "wrong")
    assert wrong["outcome"] == "error"
    assert wrong["message"] == (
        'running "NeedsDisk" filter plugin: filter expression of NeedsDisk: node n2: there is no key "disk"; '
        "ask for it with `in`, has() or [?...].orValue(...) first (line 1, column 14)"
    )


def test_mistakes_are_told_with_field_line_and_column(api: Api) -> None:
    body = {"name": "Broken", "filter": "true &&\n  node.lables.x", "score": "node.name"}

    error = api.call("post", "cel-plugins/", body, 422)["error"]

    assert error["code"] == "Invalid"
    places = [(each["path"], each.get("line"), each.get("column")) for each in error["details"]]
    assert places == [("filter", 2, 14), ("score", 1, 1)]
    assert "undeclared reference to 'node.lables.x'; known are node.name" in error["message"]
    assert not CelPlugin.objects.exists()


REFUSED = [
    ("no name", {"filter": "true"}, 422, "name: Required value"),
    ("an unknown field", {"name": "X", "filter": "true", "code": "import os"}, 422, "code: unknown field"),
    ("a number for a filter", {"name": "X", "filter": 3}, 422, "filter: must be a text"),
    ("a name that is taken", {"name": "NodeName", "filter": "true"}, 409, 'there is a plugin "NodeName" already'),
    ("the name of an example", {"name": "ZoneBalance", "filter": "true"}, 409, "already"),
    ("a reserved name", {"name": "check", "filter": "true"}, 422, "reserved"),
    ("no expression", {"name": "X"}, 422, "give a filter expression, a score expression or both"),
    ("no object", ["X"], 400, "object"),
]


@pytest.mark.parametrize(("body", "status", "told"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_refused(api: Api, body: Any, status: int, told: str) -> None:
    assert told in api.call("post", "cel-plugins/", body, status)["error"]["message"]


def test_a_name_is_given_once(api: Api) -> None:
    api.call("post", "cel-plugins/", BY_NAME, 201)
    assert "already" in api.call("post", "cel-plugins/", BY_NAME, 409)["error"]["message"]
    assert (
        "stays" in api.call("put", "cel-plugins/SecondIsBest/", {**BY_NAME, "name": "Other"}, 422)["error"]["message"]
    )


def test_a_plugin_that_a_profile_names_is_not_deleted(api: Api) -> None:
    api.call("post", "cel-plugins/", BY_NAME, 201)
    api.enable("SecondIsBest")

    error = api.call("delete", "cel-plugins/SecondIsBest/", status=409)["error"]

    assert error["message"].startswith('the plugin "SecondIsBest" is enabled in profile default-scheduler;')
    api.enable()
    api.call("delete", "cel-plugins/SecondIsBest/", status=204)
    assert '"SecondIsBest" does not exist' in api.enable("SecondIsBest", status=422)["error"]["message"]


def test_a_plugin_does_not_lose_the_expression_that_a_profile_uses(api: Api) -> None:
    api.call("post", "cel-plugins/", BY_NAME, 201)
    api.enable(score={"enabled": [{"name": "SecondIsBest"}]})

    error = api.call("put", "cel-plugins/SecondIsBest/", {"filter": "true"}, 409)["error"]

    assert "does not extend ScorePlugin plugin" in error["message"]
    assert CelPlugin.objects.get().score == BY_NAME["score"]


def test_each_change_is_a_new_revision_of_the_configuration(api: Api) -> None:
    api.call("post", "cel-plugins/", BY_NAME, 201)
    before = SchedulerConfiguration.objects.get().revision
    api.call("put", "cel-plugins/SecondIsBest/", {"score": "1"})
    api.call("delete", "cel-plugins/SecondIsBest/", status=204)

    assert SchedulerConfiguration.objects.get().revision == before + 2


def test_a_definition_is_tried_without_storing_it(api: Api) -> None:
    body = {
        "filter": 'node.labels[?"disk"].orValue("") == "ssd"',
        "score": 'node.name == "n1" ? 101 : 1 / (node.requested["cpu"])',
        "pod": a_pod("p"),
    }

    answer = api.call("post", "cel-plugins/check/", body)

    assert answer["problems"] == []
    first, second = answer["nodes"]
    assert (first["node"], first["fits"], first["score"]) == ("n1", True, None)
    assert first["failures"][0]["message"] == "the score is 101, it should be in the range of [0, 100]"
    assert (second["node"], second["fits"], second["score"]) == ("n2", False, None)
    assert second["failures"][0]["message"] == "divide by zero"
    assert not CelPlugin.objects.exists()


def test_a_check_tells_problems_with_their_places(api: Api) -> None:
    answer = api.call("post", "cel-plugins/check/", {"filter": "node.name ==", "pod": a_pod("p")})

    assert [(each["field"], each["line"], each["column"]) for each in answer["problems"]] == [("filter", 1, 13)]
    assert answer["nodes"] == []


def test_an_endless_comprehension_is_told_for_every_node_and_asked_once(api: Api, cluster: Cluster) -> None:
    created(cluster, *[a_pod(f"p{i}", nodeName="n1") for i in range(101)])
    endless = "node.pods.all(a, node.pods.all(b, a.name != '' || b.name != ''))"

    answer = api.call("post", "cel-plugins/check/", {"filter": endless, "pod_name": "p1"})

    assert "more than 10,000 steps" in answer["nodes"][0]["failures"][0]["message"]
    assert answer["nodes"][1]["failures"] == answer["nodes"][0]["failures"]


def test_examples_can_be_inserted_as_they_are(api: Api) -> None:
    answer = api.call("get", "cel-examples/", root="")

    assert {"name": "node.labels", "type": "map(string, string)"} in answer["variables"]
    for example in answer["examples"]:
        api.call("post", "cel-plugins/", example["plugin"], 201)
        check = {key: value for key, value in example["plugin"].items() if key != "name"}
        nodes = api.call("post", "cel-plugins/check/", {**check, "pod": a_pod("p")})["nodes"]
        assert [each["failures"] for each in nodes] == [[], []], example["plugin"]["name"]


def test_plugins_of_another_cluster_are_not_known(api: Api) -> None:
    a_cluster("other")
    api.call("post", "cel-plugins/", BY_NAME, 201, root="clusters/other/")

    assert api.call("get", "cel-plugins/") == {"plugins": []}
    assert '"SecondIsBest" does not exist' in api.enable("SecondIsBest", status=422)["error"]["message"]
