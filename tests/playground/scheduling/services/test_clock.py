"""Pause stops the cycles, not the queue; a step is one cycle and its binding, and may move the clock."""

from __future__ import annotations

from typing import Any

import pytest

from playground.clusters import clock
from playground.clusters.models import Cluster
from playground.clusters.services.clusters import cluster_pause, cluster_resume
from playground.clusters.services.transaction import cluster_transaction
from playground.common.errors import Conflict, TooManyRequests
from playground.scheduling.models import Decision, QueuedPod, SchedulerState
from playground.scheduling.services.steps import MOST_WAITING, step_request, step_wait
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import LiveWatch
from tests.playground.scheduling.driving import Worker, nodes_of_pods

pytestmark = pytest.mark.django_db


@pytest.fixture
def paused() -> Cluster:
    return a_cluster(paused=True)


def step(cluster: Cluster, worker: Worker) -> None:
    step_request(cluster=Cluster.objects.get(pk=cluster.pk))
    worker.work()


def cluster_time(cluster: Cluster) -> float:
    return clock.now(Cluster.objects.get(pk=cluster.pk))


def test_a_paused_cluster_fills_its_queue_and_schedules_nothing(paused: Cluster) -> None:
    created(paused, a_node("n1"), a_pod("one"), a_pod("two"))
    Worker(paused).work()
    assert [row.queue for row in QueuedPod.objects.all()] == ["activeQ", "activeQ"]
    assert not Decision.objects.exists()


def test_a_step_is_one_cycle_and_its_binding(paused: Cluster) -> None:
    created(paused, a_node("n1"), a_pod("one"), a_pod("two"))
    worker = Worker(paused)
    worker.work()
    watch = LiveWatch(paused)
    step(paused, worker)
    watch.assert_fresh()
    assert sorted(nodes_of_pods(paused).values()) == ["", "n1"]
    assert Decision.objects.count() == 1


def test_a_step_sees_what_was_written_right_before_it(paused: Cluster) -> None:
    created(paused, a_node("n1"), a_pod("one"))
    step(paused, Worker(paused))
    assert nodes_of_pods(paused) == {"one": "n1"}


def test_with_nothing_to_pop_a_step_moves_the_clock_to_what_is_due_next(paused: Cluster) -> None:
    created(paused, a_pod("one"))
    worker = Worker(paused)
    step(paused, worker)
    backing_off = QueuedPod.objects.get()
    assert backing_off.queue == "backoffQ"
    before = cluster_time(paused)
    watch = LiveWatch(paused)
    step(paused, worker)
    watch.assert_fresh()
    assert cluster_time(paused) > before
    assert Decision.objects.count() == 2


def test_a_step_without_anything_to_do_is_taken_all_the_same(paused: Cluster) -> None:
    scheduler_id, number = step_request(cluster=paused)
    Worker(paused).work()
    assert step_wait(scheduler_id=scheduler_id, number=number, seconds=0)


def test_a_step_that_is_asked_for_while_a_slice_is_stored_is_not_lost(
    paused: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    step_request(cluster=paused)
    save = SchedulerState.save

    def asked_for_right_before(state: SchedulerState, **options: Any) -> None:
        SchedulerState.objects.filter(pk=state.pk).update(steps_requested=2)
        save(state, **options)

    monkeypatch.setattr(SchedulerState, "save", asked_for_right_before)
    Worker(paused).slice()
    state = SchedulerState.objects.get()
    assert (state.steps_requested, state.steps_done) == (2, 1)


def test_a_step_that_nobody_takes_is_waited_for_in_vain(paused: Cluster) -> None:
    scheduler_id, number = step_request(cluster=paused)
    assert not step_wait(scheduler_id=scheduler_id, number=number, seconds=0)


def test_steps_do_not_pile_up_without_end(paused: Cluster) -> None:
    for _ in range(MOST_WAITING):
        step_request(cluster=paused)
    with pytest.raises(TooManyRequests, match="worker"):
        step_request(cluster=paused)


def test_a_running_cluster_takes_no_steps() -> None:
    with pytest.raises(Conflict, match="pause it"):
        step_request(cluster=a_cluster())


def test_after_resume_everything_in_the_queue_is_scheduled(paused: Cluster) -> None:
    created(paused, a_node("n1"), a_pod("one"), a_pod("two"))
    worker = Worker(paused)
    worker.work()
    with cluster_transaction(paused.pk) as tx:
        cluster_resume(tx)
    worker.work()
    assert nodes_of_pods(paused) == {"one": "n1", "two": "n1"}


def test_steps_asked_for_while_paused_are_void_once_it_runs(paused: Cluster) -> None:
    step_request(cluster=paused)
    with cluster_transaction(paused.pk) as tx:
        cluster_resume(tx)
    worker = Worker(paused)
    worker.work()
    with cluster_transaction(paused.pk) as tx:
        cluster_pause(tx)
    created(paused, a_node("n1"), a_pod("one"))
    worker.work()
    assert nodes_of_pods(paused) == {"one": ""}
