"""What can be turned on a running cluster, and what is refused with the field's name."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from playground.clusters.models import Cluster
from playground.scheduling.engine.configuration import running_configuration
from playground.scheduling.models import SchedulerConfiguration
from playground.scheduling.selectors.schedulers import scheduler_get
from tests.playground.builders import a_cluster

pytestmark = pytest.mark.django_db

URL = "/api/clusters/demo/settings/"


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def patch(client: Client, body: Any, status: int = 200) -> Any:
    response = client.patch(URL, body, content_type="application/json")
    assert response.status_code == status, response.content
    return response.json()


def test_an_untouched_cluster_has_a_fast_and_reliable_api_server(cluster: Cluster, client: Client) -> None:
    settings = client.get(URL).json()
    assert (settings["binding_latency_seconds"], settings["binding_failure_rate"]) == (0, 0)
    assert settings["assume_cache"] is True
    assert (settings["pod_initial_backoff_seconds"], settings["pod_max_backoff_seconds"]) == (1, 10)
    assert settings["feature_gates"]["SchedulerQueueingHints"] is True
    assert settings["feature_gates"]["SchedulerPopFromBackoffQ"] is False


def test_what_is_named_changes_and_the_rest_stays(cluster: Cluster, client: Client) -> None:
    patch(client, {"binding_latency_seconds": 5, "pull_seconds": 0})
    settings = patch(client, {"assume_cache": False})
    assert (settings["binding_latency_seconds"], settings["pull_seconds"], settings["assume_cache"]) == (5, 0, False)
    assert not SchedulerConfiguration.objects.exists()


def test_backoff_and_gates_are_those_of_the_configuration(cluster: Cluster, client: Client) -> None:
    gates = {"SchedulerPopFromBackoffQ": True}
    patch(client, {"pod_initial_backoff_seconds": 2, "pod_max_backoff_seconds": 60, "feature_gates": gates})
    running = running_configuration(scheduler_get(cluster_id=cluster.pk))
    assert (running.document.pod_initial_backoff_seconds, running.document.pod_max_backoff_seconds) == (2, 60)
    assert running.feature_gates == gates
    profiles = client.get("/api/clusters/demo/profiles/").json()
    assert profiles["feature_gates"] == gates
    assert profiles["document"]["podMaxBackoffSeconds"] == 60
    settings = patch(client, {"feature_gates": {"SchedulerPopFromBackoffQ": False}})
    assert settings["feature_gates"]["SchedulerPopFromBackoffQ"] is False
    assert settings["pod_max_backoff_seconds"] == 60


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"binding_latency_seconds": -1}, "binding_latency_seconds"),
        ({"binding_latency_seconds": 3601}, "binding_latency_seconds"),
        ({"binding_latency_seconds": "5"}, "binding_latency_seconds"),
        ({"binding_failure_rate": 1.1}, "binding_failure_rate"),
        ({"binding_failure_rate": True}, "binding_failure_rate"),
        ({"assume_cache": 1}, "assume_cache"),
        ({"pod_initial_backoff_seconds": 0}, "pod_initial_backoff_seconds"),
        ({"pod_initial_backoff_seconds": 1.5}, "pod_initial_backoff_seconds"),
        ({"pod_initial_backoff_seconds": 20}, "pod_max_backoff_seconds"),
        ({"pod_max_backoff_seconds": 10**9}, "pod_max_backoff_seconds"),
        ({"feature_gates": {"SchedulerTimeTravel": True}}, "feature_gates.SchedulerTimeTravel"),
        ({"feature_gates": {"SchedulerQueueingHints": "yes"}}, "feature_gates.SchedulerQueueingHints"),
        ({"feature_gates": ["SchedulerQueueingHints"]}, "feature_gates"),
        ({"bindng_latency": 5}, "bindng_latency"),
    ],
)
def test_what_cannot_be_is_refused_with_its_field_and_changes_nothing(
    cluster: Cluster, client: Client, body: Any, path: str
) -> None:
    before = client.get(URL).json()
    problem = patch(client, {"pull_seconds": 7, **body}, 422)["error"]
    assert [detail["path"] for detail in problem["details"]] == [path]
    assert path in problem["message"]
    assert client.get(URL).json() == before


def test_all_that_is_wrong_is_told_at_once(cluster: Cluster, client: Client) -> None:
    problem = patch(client, {"job_seconds": -1, "pod_max_backoff_seconds": 0, "x": 1}, 422)["error"]
    assert {detail["path"] for detail in problem["details"]} == {"job_seconds", "pod_max_backoff_seconds", "x"}


def test_a_body_that_is_no_object_is_refused(cluster: Cluster, client: Client) -> None:
    patch(client, [1], 400)


def test_a_change_is_one_version_that_followers_hear_of(cluster: Cluster, client: Client) -> None:
    before = Cluster.objects.get().resource_version
    patch(client, {"binding_failure_rate": 0.5})
    assert Cluster.objects.get().resource_version == before + 1


def test_a_new_cluster_may_bring_its_settings_and_they_are_checked(client: Client) -> None:
    def create(settings: Any) -> Any:
        body = {"name": "slow", "settings": settings}
        return client.post("/api/clusters/", body, content_type="application/json")

    refused = create({"binding_failure_rate": 2})
    assert refused.status_code == 422
    assert refused.json()["error"]["details"][0]["path"] == "settings.binding_failure_rate"
    assert create({"binding_latency_seconds": 5}).status_code == 201
    assert client.get("/api/clusters/slow/settings/").json()["binding_latency_seconds"] == 5
