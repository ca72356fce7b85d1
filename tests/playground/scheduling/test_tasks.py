"""The doors: what a task sends after its service, and which writes wake the scheduler."""

from __future__ import annotations

from typing import Any

import pytest

from playground.clusters.models import Cluster
from playground.clusters.services.transaction import cluster_transaction
from playground.common.errors import FenceLost
from playground.common.wakeups import writing
from playground.scheduling import tasks, wake
from playground.scheduling.services.schedulers import scheduler_deploy
from playground.scheduling.services.slice import SliceOutcome
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.scheduling.driving import nodes_of_pods

Sent = list[tuple[str, Any]]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """What would have gone to the broker."""
    sent: Sent = []
    monkeypatch.setattr("playground.common.wakeups.Wakeups.wake", lambda self, cluster: sent.append(("wake", cluster)))
    monkeypatch.setattr(
        "playground.common.wakeups.Wakeups.wake_after",
        lambda self, cluster, seconds: sent.append(("wake_after", seconds)),
    )
    monkeypatch.setattr(tasks.bind, "delay", lambda cluster, sequences: sent.append(("bind", list(sequences))))
    return sent


def run_cycles(monkeypatch: pytest.MonkeyPatch, answer: SliceOutcome | Exception | None) -> None:
    """The task of a cluster with one scheduler whose slice ends like this."""

    def slice_run(*, scheduler_id: int, may_call: bool) -> SliceOutcome | None:
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(tasks, "slice_run", slice_run)
    tasks.run_cycles(a_cluster().pk)


def without_wakes(sent: Sent) -> Sent:
    """What the making of the cluster woke is not the task's."""
    return [each for each in sent if each[0] != "wake"]


@pytest.mark.django_db
def test_after_a_slice_its_bindings_and_the_next_slice_are_sent(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    run_cycles(monkeypatch, SliceOutcome(binding_sequences=[3, 4], next_in=0.0))
    assert without_wakes(sent) == [("bind", [3, 4]), ("wake_after", 0.0)]


@pytest.mark.django_db
def test_after_a_slice_with_nothing_due_nothing_is_sent(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    run_cycles(monkeypatch, SliceOutcome(binding_sequences=[], next_in=None))
    assert without_wakes(sent) == []


@pytest.mark.django_db
@pytest.mark.parametrize("answer", [None, FenceLost("taken over")], ids=["no lease", "lease lost"])
def test_without_the_lease_nothing_is_sent(
    sent: Sent, monkeypatch: pytest.MonkeyPatch, answer: Exception | None
) -> None:
    run_cycles(monkeypatch, answer)
    assert without_wakes(sent) == []


def test_a_binding_of_a_cluster_that_is_gone_is_given_up(db: None) -> None:
    tasks.bind(12345, [1])


def test_the_sweep_wakes_clusters_and_sends_bindings_that_are_due(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "clusters_due", lambda: [5, 6])
    monkeypatch.setattr(tasks, "bindings_resend", lambda: [(5, [1, 2])])
    tasks.sweep()
    assert sent == [("wake", 5), ("wake", 6), ("bind", [1, 2])]


@pytest.mark.parametrize(
    ("topics", "wakes"),
    [
        ({"object"}, True),
        ({"bindings"}, True),
        ({"cluster"}, True),
        ({"events"}, False),
        ({"queue", "decisions"}, False),
    ],
)
def test_what_the_scheduler_follows_wakes_it(sent: Sent, topics: set[str], wakes: bool) -> None:
    wake.wake_on_change(1, 10, frozenset(topics))
    assert bool(sent) == wakes


def test_a_slices_own_bindings_do_not_wake_it_but_its_own_object_changes_do(sent: Sent) -> None:
    with writing(wake.RUN_CYCLES):
        wake.wake_on_change(1, 10, frozenset({"bindings", "queue", "decisions"}))
        assert sent == []
        wake.wake_on_change(1, 11, frozenset({"bindings", "object"}))
    assert sent == [("wake", 1)]


def test_clusters_are_spread_over_the_queues_and_keep_theirs(settings: Any) -> None:
    settings.PLAYGROUND_SCHEDULING_QUEUES = 4
    assert [wake.scheduler_of(cluster).queue for cluster in (1, 2, 5)] == [
        "scheduling-1",
        "scheduling-2",
        "scheduling-1",
    ]


@pytest.mark.django_db
def test_a_task_runs_a_slice_and_the_binding_it_asks_for(sent: Sent) -> None:
    cluster: Cluster = a_cluster()
    created(cluster, a_node("n1"), a_pod("web"))
    tasks.run_cycles(cluster.pk)
    assert ("bind", [1]) in sent
    tasks.bind(cluster.pk, [1])
    assert nodes_of_pods(cluster) == {"web": "n1"}


def test_nobody_waits_for_a_slow_api_server_the_task_comes_back(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "bindings_run", lambda **_: [(2.5, [3]), (4.0, [4, 5])])
    later: list[Any] = []
    monkeypatch.setattr(tasks.bind, "apply_async", lambda args, countdown: later.append((args, countdown)))
    tasks.bind(1, [3, 4, 5])
    assert later == [([1, [3]], 2.5), ([1, [4, 5]], 4.0)]


def test_a_clock_that_is_turned_sends_the_bindings_anew(sent: Sent) -> None:
    wake.wake_on_change(1, 10, frozenset({"cluster"}))
    # The scheduler, and who comes back for bindings.
    assert sent == [("wake", 1), ("wake", 1)]


@pytest.mark.django_db
def test_a_write_wakes_every_scheduler_of_its_cluster_each_in_a_queue_of_its_own(sent: Sent, settings: Any) -> None:
    settings.PLAYGROUND_SCHEDULING_QUEUES = 4
    cluster = a_cluster()
    with cluster_transaction(cluster.pk) as tx:
        second = scheduler_deploy(tx, name="second")
    sent.clear()
    tasks.run_cycles(cluster.pk)
    assert ("wake", second.pk) in sent
    assert wake.further_scheduler(cluster.pk, second.ordinal).queue != wake.scheduler_of(cluster.pk).queue
