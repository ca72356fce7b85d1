"""Several writers at once: the feed stays in order for whoever follows it, and a deletion leaves nothing behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import pytest
from django.db import connection

from playground.clusters.models import Change, Cluster
from playground.clusters.selectors import feed_read, feed_version
from playground.clusters.services.clusters import cluster_delete
from playground.clusters.services.transaction import cluster_reading, cluster_transaction
from playground.common.errors import NotFound
from playground.live import followers
from tests.playground.builders import a_cluster

pytestmark = pytest.mark.django_db(transaction=True)

T = TypeVar("T")
WRITERS = 3


def beside(pool: ThreadPoolExecutor, work: Callable[[], T]) -> Future[T]:
    """Run it in a thread with a connection of its own."""

    def run() -> T:
        try:
            return work()
        finally:
            connection.close()

    return pool.submit(run)


def write(cluster: Cluster, changes: int) -> None:
    with cluster_transaction(cluster.pk) as tx:
        for _ in range(changes):
            tx.record("queue", {"moves": [], "pods": [], "gone": []})


def test_a_follower_sees_every_version_in_order_while_many_write() -> None:
    cluster = a_cluster()
    start, written = feed_version(cluster.pk), threading.Event()

    def write_some() -> None:
        for number in range(12):
            write(cluster, changes=1 + number % 3)

    def follow() -> list[int]:
        seen = [start]
        while True:
            is_last_look = written.is_set()
            seen += [change.version for change in feed_read(cluster.pk, seen[-1])]
            if is_last_look:
                return seen

    with followers.only(), ThreadPoolExecutor(WRITERS + 1) as pool:
        following = beside(pool, follow)
        for writing in [beside(pool, write_some) for _ in range(WRITERS)]:
            writing.result()
        written.set()
    assert following.result() == list(range(start, start + WRITERS * 24 + 1))


def test_a_cluster_that_is_deleted_while_many_write_is_gone_for_all_of_them() -> None:
    cluster = a_cluster()
    begun = threading.Barrier(WRITERS + 1)

    def write_until_it_is_gone() -> None:
        write(cluster, changes=1)
        begun.wait()
        for _ in range(1_000):
            write(cluster, changes=1)

    with followers.only(), ThreadPoolExecutor(WRITERS) as pool:
        writing = [beside(pool, write_until_it_is_gone) for _ in range(WRITERS)]
        begun.wait()
        cluster_delete(cluster_id=cluster.pk)
        for each in writing:
            with pytest.raises(NotFound):
                each.result()
    assert not Change.objects.exists()


def test_a_question_is_answered_while_somebody_writes() -> None:
    cluster = a_cluster()

    def ask() -> int:
        with cluster_reading(cluster.pk) as tx:
            return tx.version

    with ThreadPoolExecutor(1) as pool, cluster_transaction(cluster.pk) as tx:
        tx.record("queue", {})
        assert beside(pool, ask).result(timeout=5) == tx.version - 1
