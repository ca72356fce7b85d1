"""The one way to write: versions without gaps, fenced, undone as a whole, told on commit."""

from __future__ import annotations

from typing import Any

import pytest

from playground.clusters import selectors
from playground.clusters.models import Change, Cluster
from playground.clusters.services.objects import object_create
from playground.clusters.services.transaction import ClusterTransaction, cluster_reading, cluster_transaction
from playground.common.errors import AlreadyExists, Expired, FenceLost, NotFound
from playground.live import followers
from tests.playground.builders import a_cluster, a_pod, created

pytestmark = pytest.mark.django_db


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def version(cluster: Cluster) -> int:
    return selectors.feed_version(cluster.pk)


def create_in_attempt(tx: ClusterTransaction, *names: str) -> None:
    with tx.attempt():
        for name in names:
            object_create(tx, manifest=a_pod(name))


def hand_out_a_version(cluster: Cluster) -> None:
    with cluster_transaction(cluster.pk) as tx:
        tx.record("queue", {})
        tx.next_version()


def test_changes_of_every_topic_get_the_next_versions(cluster: Cluster) -> None:
    before = version(cluster)
    with cluster_transaction(cluster.pk) as tx:
        object_create(tx, manifest=a_pod())
        tx.record("queue", {"moves": [], "pods": [], "gone": []})
    changes = selectors.feed_read(cluster.pk, before)
    assert [(change.version, change.topic) for change in changes] == [(before + 1, "object"), (before + 2, "queue")]


def test_a_question_waits_for_no_write_and_cannot_write(cluster: Cluster) -> None:
    with cluster_reading(cluster.pk) as tx:
        assert tx.version == version(cluster)
    with pytest.raises(RuntimeError, match="must not write"), cluster_reading(cluster.pk) as tx:
        tx.record("queue", {})


def test_a_lost_fence_stops_everything_before_it_is_written(cluster: Cluster) -> None:
    def fence(tx: ClusterTransaction) -> None:
        raise FenceLost("somebody else holds the lease")

    before = version(cluster)
    with pytest.raises(FenceLost), cluster_transaction(cluster.pk, fence=fence) as tx:
        object_create(tx, manifest=a_pod())
    assert version(cluster) == before


def test_what_raises_leaves_nothing_behind(cluster: Cluster) -> None:
    before = version(cluster)
    with pytest.raises(AlreadyExists):
        created(cluster, a_pod(), a_pod())
    assert version(cluster) == before
    assert not Change.objects.filter(version__gt=before).exists()


def test_a_failed_attempt_is_undone_and_the_rest_goes_on(cluster: Cluster) -> None:
    before = version(cluster)
    with cluster_transaction(cluster.pk) as tx:
        object_create(tx, manifest=a_pod("a"))
        with pytest.raises(AlreadyExists):
            create_in_attempt(tx, "b", "a")
        object_create(tx, manifest=a_pod("c"))
    changes = selectors.feed_read(cluster.pk, before)
    assert [(change.version - before, change.name) for change in changes] == [(1, "a"), (2, "c")]


def test_a_version_without_a_change_is_a_bug_that_is_found(cluster: Cluster) -> None:
    with pytest.raises(RuntimeError, match="versions were handed out"):
        hand_out_a_version(cluster)


def test_a_cluster_that_is_gone_cannot_be_written(cluster: Cluster) -> None:
    cluster_id = cluster.pk
    cluster.delete()
    with pytest.raises(NotFound), cluster_transaction(cluster_id):
        pytest.fail("the block must not be entered")


def test_the_feed_is_bounded_and_says_so(cluster: Cluster, settings: Any) -> None:
    settings.PLAYGROUND_FEED_LENGTH = 10
    for i in range(30):
        created(cluster, a_pod(f"p{i}"))
    cluster.refresh_from_db()
    kept = Change.objects.filter(cluster=cluster)
    assert kept.count() == cluster.resource_version - cluster.oldest_change_version <= 20
    assert kept.order_by("version").first().version == cluster.oldest_change_version + 1  # type: ignore[union-attr]
    assert selectors.feed_read(cluster.pk, cluster.oldest_change_version)
    with pytest.raises(Expired):
        selectors.feed_read(cluster.pk, cluster.oldest_change_version - 1)


def test_followers_hear_of_commits_only_and_one_failure_stops_no_other(
    cluster: Cluster, django_capture_on_commit_callbacks: Any, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[tuple[int, int, frozenset[str]]] = []

    def broken(cluster_id: int, version: int, topics: frozenset[str]) -> None:
        raise ValueError("broken follower")

    def follower(cluster_id: int, version: int, topics: frozenset[str]) -> None:
        heard.append((cluster_id, version, topics))

    with followers.only(broken, follower), django_capture_on_commit_callbacks(execute=True):
        created(cluster, a_pod())
        with pytest.raises(AlreadyExists):
            created(cluster, a_pod("b"), a_pod("b"))
        with cluster_transaction(cluster.pk):
            pass
    assert heard == [(cluster.pk, version(cluster), frozenset({"object"}))]
    assert "broken follower" in caplog.text
