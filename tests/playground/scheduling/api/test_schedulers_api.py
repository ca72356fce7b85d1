"""schedulers/: deployed, scaled, told what to do, taken away; what cannot be is refused with its field."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from playground.clusters.models import Cluster
from playground.scheduling.models import Decision
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.scheduling.driving import Worker

pytestmark = pytest.mark.django_db

URL = "/api/clusters/demo/schedulers/"
HEAD = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
ALONE = {**HEAD, "leaderElection": {"leaderElect": False}, "profiles": [{"schedulerName": "second"}]}


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def send(client: Client, method: str, path: str = "", body: Any = None, status: int = 200) -> Any:
    answer = getattr(client, method)(URL + path, body, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


def test_a_cluster_has_one_from_the_start(cluster: Cluster, client: Client) -> None:
    (only,) = send(client, "get")["results"]
    assert (only["name"], only["profiles"]) == ("kube-scheduler", ["default-scheduler"])
    assert [replica["running"] for replica in only["replicas"]] == [True]


def test_one_more_is_deployed_configured_and_taken_away_and_its_decisions_are_still_told(
    cluster: Cluster, client: Client
) -> None:
    deployed = send(client, "post", body={"name": "second", "document": ALONE}, status=201)
    assert (deployed["profiles"], deployed["lease"]) == (["second"], None)
    created(cluster, a_node("n1"), a_pod("web", schedulerName="second"))
    Worker(cluster, scheduler="second").work()
    assert send(client, "get", "second/")["leader"] == "second-0"
    changed = send(client, "put", "second/profiles/", {**ALONE, "podMaxBackoffSeconds": 20})
    assert [change["path"] for change in changed["changes"]] == ["podMaxBackoffSeconds"]
    assert send(client, "get", "second/profiles/")["document"]["podMaxBackoffSeconds"] == 20
    assert client.get("/api/clusters/demo/profiles/").json()["revision"] == 0
    send(client, "delete", "second/", status=204)
    (decision,) = client.get("/api/clusters/demo/decisions/").json()["results"]
    assert decision["scheduler"] == "second"
    assert client.get(f"/api/clusters/demo/decisions/{decision['sequence']}/").json()["binding"]["phase"] == "bound"
    assert Decision.objects.get().scheduler is None


def test_processes_are_added_killed_and_started(cluster: Cluster, client: Client) -> None:
    assert len(send(client, "patch", "kube-scheduler/", {"replicas": 2})["replicas"]) == 2
    killed = send(client, "post", "kube-scheduler/replicas/1/kill/")
    assert [replica["running"] for replica in killed["replicas"]] == [True, False]
    before = killed["replicas"][1]["identity"]
    started = send(client, "post", "kube-scheduler/replicas/1/start/")
    assert started["replicas"][1]["identity"] not in ("", before)
    assert len(send(client, "patch", "kube-scheduler/", {"replicas": 1})["replicas"]) == 1


EXTENDER = {**HEAD, "extenders": [{"urlPrefix": "http://192.0.2.1/", "filterVerb": "filter", "weight": 1}]}


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "word"),
    [
        ("post", "", {"name": "Not a name"}, 422, "DNS label"),
        ("post", "", {"name": "kube-scheduler"}, 409, "already exists"),
        ("post", "", {"name": "x", "replicas": 0}, 422, "between 1 and 5"),
        ("post", "", {"name": "x", "colour": "red"}, 422, "known are name, replicas"),
        ("post", "", {"name": "x", "replicas": 2, "document": ALONE}, 422, "leaderElection.leaderElect"),
        ("post", "", {"name": "x", "document": {**HEAD, "profiles": 3}}, 422, "profiles"),
        ("post", "", {"name": "x", "document": EXTENDER}, 422, "extenders[0]"),
        ("post", "", {"name": "x", "feature_gates": {"Unheard": True}}, 422, "unknown feature gate"),
        ("patch", "kube-scheduler/", {"replicas": "many"}, 422, "integer"),
        ("delete", "kube-scheduler/", None, 400, "stop its processes"),
        ("get", "nobody/", None, 404, "there is kube-scheduler"),
        ("put", "nobody/profiles/", ALONE, 404, "there is kube-scheduler"),
        ("post", "kube-scheduler/replicas/7/kill/", None, 404, "no replica 7"),
        ("post", "kube-scheduler/replicas/0/tickle/", None, 404, "start, stop, kill"),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    cluster: Cluster, client: Client, method: str, path: str, body: Any, status: int, word: str
) -> None:
    assert word in send(client, method, path, body, status)["error"]["message"]
    assert len(send(client, "get")["results"]) == 1
