"""The scheduler over HTTP: what is answered, and how mistakes are."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from playground.clusters.models import Cluster
from playground.scheduling.selectors.schedulers import scheduler_get
from playground.scheduling.services.slice import slice_run
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.scheduling.driving import Worker

pytestmark = pytest.mark.django_db

Json = dict[str, Any]


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


class Api:
    """The cluster's part of /api/."""

    def __init__(self, client: Client, slug: str = "demo") -> None:
        self._client = client
        self._root = f"/api/clusters/{slug}/"

    def get(self, path: str, status: int = 200) -> Json:
        return self._json(self._client.get(self._root + path), status)

    def post(self, path: str, body: Any = None, status: int = 200) -> Json:
        return self._json(self._client.post(self._root + path, body or {}, content_type="application/json"), status)

    def put(self, path: str, body: Any, status: int = 200, content_type: str = "application/json") -> Json:
        return self._json(self._client.put(self._root + path, body, content_type=content_type), status)

    def _json(self, response: Any, status: int) -> Json:
        assert response.status_code == status, response.content
        return response.json()


@pytest.fixture
def api(client: Client) -> Api:
    return Api(client)


def test_the_queue_shows_every_queue_by_name(cluster: Cluster, api: Api) -> None:
    created(cluster, a_node("n1", cpu="1"), a_pod("big", cpu="2"), a_pod("gated", schedulingGates=[{"name": "wait"}]))
    Worker(cluster).work()
    queues = api.get("queue/")["queues"]
    assert {queue: [card["pod"]["name"] for card in cards] for queue, cards in queues.items()} == {
        "activeQ": [],
        "backoffQ": [],
        "unschedulablePods": ["big"],
        "gated": ["gated"],
        "inFlight": [],
        "waiting": [],
        "binding": [],
    }


def test_decisions_are_listed_newest_first_and_read_whole(cluster: Cluster, api: Api) -> None:
    created(cluster, a_node("n1"), a_node("n2", cpu="1"), a_pod("first"), a_pod("second", cpu="2"))
    Worker(cluster).work()
    page = api.get("decisions/")
    assert [(each["sequence"], each["pod"]["name"]) for each in page["results"]] == [(2, "second"), (1, "first")]
    assert page["count"] == 2
    assert api.get("decisions/?limit=1")["next"] is not None
    assert [each["sequence"] for each in api.get("decisions/?pod=first")["results"]] == [1]
    assert api.get("decisions/?outcome=unschedulable")["count"] == 0
    report = api.get("decisions/2/")
    assert report["filter"]["nodes"] == ["n1", "n2"]
    assert sorted(report["filter"]["status"]) == [-1, 0]
    assert [point["point"] for point in report["points"]][:2] == ["preFilter", "filter"]
    assert (report["binding"]["phase"], report["binding"]["node"]) == ("bound", "n1")


def test_a_decision_that_is_not_there_and_a_wrong_outcome_are_told(cluster: Cluster, api: Api) -> None:
    assert api.get("decisions/99/", 404)["error"]["code"] == "NotFound"
    assert api.get("decisions/?outcome=lost", 400)["error"]["details"][0]["path"] == "outcome"


def test_would_fit_takes_a_manifest_or_the_name_of_a_pod(cluster: Cluster, api: Api) -> None:
    created(cluster, a_node("n1"), a_pod("web"))
    cluster.refresh_from_db()
    by_name = api.post("would-fit/", {"namespace": "default", "name": "web"})
    by_manifest = api.post("would-fit/", {"pod": {"spec": a_pod()["spec"]}})
    assert by_name["nodes"] == by_manifest["nodes"]
    assert by_name["nodes"][0]["fits"] is True


@pytest.mark.parametrize("body", [{}, {"pod": a_pod(), "name": "web"}, [], "text"])
def test_would_fit_says_what_its_body_needs(cluster: Cluster, api: Api, body: Any) -> None:
    assert api.post("would-fit/", body or {"nothing": 1}, 400)["error"]["message"]


def test_pause_resume_and_speed_answer_the_clusters_card(cluster: Cluster, api: Api) -> None:
    assert api.post("pause/")["state"] == "paused"
    assert api.post("resume/")["state"] == "running"
    assert api.post("speed/", {"speed": 10})["speed"] == 10
    refused = api.post("speed/", {"speed": 0}, 422)["error"]
    assert refused["details"][0]["path"] == "speed"


def test_a_step_is_refused_while_the_clock_runs(cluster: Cluster, api: Api) -> None:
    assert "pause it" in api.post("step/", status=409)["error"]["message"]


def test_a_step_answers_when_it_was_taken(cluster: Cluster, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    api.post("pause/")
    created(cluster, a_node("n1"), a_pod("web"))

    def work_at_once(wakeups: Any, cluster_id: int) -> None:
        slice_run(scheduler_id=scheduler_get(cluster_id=cluster_id).pk)

    monkeypatch.setattr("playground.common.wakeups.Wakeups.wake", work_at_once)
    answer = api.post("step/")
    assert (answer["done"], answer["cluster"]["state"]) == (True, "paused")
    assert api.get("decisions/")["count"] == 1


def test_profiles_are_read_and_replaced_as_json_or_yaml(cluster: Cluster, api: Api) -> None:
    before = api.get("profiles/")
    assert before["revision"] == 0
    assert before["profiles"][0]["weights"]["TaintToleration"] == 3
    yaml = """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
        - schedulerName: packer
          plugins: {score: {enabled: [{name: NodeResourcesFit, weight: 7}]}}
    """
    after = api.put("profiles/", yaml, content_type="application/yaml")
    assert (after["revision"], after["profiles"][0]["weights"]["NodeResourcesFit"]) == (1, 7)
    assert "profiles[packer].weights.NodeResourcesFit" in [change["path"] for change in after["changes"]]
    assert api.get("profiles/") == {**after, "changes": []}
    assert api.put("profiles/?dry_run=true", before["document"])["changes"]
    assert api.get("profiles/")["revision"] == 1
    gates = {"document": before["document"], "feature_gates": {"SchedulerPopFromBackoffQ": True}}
    assert api.put("profiles/", gates)["feature_gates"] == {"SchedulerPopFromBackoffQ": True}
    alone = api.put("profiles/", {"feature_gates": {"SchedulerQueueingHints": False}})
    assert alone["feature_gates"] == {"SchedulerQueueingHints": False}
    assert alone["document"] == before["document"]


def _with_plugins(**plugins: Any) -> Any:
    head = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    return {**head, "profiles": [{"schedulerName": "default-scheduler", "plugins": plugins}]}


@pytest.mark.parametrize(
    ("body", "status", "path"),
    [
        ({"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "parallelism": 0},
         422, "parallelism"),
        ({"apiVersion": "kubescheduler.config.k8s.io/v1beta3", "kind": "KubeSchedulerConfiguration"}, 422,
         "apiVersion"),
        (_with_plugins(filter={"enabled": [{"name": "Nope"}]}), 422, "profiles[0].plugins.filter.enabled[0].name"),
        (_with_plugins(multiPoint={"enabled": [{"name": "Nope"}]}), 422, "profiles[0].plugins.multiPoint.enabled"),
        (_with_plugins(bind={"disabled": [{"name": "*"}]}), 422, "profiles[0].plugins.bind.enabled"),
        (_with_plugins(filtre={}), 422, "profiles[0].plugins.filtre"),
        ({"document": {}, "gates": {}}, 400, "gates"),
        ({"feature_gates": {"Nonsense": True}}, 422, "feature_gates.Nonsense"),
        ({"feature_gates": {"SchedulerQueueingHints": 1}}, 422, "feature_gates.SchedulerQueueingHints"),
        ([], 400, ""),
    ],
)  # fmt: skip
def test_a_configuration_with_a_mistake_names_the_field(
    cluster: Cluster, api: Api, body: Any, status: int, path: str
) -> None:
    assert api.put("profiles/", body, status)["error"]["details"][0]["path"] == path


def test_broken_yaml_names_the_line(cluster: Cluster, api: Api) -> None:
    error = api.put("profiles/", "a: [1,\nb: 2", 400, content_type="application/yaml")["error"]
    assert "line" in error["message"]


@pytest.mark.parametrize("path", ["queue/", "decisions/", "profiles/"])
def test_an_unknown_cluster_is_not_found(client: Client, path: str) -> None:
    assert Api(client, "nowhere").get(path, 404)["error"]["code"] == "NotFound"


def test_run_until_idle_checks_its_limit(cluster: Cluster, api: Api) -> None:
    refused = api.post("run-until-idle/", {"timeout_seconds": 10_000}, 422)["error"]
    assert refused["details"][0]["path"] == "timeout_seconds"
    assert api.post("run-until-idle/", {"timeout_seconds": 0})["idle"] is False


def test_fidelity_names_the_version_and_everything_that_was_compared(client: Client) -> None:
    answer = client.get("/api/fidelity/").json()
    assert answer["kubernetes_version"] == "v1.34.1"
    assert answer["cases"] == sum(each["cases"] for each in answer["compared"]) > 1000
    assert answer["not_modelled"]
