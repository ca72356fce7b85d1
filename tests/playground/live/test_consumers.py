"""The WebSocket of a cluster: what a page gets, whatever happens to the connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from asgiref.sync import sync_to_async
from autobahn.exception import Disconnected
from channels.layers import get_channel_layer
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from redis.exceptions import ConnectionError as RedisConnectionError

from playground.clusters.models import Cluster
from playground.clusters.services.clusters import cluster_delete
from playground.clusters.services.objects import object_create_many
from playground.clusters.services.transaction import cluster_transaction
from playground.live import consumers, doorbell, publish
from playground.live.routing import websocket_urlpatterns
from tests.playground.builders import a_cluster, a_pod
from tests.playground.freshness import apply_batch, fresh_state

pytestmark = pytest.mark.django_db(transaction=True)

Json = dict[str, Any]

application = URLRouter(websocket_urlpatterns)  # type: ignore[arg-type]


class Page:
    """A page's end of the WebSocket."""

    def __init__(self, communicator: WebsocketCommunicator) -> None:
        self._communicator = communicator

    async def frame(self) -> Json:
        frame: Json = msgspec.json.decode(await self._communicator.receive_from(timeout=5))
        return frame

    async def silent(self) -> bool:
        return await self._communicator.receive_nothing(timeout=0.2)

    async def messages_until(self, version: int) -> list[Json]:
        """Messages up to a version, over as many frames as it takes, without a gap between frames."""
        messages: list[Json] = []
        reached = -1
        while reached < version:
            frame = await self.frame()
            assert frame["frame"] == "batch", frame
            assert reached in (-1, frame["after"])
            messages += frame["messages"]
            reached = frame["version"]
        return messages


@asynccontextmanager
async def a_page(slug: str = "demo", query: str = "") -> AsyncIterator[Page]:
    communicator = WebsocketCommunicator(application, f"/ws/clusters/{slug}/{query}")
    connected, _ = await communicator.connect()
    assert connected
    try:
        yield Page(communicator)
    finally:
        await communicator.disconnect()


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


@sync_to_async
def add_pods(cluster: Cluster, *names: str) -> int:
    with cluster_transaction(cluster.pk) as tx:
        object_create_many(tx, kind="Pod", manifests=[a_pod(name) for name in names])
    return tx.version


@sync_to_async
def version_of(cluster: Cluster) -> int:
    return Cluster.objects.get(pk=cluster.pk).resource_version


async def test_a_page_gets_a_snapshot_and_then_what_changes(cluster: Cluster) -> None:
    async with a_page() as page:
        snapshot = await page.frame()
        assert (snapshot["frame"], snapshot["protocol"]) == ("snapshot", 1)
        assert snapshot["version"] == snapshot["cluster"]["version"]
        version = await add_pods(cluster, "a", "b")
        messages = await page.messages_until(version)
        assert [(each["type"], each["event"], each["object"]["name"]) for each in messages] == [
            ("object", "ADDED", "a"),
            ("object", "ADDED", "b"),
        ]
        assert await page.silent()


async def test_a_page_that_comes_back_gets_what_it_missed(cluster: Cluster) -> None:
    before = await version_of(cluster)
    version = await add_pods(cluster, "a")
    async with a_page(query=f"?from={before}") as page:
        resumed = await page.frame()
        assert (resumed["frame"], resumed["version"]) == ("resumed", before)
        assert [each["object"]["name"] for each in await page.messages_until(version)] == ["a"]


@pytest.mark.parametrize("wanted", ["999999", "nonsense", "-1", ""])
async def test_a_version_the_feed_does_not_have_means_a_snapshot(cluster: Cluster, wanted: str) -> None:
    async with a_page(query=f"?from={wanted}") as page:
        assert (await page.frame())["frame"] == "snapshot"


async def test_a_version_the_feed_forgot_means_a_snapshot(cluster: Cluster, settings: Any) -> None:
    settings.PLAYGROUND_FEED_LENGTH = 5
    before = await version_of(cluster)
    for i in range(20):
        await add_pods(cluster, f"p{i}")
    async with a_page(query=f"?from={before}") as page:
        assert (await page.frame())["frame"] == "snapshot"


async def test_a_lost_doorbell_costs_a_moment_and_no_message(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(publish, "ring", lambda cluster_id, version: None)
    async with a_page() as page:
        await page.frame()
        version = await add_pods(cluster, "a")
        assert len(await page.messages_until(version)) == 1


async def test_a_broker_that_is_away_refuses_no_page(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    layer = get_channel_layer()
    new_channel, back, asked = layer.new_channel, asyncio.Event(), asyncio.Event()

    async def away(*arguments: str) -> str:
        asked.set()
        if not back.is_set():
            raise RedisConnectionError("Connection lost.")
        return str(await new_channel(*arguments))

    monkeypatch.setattr(layer, "new_channel", away)
    monkeypatch.setattr(doorbell, "RETRY_SECONDS", 0.01)
    # Long enough that only a bell can be why a message comes.
    monkeypatch.setattr(consumers, "POLL_SECONDS", 60)
    async with a_page() as page:
        await page.frame()
        await asyncio.wait_for(asked.wait(), 5)
        written_meanwhile = await add_pods(cluster, "a")
        back.set()
        assert len(await page.messages_until(written_meanwhile)) == 1
        assert len(await page.messages_until(await add_pods(cluster, "b"))) == 1


async def test_a_page_far_behind_gets_a_snapshot_instead_of_the_chase(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "FAR_BEHIND", 10)
    monkeypatch.setattr(consumers, "BATCH", 5)
    async with a_page() as page:
        await page.frame()
        version = await add_pods(cluster, *(f"p{i}" for i in range(40)))
        frame = await page.frame()
        assert (frame["frame"], frame["version"]) == ("snapshot", version)


async def test_many_changes_come_in_few_frames_and_make_the_fresh_state(cluster: Cluster) -> None:
    async with a_page() as page:
        await page.frame()
        state = await sync_to_async(fresh_state)(cluster.pk)
        for i in range(30):
            version = await add_pods(cluster, f"p{i}")
        frames = 0
        while state["version"] < version:
            apply_batch(state, await page.frame())
            frames += 1
        assert state == await sync_to_async(fresh_state)(cluster.pk)
        assert frames < 30


async def test_a_cluster_that_is_not_there_is_gone(cluster: Cluster) -> None:
    async with a_page("nope") as page:
        assert (await page.frame())["frame"] == "gone"


async def test_a_page_is_told_when_its_cluster_goes(cluster: Cluster) -> None:
    async with a_page() as page:
        await page.frame()
        await sync_to_async(cluster_delete)(cluster_id=cluster.pk)
        assert (await page.frame())["frame"] == "gone"


async def test_two_pages_get_the_same(cluster: Cluster) -> None:
    async with a_page() as one, a_page() as other:
        await one.frame()
        await other.frame()
        version = await add_pods(cluster, "a")
        assert await one.messages_until(version) == await other.messages_until(version)


async def test_what_a_page_says_is_let_pass(cluster: Cluster) -> None:
    communicator = WebsocketCommunicator(application, "/ws/clusters/demo/")
    await communicator.connect()
    await communicator.send_to(text_data="hello")
    assert msgspec.json.decode(await communicator.receive_from(timeout=5))["frame"] == "snapshot"
    await communicator.disconnect()


@pytest.mark.parametrize("told", ["a change", "the end of its cluster"])
async def test_a_page_that_leaves_while_it_is_told_something_is_no_error(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, told: str
) -> None:
    tried = asyncio.Event()

    async def to_nobody(*_: object, **__: object) -> None:
        tried.set()
        raise Disconnected("Attempt to send on a closed protocol")

    async with a_page() as page:
        await page.frame()
        monkeypatch.setattr(consumers.ClusterConsumer, "send", to_nobody)
        if told == "a change":
            await add_pods(cluster, "late")
        else:
            await sync_to_async(cluster_delete)(cluster_id=cluster.pk)
        await asyncio.wait_for(tried.wait(), 5)
    assert not caplog.records


async def test_another_address_is_refused() -> None:
    communicator = WebsocketCommunicator(application, "/ws/nothing/")
    connected, _ = await communicator.connect()
    assert not connected
