"""The doors: what a task sends after its service, and which writes wake the scheduler."""

from __future__ import annotations

from typing import Any

import pytest

from playground.clusters.models import Cluster
from playground.common.errors import FenceLost
from playground.common.wakeups import writing
from playground.scheduling import tasks, wake
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


def outcome(monkeypatch: pytest.MonkeyPatch, answer: SliceOutcome | Exception | None) -> None:
    def slice_run(*, cluster_id: int, may_call: bool) -> SliceOutcome | None:
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(tasks, "slice_run", slice_run)


def test_after_a_slice_its_bindings_and_the_next_slice_are_sent(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome(monkeypatch, SliceOutcome(binding_sequences=[3, 4], next_in=0.0))
    tasks.run_cycles(1)
    assert sent == [("bind", [3, 4]), ("wake_after", 0.0)]


def test_after_a_slice_with_nothing_due_nothing_is_sent(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome(monkeypatch, SliceOutcome(binding_sequences=[], next_in=None))
    tasks.run_cycles(1)
    assert sent == []


@pytest.mark.parametrize("answer", [None, FenceLost("taken over")], ids=["no lease", "lease lost"])
def test_without_the_lease_nothing_is_sent(
    sent: Sent, monkeypatch: pytest.MonkeyPatch, answer: Exception | None
) -> None:
    outcome(monkeypatch, answer)
    tasks.run_cycles(1)
    assert sent == []


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
