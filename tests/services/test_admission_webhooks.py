"""Webhooks on a running playground: the preset that shares GPUs, and a slow one that keeps nobody else waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.answering_server import AnsweringServer
from tests.playground.builders import a_deployment
from tests.playground.clusters.admission.mutation.webhook_server import a_webhook_configuration
from tests.services.running import Playground, wait_for

Json = dict[str, Any]
SLOW_SECONDS = 5.0
WEBHOOKS = "admissionregistration.k8s.io/v1/mutatingwebhookconfigurations"


def post(playground: Playground, path: str, body: Json) -> Json:
    answer = playground.http.post(path, json=body)
    assert answer.is_success, answer.text
    return answer.json()  # type: ignore[no-any-return]


def pods_of(playground: Playground, cluster: str) -> list[Json]:
    return playground.http.get(f"/k8s/{cluster}/api/v1/pods").json()["items"]  # type: ignore[no-any-return]


def bound(playground: Playground, cluster: str) -> int:
    return sum(1 for pod in pods_of(playground, cluster) if pod["spec"].get("nodeName"))


@pytest.fixture
def patient_server() -> Iterator[AnsweringServer]:
    """Lets every pod pass, after a while."""
    over = threading.Event()

    def review(body: Any) -> Any:
        over.wait(SLOW_SECONDS)
        return {**body, "response": {"uid": body["request"]["uid"], "allowed": True}}

    # A webhook is told in the query how long it has.
    with AnsweringServer({"/?timeout=10s": review}) as server:
        yield server
        over.set()


def test_shared_gpus_are_filled_card_by_card_and_what_is_left_in_pieces_is_no_room(playground: Playground) -> None:
    post(playground, "/api/clusters/", {"name": "shared", "preset": "gpu-share-lab"})
    summary = post(playground, "/api/clusters/shared/run-until-idle/", {"timeout_seconds": 60})
    (waiting,) = summary["unschedulable"]
    assert waiting["name"].startswith("large-")
    assert "no card with 8 GiB of GPU memory free (free per card: 6, 6)" in waiting["message"]
    pods = pods_of(playground, "shared")
    schedulers = {pod["metadata"]["labels"]["app"]: pod["spec"]["schedulerName"] for pod in pods}
    assert schedulers == {
        "web": "default-scheduler",
        "trainer": "gpu-scheduler",
        "notebook": "gpu-scheduler",
        "large": "gpu-scheduler",
    }
    cards = [
        (pod["spec"]["nodeName"], pod["metadata"]["annotations"]["gpushare.example/card"])
        for pod in pods
        if pod["metadata"]["labels"]["app"] == "trainer"
    ]
    assert len(set(cards)) == 4


def test_a_slow_webhook_keeps_its_own_pods_waiting_and_nobody_elses(
    playground: Playground, patient_server: AnsweringServer
) -> None:
    for cluster in ("slow-hook", "quick"):
        post(playground, "/api/clusters/", {"name": cluster, "preset": "three-zones"})
    post(playground, f"/k8s/slow-hook/apis/{WEBHOOKS}", a_webhook_configuration(url=patient_server.url("/")))
    deployments = "apis/apps/v1/namespaces/default/deployments"
    post(playground, f"/k8s/slow-hook/{deployments}", a_deployment(replicas=4))
    wait_for(lambda: len(patient_server.calls) == 4, seconds=20)

    begun = time.monotonic()
    post(playground, f"/k8s/quick/{deployments}", a_deployment(replicas=4))
    wait_for(lambda: bound(playground, "quick") == 4, seconds=20)
    assert time.monotonic() - begun < SLOW_SECONDS
    assert pods_of(playground, "slow-hook") == []
    wait_for(lambda: bound(playground, "slow-hook") == 4, seconds=30)
    assert len(patient_server.calls) == 4
