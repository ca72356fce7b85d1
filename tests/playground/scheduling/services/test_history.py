"""Rewinding: what a page is told about the past is what a page saw then, however much of the feed is gone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from pytest_django import Settings

from playground.clusters import history
from playground.clusters.models import Change, Cluster, HistoryBase
from playground.clusters.services.clusters import cluster_pause, cluster_resume
from playground.clusters.services.objects import DeleteOptions, object_delete, object_patch
from playground.clusters.services.transaction import cluster_transaction
from playground.common.errors import Expired, NotFound
from playground.live import frames
from playground.live.feed_source import feed_source
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import apply_batch, fresh_state, past_state
from tests.playground.scheduling.driving import Worker, advance

pytestmark = pytest.mark.django_db

Json = dict[str, Any]
# Shorter than the story: most of it has to come from the base.
SHORT_FEED = 25


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def delete(cluster: Cluster, kind: str, name: str) -> None:
    namespace = "" if kind == "Node" else "default"
    with cluster_transaction(cluster.pk) as tx:
        object_delete(tx, kind=kind, namespace=namespace, name=name, options=DeleteOptions(grace_period_seconds=0))


def label(cluster: Cluster, name: str, **labels: str) -> None:
    def change(node: Json) -> Json:
        return {**node, "metadata": {**node["metadata"], "labels": labels}}

    with cluster_transaction(cluster.pk) as tx:
        object_patch(tx, kind="Node", namespace="", name=name, change=change)


def seen_by_a_page(cluster: Cluster) -> Json:
    """A page takes a deleted pod out of the queue at once; the scheduler's rows wait for its next slice."""
    state = fresh_state(cluster.pk)
    for section in ("queue", "bindings"):
        state[section] = {uid: card for uid, card in state[section].items() if uid in state["objects"]}
    return state


def annotate(cluster: Cluster, name: str, **annotations: str) -> None:
    def change(node: Json) -> Json:
        return {**node, "metadata": {**node["metadata"], "annotations": annotations}}

    with cluster_transaction(cluster.pk) as tx:
        object_patch(tx, kind="Node", namespace="", name=name, change=change)


class Story:
    """Something of everything, with a picture of the cluster after each step."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.pictures: list[Json] = []
        self.worker = Worker(cluster)

    def tell(self) -> list[Json]:
        created(self.cluster, a_node("n1", cpu="1"), a_node("never-changed"))
        label(self.cluster, "never-changed", disk="none")
        self.step(a_pod("web"), a_pod("big", cpu="8"), a_pod("gated", schedulingGates=[{"name": "wait"}]))
        self.work()
        annotate(self.cluster, "n1", note="디스크")
        self.step(a_pod("bigger", cpu="16"))
        self.work()
        with cluster_transaction(self.cluster.pk) as tx:
            cluster_pause(tx)
        self.step(a_node("n2", cpu="9"))
        delete(self.cluster, "Pod", "web")
        self.step()
        with cluster_transaction(self.cluster.pk) as tx:
            cluster_resume(tx)
        advance(self.cluster, 30)
        self.work()
        delete(self.cluster, "Pod", "bigger")
        delete(self.cluster, "Node", "n1")
        self.step(a_pod("web"), *(a_pod(f"more-{number}") for number in range(8)))
        self.work()
        return self.pictures

    def step(self, *manifests: Json) -> None:
        created(self.cluster, *manifests)
        self.pictures.append(seen_by_a_page(self.cluster))

    def work(self) -> None:
        outcome = self.worker.slice()
        assert outcome is not None
        self.step()
        self.worker.run_bindings(outcome.binding_sequences)
        self.worker.work()
        self.step()


def kept(cluster: Cluster, pictures: list[Json]) -> list[Json]:
    cluster.refresh_from_db()
    return [picture for picture in pictures if picture["version"] >= cluster.oldest_change_version]


def test_every_picture_can_be_taken_again_later(cluster: Cluster) -> None:
    pictures = Story(cluster).tell()
    assert kept(cluster, pictures) == pictures
    for picture in pictures:
        assert past_state(cluster.pk, picture["version"]) == picture


def test_it_can_when_the_feed_has_lost_its_beginning(cluster: Cluster, settings: Settings) -> None:
    settings.PLAYGROUND_FEED_LENGTH = SHORT_FEED
    pictures = Story(cluster).tell()
    pictures_left = kept(cluster, pictures)
    assert 0 < len(pictures_left) < len(pictures)
    for picture in pictures_left:
        assert past_state(cluster.pk, picture["version"]) == picture


@pytest.mark.parametrize("feed_length", [SHORT_FEED, 10_000])
def test_a_past_snapshot_and_the_messages_since_make_any_later_one(
    cluster: Cluster, settings: Settings, feed_length: int
) -> None:
    settings.PLAYGROUND_FEED_LENGTH = feed_length
    Story(cluster).tell()
    cluster.refresh_from_db()
    state = past_state(cluster.pk, cluster.oldest_change_version)
    for version in range(cluster.oldest_change_version + 1, cluster.resource_version + 1):
        change = feed_source().changes(cluster.pk, version - 1, 1)
        apply_batch(state, msgspec.json.decode(frames.batch(cluster.pk, version - 1, change)))
        assert state == past_state(cluster.pk, version)
    assert state == fresh_state(cluster.pk)


def test_a_feed_of_large_changes_is_cut_by_its_size(cluster: Cluster, settings: Settings) -> None:
    settings.PLAYGROUND_FEED_SIZE = 40_000
    settings.PLAYGROUND_FEED_LENGTH = 500
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("playground.clusters.services.transaction.FEED_SLACK", 10)
        pictures = Story(cluster).tell()
    cluster.refresh_from_db()
    assert cluster.oldest_change_version > 0
    assert cluster.feed_size == sum(len(msgspec.json.encode(each.payload)) for each in Change.objects.all()) <= 50_000
    for picture in kept(cluster, pictures):
        assert past_state(cluster.pk, picture["version"]) == picture


def test_versions_outside_the_history_are_refused_with_its_bounds(cluster: Cluster, settings: Settings) -> None:
    settings.PLAYGROUND_FEED_LENGTH = SHORT_FEED
    Story(cluster).tell()
    cluster.refresh_from_db()
    with pytest.raises(Expired, match=f"goes back to version {cluster.oldest_change_version}"):
        history.state_at(cluster, cluster.oldest_change_version - 1)
    with pytest.raises(NotFound, match=f"the newest is {cluster.resource_version}"):
        history.state_at(cluster, cluster.resource_version + 1)


def test_a_cluster_of_an_older_release_has_no_history(cluster: Cluster) -> None:
    HistoryBase.objects.filter(cluster=cluster).delete()
    with pytest.raises(Expired, match="made by an older release"):
        history.state_at(cluster, cluster.resource_version)


def test_a_cluster_time_leads_to_the_version_of_that_moment(cluster: Cluster) -> None:
    with cluster_transaction(cluster.pk) as tx:
        cluster_pause(tx)
    created(cluster, a_node("n1"))
    before = fresh_state(cluster.pk)
    then = tx.now
    advance(cluster, 60)
    created(cluster, a_node("n2"))
    cluster.refresh_from_db()
    assert history.version_at(cluster, then) == before["version"]
    assert history.version_at(cluster, then + 59) == before["version"]
    assert history.version_at(cluster, then + 60) == cluster.resource_version
    assert history.version_at(cluster, then - 1000) == cluster.oldest_change_version
