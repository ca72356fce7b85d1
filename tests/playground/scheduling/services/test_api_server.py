"""A slow or unreliable API server, and what the assume cache is there for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from playground.clusters import clock
from playground.clusters.models import Cluster, Pod
from playground.clusters.services.clusters import cluster_clock_advance, cluster_pause, cluster_settings_update
from playground.clusters.services.transaction import cluster_transaction
from playground.controllers.services.run import controllers_run
from playground.controllers.session import sessions
from playground.live import followers
from playground.scheduling.models import Binding, QueuedPod
from playground.scheduling.services.api_server import answers_expected, refusal
from playground.scheduling.services.steps import step_request
from playground.scheduling.services.sweep import bindings_resend
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import LiveWatch
from tests.playground.scheduling.driving import Worker, advance, nodes_of_pods

pytestmark = pytest.mark.django_db


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """As good as standing still: time passes when the test says so."""
    with followers.only():
        cluster = a_cluster()
        Cluster.objects.update(clock_speed=0.01)
        cluster.refresh_from_db()
        yield cluster


def turn(cluster: Cluster, **settings: Any) -> None:
    with cluster_transaction(cluster.pk) as tx:
        cluster_settings_update(tx, values=settings)


def answer(worker: Worker) -> None:
    """What the task with the countdown does."""
    worker.run_bindings(list(Binding.objects.values_list("sequence", flat=True)))
    worker.work()


def test_a_binding_is_answered_after_the_latency_and_nobody_waits_for_it(cluster: Cluster) -> None:
    turn(cluster, binding_latency_seconds=5)
    created(cluster, a_node("n1"), a_pod("web"))
    worker = Worker(cluster)
    worker.work()
    row = Binding.objects.get()
    assert (row.phase, nodes_of_pods(cluster)) == ("binding", {"web": ""})
    assert row.due_at == pytest.approx(clock.now(cluster) + 5, abs=0.5)
    assert QueuedPod.objects.get().queue == "binding"
    advance(cluster, 4)
    answer(worker)
    assert nodes_of_pods(cluster) == {"web": ""}
    watch = LiveWatch(cluster)
    advance(cluster, 1.1)
    answer(worker)
    watch.assert_fresh()
    assert nodes_of_pods(cluster) == {"web": "n1"}
    assert not QueuedPod.objects.exists()


def test_who_comes_back_for_the_answer_does_so_in_the_walls_time(cluster: Cluster) -> None:
    turn(cluster, binding_latency_seconds=5)
    created(cluster, a_node("n1"), a_pod("one"), a_pod("two"))
    Cluster.objects.update(clock_speed=2)
    Worker(cluster).work()
    ((seconds, sequences),) = answers_expected(cluster=Cluster.objects.get())
    assert (seconds, sequences) == (pytest.approx(2.5, abs=0.3), [1, 2])
    with cluster_transaction(cluster.pk) as tx:
        cluster_pause(tx)
    assert answers_expected(cluster=Cluster.objects.get()) == []


def test_the_sweep_leaves_a_binding_alone_until_its_answer_is_overdue(cluster: Cluster) -> None:
    turn(cluster, binding_latency_seconds=60)
    created(cluster, a_node("n1"), a_pod("web"))
    Worker(cluster).work()
    Binding.objects.update(sent_at="2020-01-01T00:00:00Z")
    assert bindings_resend() == []
    advance(cluster, 61)
    assert bindings_resend() == [(cluster.pk, [1])]


def test_a_step_of_a_paused_cluster_goes_to_the_answer(cluster: Cluster) -> None:
    turn(cluster, binding_latency_seconds=5)
    with cluster_transaction(cluster.pk) as tx:
        cluster_pause(tx)
    created(cluster, a_node("n1"), a_pod("web"))
    worker = Worker(cluster)
    for expected in ("", "n1"):
        step_request(cluster=Cluster.objects.get())
        worker.work()
        answer(worker)
        assert nodes_of_pods(cluster) == {"web": expected}


def test_which_bindings_fail_follows_from_seed_and_decision(cluster: Cluster) -> None:
    turn(cluster, binding_failure_rate=0.3)
    cluster.refresh_from_db()
    failing = [sequence for sequence in range(1, 1001) if refusal(cluster, sequence)]
    assert failing == [sequence for sequence in range(1, 1001) if refusal(cluster, sequence)]
    assert 250 < len(failing) < 350
    cluster.seed += 1
    assert failing != [sequence for sequence in range(1, 1001) if refusal(cluster, sequence)]


def test_a_refused_binding_gives_back_its_room_and_its_pod_backs_off_as_from_an_error(cluster: Cluster) -> None:
    turn(cluster, binding_failure_rate=1.0)
    created(cluster, a_node("n1", cpu="1"), a_pod("web", cpu="800m"))
    worker = Worker(cluster)
    worker.work()
    row = QueuedPod.objects.get()
    assert (row.queue, row.attempts, row.unschedulable_plugins) == ("backoffQ", 1, [])
    assert row.entry["consecutive_errors"] == 1
    assert row.message == (
        'running Bind plugin "DefaultBinder": the API server refused the binding (binding_failure_rate is 1)'
    )
    conditions = Pod.objects.get().manifest["status"]["conditions"]
    assert conditions[-1]["reason"] == "SchedulerError"
    turn(cluster, binding_failure_rate=0)
    advance(cluster, 3)
    worker.work()
    assert nodes_of_pods(cluster) == {"web": "n1"}


def test_the_room_of_a_refused_binding_wakes_who_waited_for_it(cluster: Cluster) -> None:
    turn(cluster, binding_failure_rate=1.0, binding_latency_seconds=5)
    created(cluster, a_node("n1", cpu="1"), a_pod("first", cpu="800m"), a_pod("second", cpu="800m"))
    worker = Worker(cluster)
    worker.work()
    assert QueuedPod.objects.get(name="second").queue == "unschedulablePods"
    advance(cluster, 6)
    turn(cluster, binding_latency_seconds=0)
    worker.binds = False
    answer(worker)
    second = QueuedPod.objects.get(name="second")
    assert (second.queue, second.attempts) == ("binding", 2)


def overbook(cluster: Cluster) -> dict[str, tuple[str, str]]:
    """Two pods that fit one node only by turns; phase and reason of each after the kubelet has seen them."""
    turn(cluster, binding_latency_seconds=5)
    created(cluster, a_node("n1", cpu="4"), a_pod("one", cpu="3"), a_pod("two", cpu="3"))
    worker = Worker(cluster)
    worker.work()
    advance(cluster, 6)
    answer(worker)
    # A rolled-back test's cluster id is given out again, which a database in use never does.
    sessions.drop(cluster.pk)
    while controllers_run(cluster_id=cluster.pk).unfinished:
        pass
    return {pod.name: (pod.node_name, pod.manifest["status"].get("reason", "")) for pod in Pod.objects.all()}


def test_with_the_assume_cache_a_placed_pod_keeps_its_room_while_it_is_bound(cluster: Cluster) -> None:
    assert overbook(cluster) == {"one": ("n1", ""), "two": ("", "")}


def test_without_it_the_room_is_given_twice_and_the_kubelet_refuses_the_second(cluster: Cluster) -> None:
    turn(cluster, assume_cache=False)
    assert overbook(cluster) == {"one": ("n1", ""), "two": ("n1", "OutOfcpu")}


def test_the_switch_holds_for_a_successor_too(cluster: Cluster) -> None:
    turn(cluster, assume_cache=False, binding_latency_seconds=5)
    created(cluster, a_node("n1", cpu="4"), a_pod("one", cpu="3"))
    Worker(cluster).work()
    created(cluster, a_pod("two", cpu="3"))
    Worker(cluster).work()
    assert set(QueuedPod.objects.values_list("queue", flat=True)) == {"binding"}


def test_clock_jumps_do_not_lose_an_answer(cluster: Cluster) -> None:
    turn(cluster, binding_latency_seconds=5)
    created(cluster, a_node("n1"), a_pod("web"))
    worker = Worker(cluster)
    worker.work()
    with cluster_transaction(cluster.pk) as tx:
        cluster_clock_advance(tx, to=tx.now + 100)
    assert answers_expected(cluster=Cluster.objects.get()) == [(0.0, [1])]
