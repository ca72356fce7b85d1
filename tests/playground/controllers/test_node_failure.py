"""A kubelet stops and comes back, told in cluster time."""

from __future__ import annotations

import pytest

from playground.clusters.services.nodes import node_fail, node_recover
from playground.common.errors import Conflict, NotFound
from playground.controllers.session import sessions
from scheduler_core.objects.manifest import condition_of, is_deleting, is_ready
from tests.playground.controllers.town import Town, deployment, job, pod


def fail(town: Town, name: str = "n1") -> None:
    with town.tx() as tx:
        node_fail(tx, name=name)
    town.run()


def recover(town: Town, name: str = "n1") -> None:
    with town.tx() as tx:
        node_recover(tx, name=name)
    town.run()


def bring_up(town: Town) -> None:
    town.run()
    town.bind_all()
    town.run()
    town.pass_time(2.5)
    town.pass_time(1)


def ready(town: Town) -> str:
    found = condition_of(town.get("Node", "n1"), "Ready")
    return "" if found is None else found["status"]


def taints(town: Town) -> list[str]:
    return [f"{taint['key']}:{taint['effect']}" for taint in town.get("Node", "n1")["spec"].get("taints") or ()]


def test_a_dead_node_is_given_up_after_50_seconds_and_its_pods_after_300_more(town: Town) -> None:
    town.create(pod("web"))
    bring_up(town)
    assert is_ready(town.get("Pod", "web"))
    fail(town)
    town.pass_time(49)
    assert (ready(town), taints(town), is_ready(town.get("Pod", "web"))) == ("True", [], True)

    town.pass_time(2)
    assert ready(town) == "Unknown"
    unreachable = "node.kubernetes.io/unreachable"
    assert taints(town) == [f"{unreachable}:NoSchedule", f"{unreachable}:NoExecute"]
    assert not is_ready(town.get("Pod", "web"))
    assert town.reasons("n1") == ["NodeNotReady"]

    town.pass_time(298)
    assert not is_deleting(town.get("Pod", "web"))
    town.pass_time(5)
    assert is_deleting(town.get("Pod", "web"))

    # Nobody is there to end it.
    town.pass_time(3600)
    assert is_deleting(town.get("Pod", "web"))
    recover(town)
    assert (ready(town), taints(town)) == ("True", [])
    town.pass_time(60)
    assert town.pods() == []


def test_a_node_that_is_back_in_time_keeps_its_pods(town: Town) -> None:
    town.create(pod("web"))
    bring_up(town)
    fail(town)
    town.pass_time(51)
    recover(town)
    assert is_ready(town.get("Pod", "web"))
    town.pass_time(1000)
    assert town.phases() == {"Running": 1}
    assert ready(town) == "True"


def test_a_short_silence_shows_nowhere(town: Town) -> None:
    town.create(pod("web"))
    bring_up(town)
    fail(town)
    town.pass_time(30)
    recover(town)
    town.pass_time(1000)
    assert (ready(town), taints(town), town.reasons("n1")) == ("True", [], [])


def test_a_deployment_gets_new_pods_while_the_old_ones_wait_for_their_kubelet(town: Town) -> None:
    town.create(deployment("web", replicas=1))
    bring_up(town)
    fail(town)
    town.pass_time(51)
    town.pass_time(301)
    pods = town.pods()
    assert sorted(is_deleting(each) for each in pods) == [False, True]


def test_pods_placed_on_a_silent_node_start_when_it_is_back(town: Town) -> None:
    fail(town)
    town.create(pod("late"))
    town.bind("late")
    town.run()
    town.pass_time(20)
    assert town.phases() == {"Pending": 1}
    recover(town)
    town.pass_time(2.5)
    town.pass_time(1)
    assert town.phases() == {"Running": 1}


def test_pods_that_were_starting_start_again_and_a_job_ends_in_its_time(town: Town) -> None:
    town.create(job("sum"))
    bring_up(town)
    town.create(pod("starting"))
    town.bind("starting")
    town.run()
    fail(town)
    result = town.pass_time(20)
    assert not result.unfinished
    assert town.phases() == {"Running": 1, "Pending": 1}
    recover(town)
    town.pass_time(1)
    town.pass_time(3)
    town.pass_time(1)
    assert town.phases() == {"Succeeded": 1, "Running": 1}


def test_a_worker_that_takes_over_knows_the_node_is_silent(town: Town) -> None:
    town.create(pod("web"))
    bring_up(town)
    fail(town)
    sessions.drop(town.id)
    town.pass_time(51)
    assert ready(town) == "Unknown"
    sessions.drop(town.id)
    recover(town)
    assert is_ready(town.get("Pod", "web"))


def test_a_node_fails_once_and_recovers_once(town: Town) -> None:
    with pytest.raises(Conflict, match="is running"):
        recover(town)
    fail(town)
    with pytest.raises(Conflict, match="stopped already"):
        fail(town)
    with pytest.raises(NotFound):
        fail(town, "n9")
