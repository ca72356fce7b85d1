"""A breakpoint stops the cluster at the cycle it names, not one earlier or later, and says so."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from playground.clusters.models import Cluster
from playground.clusters.services.clusters import cluster_resume
from playground.clusters.services.transaction import cluster_transaction
from playground.common.errors import FenceLost, Invalid
from playground.scheduling.models import Decision
from playground.scheduling.services import record
from playground.scheduling.services.breakpoints import (
    MOST_BREAKPOINTS,
    breakpoint_remove,
    breakpoint_set,
    breakpoints_of,
)
from playground.scheduling.services.steps import step_request
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import LiveWatch, fresh_state
from tests.playground.scheduling.driving import Worker, advance, nodes_of_pods

pytestmark = pytest.mark.django_db

Json = dict[str, Any]


@pytest.fixture
def cluster() -> Cluster:
    cluster = a_cluster()
    created(cluster, a_node("n1", cpu="1"))
    return cluster


def stop_at(cluster: Cluster, **wanted: Any) -> int:
    return breakpoint_set(cluster_id=cluster.pk, **wanted).id


def card(cluster: Cluster) -> Json:
    found: Json = fresh_state(cluster.pk)["cluster"]
    return found


def hit(cluster: Cluster) -> Json:
    found = card(cluster)
    assert (found["state"], found["paused_by"] is not None) == ("paused", True)
    by: Json = found["paused_by"]
    return by


def tried(cluster: Cluster) -> list[str]:
    return list(Decision.objects.filter(cluster=cluster).order_by("sequence").values_list("name", flat=True))


def resume(cluster: Cluster) -> None:
    with cluster_transaction(cluster.pk) as tx:
        cluster_resume(tx)


def following(cluster: Cluster) -> Worker:
    """A worker that sees pods come one by one, and so in their order."""
    worker = Worker(cluster)
    worker.work()
    return worker


def test_the_cluster_stands_before_the_cycle_of_the_named_pod(cluster: Cluster) -> None:
    number = stop_at(cluster, on="pod", name="second")
    worker = following(cluster)
    created(cluster, a_pod("first"), a_pod("second"), a_pod("third"))
    watch = LiveWatch(cluster)
    worker.work()
    watch.assert_fresh()
    assert tried(cluster) == ["first"]
    by = hit(cluster)
    assert (by["id"], by["on"], by["pod"]["name"], by["sequence"]) == (number, "pod", "second", None)
    assert by["message"] == "default/second is next, attempt 1"

    resume(cluster)
    worker.work()
    watch.assert_fresh()
    assert tried(cluster) == ["first", "second", "third"]
    assert (card(cluster)["state"], card(cluster)["paused_by"]) == ("running", None)


def test_it_stops_before_every_attempt_once(cluster: Cluster) -> None:
    stop_at(cluster, on="pod", name="big*")
    created(cluster, a_pod("big-1", cpu="8"))
    worker = Worker(cluster)
    for attempt in (1, 2, 3):
        worker.work()
        assert hit(cluster)["message"] == f"default/big-1 is next, attempt {attempt}"
        resume(cluster)
        worker.work()
        assert len(tried(cluster)) == attempt
        taint = {"key": "kept", "value": "free", "effect": "NoSchedule"}
        created(cluster, a_node(f"roomy-{attempt}", cpu="16", taints=[taint]))
        advance(cluster, 30)
    assert breakpoints_of(Cluster.objects.get())[0].hits == 3


def test_a_step_takes_the_cycle_that_was_stopped(cluster: Cluster) -> None:
    stop_at(cluster, on="pod", name="web")
    created(cluster, a_pod("web"))
    worker = Worker(cluster)
    worker.work()
    step_request(cluster=Cluster.objects.get())
    worker.work()
    assert nodes_of_pods(cluster) == {"web": "n1"}


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"on": "failure"}, "0/1 nodes are available: 1 Insufficient cpu."),
        ({"on": "plugin", "plugin": "NodeResourcesFit"}, "NodeResourcesFit rejected 1 node at filter"),
        ({"on": "plugin", "point": "filter"}, "NodeResourcesFit rejected 1 node at filter"),
    ],
)
def test_it_stands_right_after_the_cycle_in_which_it_happened(cluster: Cluster, wanted: Json, message: str) -> None:
    stop_at(cluster, **wanted)
    worker = following(cluster)
    created(cluster, a_pod("fits"), a_pod("big", cpu="8"), a_pod("third"))
    worker.work()
    assert tried(cluster) == ["fits", "big"]
    by = hit(cluster)
    assert (by["pod"]["name"], by["sequence"]) == ("big", 2)
    assert by["message"].startswith(message)


def test_a_plugin_that_only_has_to_run_stops_at_the_first_pod(cluster: Cluster) -> None:
    stop_at(cluster, on="plugin", plugin="NodeResourcesFit", point="filter", when="runs")
    worker = following(cluster)
    created(cluster, a_pod("first"), a_pod("second"))
    worker.work()
    assert tried(cluster) == ["first"]
    assert (hit(cluster)["plugin"], hit(cluster)["point"]) == ("NodeResourcesFit", "filter")


def test_it_stands_when_somebody_is_to_be_preempted(cluster: Cluster) -> None:
    stop_at(cluster, on="preemption")
    created(cluster, a_pod("low", cpu="800m"))
    worker = Worker(cluster)
    worker.work()
    assert card(cluster)["state"] == "running"
    created(cluster, a_pod("high", cpu="800m", priorityClassName="system-cluster-critical"), a_pod("other"))
    worker.work()
    by = hit(cluster)
    assert by["message"] == "default/high makes room on n1: default/low"
    assert tried(cluster) == ["low", "high"]


def test_pods_that_are_not_meant_pass(cluster: Cluster) -> None:
    stop_at(cluster, on="failure", namespace="default", name="other-*")
    created(cluster, a_pod("big", cpu="8"))
    Worker(cluster).work()
    assert card(cluster)["state"] == "running"


def test_a_removed_breakpoint_stops_nobody(cluster: Cluster) -> None:
    breakpoint_remove(cluster_id=cluster.pk, id=stop_at(cluster, on="failure"))
    created(cluster, a_pod("big", cpu="8"))
    Worker(cluster).work()
    assert card(cluster)["state"] == "running"


def test_a_worker_that_dies_before_it_stored_leaves_it_to_the_next(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_at(cluster, on="failure")
    # Each of them fails; which is first when a worker starts is the database's choice.
    created(cluster, a_pod("big", cpu="8"), a_pod("huge", cpu="9"))

    def die(*_: Any, **__: Any) -> None:
        raise FenceLost("killed")

    with monkeypatch.context() as patch:
        patch.setattr(record, "breakpoint_hit", die)
        with pytest.raises(FenceLost):
            Worker(cluster).work()
    assert (card(cluster)["state"], tried(cluster)) == ("running", [])
    Worker(cluster).work()
    assert len(tried(cluster)) == 1
    assert hit(cluster)["on"] == "failure"


def test_asked_for_twice_it_is_one_and_there_are_not_too_many(cluster: Cluster) -> None:
    assert stop_at(cluster, on="failure") == stop_at(cluster, on="failure")
    for number in range(MOST_BREAKPOINTS - 1):
        stop_at(cluster, on="pod", name=f"p{number}")
    with pytest.raises(Invalid, match=f"there are {MOST_BREAKPOINTS} breakpoints already"):
        stop_at(cluster, on="preemption")


def test_breakpoints_over_http(client: Client, cluster: Cluster) -> None:
    url = "/api/clusters/demo/breakpoints/"

    def post(body: Any) -> Any:
        return client.post(url, body, content_type="application/json")

    made = post({"on": "plugin", "plugin": "NodeAffinity", "point": "filter"})
    assert (made.status_code, made.json()["id"], made.json()["when"]) == (201, 1, "rejects")
    assert client.get(url).json() == {"breakpoints": [made.json()]}
    for wrong, path in [
        ({"on": "pod"}, "name"),
        ({"on": "plugin"}, "plugin"),
        ({"on": "lunch"}, "on"),
        ({"on": "plugin", "point": "preBind"}, "point"),
    ]:
        refused = post(wrong)
        assert (refused.status_code, path in str(refused.json())) == (422, True)
    assert client.delete(f"{url}1/").status_code == 204
    assert client.delete(f"{url}1/").status_code == 404
    assert client.delete(url).status_code == 204
