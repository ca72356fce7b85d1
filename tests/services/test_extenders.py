"""Extenders on a running playground: its own samples, and a slow one that keeps nobody else waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.answering_server import AnsweringServer
from tests.services.running import Playground, wait_for

Json = dict[str, Any]
SLOW_SECONDS = 5.0


def pod_of(playground: Playground, cluster: str, name: str) -> Json:
    answer = playground.http.get(f"/k8s/{cluster}/api/v1/namespaces/default/pods/{name}")
    return answer.json() if answer.is_success else {}


def node_of(playground: Playground, cluster: str, name: str) -> str:
    return pod_of(playground, cluster, name).get("spec", {}).get("nodeName", "")  # type: ignore[no-any-return]


def create(playground: Playground, cluster: str, path: str, manifest: Json) -> None:
    answer = playground.http.post(f"/k8s/{cluster}/api/v1/{path}", json=manifest)
    assert answer.is_success, answer.text


def a_pod(name: str) -> Json:
    container = {"name": "main", "image": "registry.example/app:1.0"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [container]}}


def scheduled_condition(playground: Playground, cluster: str, name: str) -> Json:
    conditions = pod_of(playground, cluster, name).get("status", {}).get("conditions", [])
    return next((each for each in conditions if each["type"] == "PodScheduled"), {})


@pytest.fixture
def patient_server() -> Iterator[AnsweringServer]:
    """Lets everything pass, after a while."""
    over = threading.Event()

    def passes(body: Any) -> Any:
        over.wait(SLOW_SECONDS)
        return {"Nodes": body["Nodes"]}

    with AnsweringServer({"/filter": passes}) as server:
        yield server
        over.set()


def test_the_extender_lab_works_as_it_is(playground: Playground) -> None:
    cluster = playground.create_cluster("extender-lab")
    wait_for(lambda: node_of(playground, cluster, "model").endswith("-n2"), what="the green node with a licence")
    told = wait_for(lambda: scheduled_condition(playground, cluster, "solver").get("message"), what="the reason")
    assert told.startswith("0/4 nodes are available: 4 no licence for maple.")


def test_an_extender_that_is_too_slow_and_ignorable_is_passed_over(playground: Playground) -> None:
    cluster = playground.create_cluster("slow-extender-lab")
    wait_for(lambda: node_of(playground, cluster, "patient-1"), what="a pod without its extender")
    (decision, *_) = playground.http.get(f"/api/clusters/{cluster}/decisions/?pod=patient-1").json()["results"]
    report = playground.http.get(f"/api/clusters/{cluster}/decisions/{decision['sequence']}/").json()
    (call,) = report["extender_calls"]
    assert (call["status"], call["ignorable"]) == (0, True)
    assert "deadline exceeded" in call["error"]


def test_a_slow_extender_in_one_cluster_does_not_delay_a_pod_in_another(
    playground: Playground, patient_server: AnsweringServer
) -> None:
    slow, quick = playground.create_cluster("three-zones"), playground.create_cluster("three-zones")
    document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": [{"urlPrefix": patient_server.url(), "filterVerb": "filter", "httpTimeout": "20s"}],
    }
    answer = playground.http.put(f"/api/clusters/{slow}/profiles/", json={"document": document})
    assert answer.is_success, answer.text
    create(playground, slow, "namespaces/default/pods", a_pod("waits"))
    wait_for(lambda: patient_server.calls, what="the slow extender's call")
    started = time.monotonic()
    create(playground, quick, "namespaces/default/pods", a_pod("hurries"))
    wait_for(lambda: node_of(playground, quick, "hurries"), what="the pod of the other cluster")
    assert time.monotonic() - started < SLOW_SECONDS / 2
    assert not node_of(playground, slow, "waits")
    wait_for(lambda: node_of(playground, slow, "waits"), what="the pod of the slow extender")
