"""A worker killed at any instruction, a database that says "locked" or drops the connection at any: the next task goes
on, in this process or another; nothing is lost and nothing is done twice."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import Error, OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from playground.clusters.models import Cluster, KubernetesObject
from playground.clusters.services.clusters import cluster_settings_update
from playground.clusters.services.transaction import cluster_transaction
from playground.live import followers
from playground.scheduling.models import Binding, Decision, QueuedPod
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import LiveWatch
from tests.playground.scheduling.driving import Worker, advance, nodes_of_pods

# Real transactions: one that was struck is rolled back whole.
pytestmark = pytest.mark.django_db(transaction=True)


class Killed(BaseException):
    """The process is gone: nobody catches that."""


# Closing a cursor of a dropped connection says it in SQLite's own words.
TROUBLE = (Error, sqlite3.Error)


def locked() -> Exception:
    return OperationalError("database is locked")


def dropped() -> Exception:
    """The server was restarted: whatever is said on this connection fails, the end of the transaction too."""
    connection.connection.close()
    return OperationalError("server closed the connection unexpectedly")


class Blow:
    """Strikes once, before the statement of that number."""

    def __init__(self, number: int, make: Callable[[], BaseException]) -> None:
        self.left = number
        self.make = make

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        # Django's own words about transactions are not struck: without them it would not know of the end of one.
        if sql.split(maxsplit=1)[0] not in ("BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK"):
            self.left -= 1
        if self.left == 0:
            self.left = -1
            raise self.make()
        return execute(sql, params, many, context)

    @property
    def struck(self) -> bool:
        return self.left <= 0


@contextmanager
def a_story() -> Iterator[Cluster]:
    """Four pods: three that fit, one that does not."""
    cluster = a_cluster()
    Cluster.objects.update(clock_speed=0.01)
    created(cluster, a_node("n1", cpu="1"), *(a_pod(f"web-{i}") for i in range(3)), a_pod("big", cpu="4"))
    yield cluster
    cluster.delete()


class LostAnswer:
    """The commit of that number is carried out, but the connection drops before anybody hears of it."""

    def __init__(self, number: int) -> None:
        self.left = number

    @contextmanager
    def falling(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        commit = BaseDatabaseWrapper._commit

        def strike(wrapper: BaseDatabaseWrapper) -> None:
            commit(wrapper)
            self.left -= 1
            if self.left == 0:
                raise dropped()

        with monkeypatch.context() as patch:
            patch.setattr(BaseDatabaseWrapper, "_commit", strike)
            yield

    @property
    def struck(self) -> bool:
        return self.left <= 0


def play(cluster: Cluster, blow: Blow) -> Worker:
    worker = Worker(cluster)
    with connection.execute_wrapper(blow):
        try:
            worker.work()
        except (Killed, *TROUBLE):
            assert blow.struck
    task_ends()
    return worker


def task_ends() -> None:
    """Celery closes the connection after each task, so the next one has a fresh one."""
    connection.close()


def end_well(cluster: Cluster, worker: Worker | None = None) -> None:
    """What the sweep brings about: somebody comes again, and bindings in flight are sent again."""
    watch = LiveWatch(cluster)
    worker = worker or Worker(cluster)
    worker.work()
    worker.run_bindings(
        list(Binding.objects.filter(phase__in=("pending", "binding")).values_list("sequence", flat=True))
    )
    worker.work()
    watch.assert_fresh()
    assert nodes_of_pods(cluster) == {"web-0": "n1", "web-1": "n1", "web-2": "n1", "big": ""}
    row = QueuedPod.objects.get()
    # A successor that cannot know what it missed looks at who waits again, after their backoff.
    assert row.queue in ("unschedulablePods", "backoffQ")
    assert (row.name, row.attempts, row.unschedulable_plugins) == ("big", 1, ["NodeResourcesFit"])
    assert Counter(Binding.objects.values_list("name", "phase")) == {(f"web-{i}", "bound"): 1 for i in range(3)}
    assert sorted(Decision.objects.values_list("sequence", flat=True)) == [1, 2, 3, 4]
    told = [event.manifest for event in KubernetesObject.objects.filter(kind="Event")]
    scheduled = Counter(each["involvedObject"]["name"] for each in told if each["reason"] == "Scheduled")
    assert scheduled == {f"web-{i}": 1 for i in range(3)}


def statements_of_a_story() -> int:
    counter = Blow(10**9, Killed)
    with followers.only(), a_story() as cluster:
        play(cluster, counter)
    return 10**9 - counter.left


def test_killed_at_any_statement_the_next_worker_ends_the_story_as_if_nothing_had_been() -> None:
    count = statements_of_a_story()
    assert count > 30
    for number in range(1, count + 1):
        blow = Blow(number, Killed)
        with followers.only(), a_story() as cluster:
            play(cluster, blow)
            assert blow.struck
            end_well(cluster)


@pytest.mark.parametrize("make", [locked, dropped], ids=["locked", "dropped"])
def test_locked_out_or_dropped_at_any_statement_the_same_worker_goes_on_with_its_next_task(
    make: Callable[[], BaseException],
) -> None:
    for number in range(1, statements_of_a_story() + 1):
        with followers.only(), a_story() as cluster:
            blow = Blow(number, make)
            worker = play(cluster, blow)
            assert blow.struck
            end_well(cluster, worker)


def test_a_commit_that_nobody_heard_of_is_neither_lost_nor_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    struck, number = True, 0
    while struck:
        number += 1
        with followers.only(), a_story() as cluster:
            lost = LostAnswer(number)
            worker = Worker(cluster)
            with lost.falling(monkeypatch):
                try:
                    worker.work()
                except TROUBLE:
                    assert lost.struck
            task_ends()
            struck = lost.struck
            end_well(cluster, worker)
    # The lease, the slice and its bindings at the least.
    assert number > 3


def test_attempts_backoff_and_reasons_are_those_of_the_predecessor() -> None:
    with followers.only(), a_story() as cluster:
        with cluster_transaction(cluster.pk) as tx:
            cluster_settings_update(tx, values={"binding_failure_rate": 1.0})
        Worker(cluster).work()
        for _ in range(2):
            advance(cluster, 4)
            Worker(cluster).work()
        before = {row.name: row for row in QueuedPod.objects.all()}
        assert before["web-0"].queue == "backoffQ"
        assert before["web-0"].attempts == 3
        Worker(cluster).work()
        for row in QueuedPod.objects.all():
            old = before[row.name]
            for column in ("queue", "attempts", "backoff_until", "unschedulable_plugins", "message", "since"):
                assert getattr(row, column) == getattr(old, column), (row.name, column)
            assert row.entry["consecutive_errors"] == old.entry["consecutive_errors"]
