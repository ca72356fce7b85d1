"""watch over a real server: a stream that misses nothing, on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.playground.builders import a_node, a_pod
from tests.services.running import Playground

pytestmark = pytest.mark.services

Json = dict[str, Any]

ONLINE_BOUTIQUE = Path(__file__).parents[4] / "shared" / "data" / "online-boutique.yaml"


class Stream:
    """The lines of a watch."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines

    def next(self) -> tuple[str, Json]:
        event = json.loads(next(self._lines))
        return event["type"], event["object"]

    def names(self, count: int) -> list[tuple[str, str]]:
        events = [self.next() for _ in range(count)]
        return [(type_, manifest["metadata"]["name"]) for type_, manifest in events]

    def rest(self) -> list[str]:
        return [json.loads(line)["type"] for line in self._lines]


@contextmanager
def watching(playground: Playground, cluster: str, plural: str, **query: Any) -> Iterator[Stream]:
    url = f"/k8s/{cluster}/api/v1/{plural}"
    parameters = {"watch": "true", "timeoutSeconds": 20, **query}
    with playground.http.stream("GET", url, params=parameters) as response:
        assert response.status_code == 200, response.read()
        yield Stream(response.iter_lines())


def add(playground: Playground, cluster: str, plural: str, manifest: Json) -> Json:
    response = playground.http.post(f"/k8s/{cluster}/api/v1/{plural}", json=manifest)
    assert response.status_code == 201, response.text
    made: Json = response.json()
    return made


def label(playground: Playground, cluster: str, name: str, **labels: str | None) -> None:
    response = playground.http.patch(
        f"/k8s/{cluster}/api/v1/namespaces/default/configmaps/{name}",
        content=json.dumps({"metadata": {"labels": labels}}),
        headers={"Content-Type": "application/merge-patch+json"},
    )
    assert response.status_code == 200, response.text


def a_config_map(name: str, **labels: str) -> Json:
    return {"metadata": {"name": name, "labels": labels}, "data": {"k": "v"}}


CONFIG_MAPS = "namespaces/default/configmaps"


@pytest.mark.parametrize("where", ["playground", "postgresql_playground"])
def test_a_watch_tells_every_change_from_a_version_on(where: str, request: pytest.FixtureRequest) -> None:
    running: Playground = request.getfixturevalue(where)
    cluster = running.create_cluster()
    version = running.http.get(f"/k8s/{cluster}/api/v1/{CONFIG_MAPS}").json()["metadata"]["resourceVersion"]
    add(running, cluster, CONFIG_MAPS, a_config_map("before"))
    with watching(running, cluster, CONFIG_MAPS, resourceVersion=version) as stream:
        assert stream.names(1) == [("ADDED", "before")]
        add(running, cluster, CONFIG_MAPS, a_config_map("during"))
        label(running, cluster, "during", a="b")
        running.http.delete(f"/k8s/{cluster}/api/v1/{CONFIG_MAPS}/before")
        assert stream.names(3) == [("ADDED", "during"), ("MODIFIED", "during"), ("DELETED", "before")]


def test_a_watch_without_a_version_begins_with_what_is_there(playground: Playground) -> None:
    cluster = playground.create_cluster()
    add(playground, cluster, CONFIG_MAPS, a_config_map("one"))
    with watching(playground, cluster, CONFIG_MAPS) as stream:
        assert stream.names(1) == [("ADDED", "one")]
        add(playground, cluster, CONFIG_MAPS, a_config_map("two"))
        assert stream.names(1) == [("ADDED", "two")]


def test_an_object_comes_into_a_selectors_sight_and_leaves_it(playground: Playground) -> None:
    cluster = playground.create_cluster()
    for name in ("seen", "unseen"):
        add(playground, cluster, CONFIG_MAPS, a_config_map(name, color="red" if name == "seen" else "blue"))
    listed = playground.http.get(f"/k8s/{cluster}/api/v1/{CONFIG_MAPS}?labelSelector=color%3Dred").json()
    assert [each["metadata"]["name"] for each in listed["items"]] == ["seen"]
    version = listed["metadata"]["resourceVersion"]
    with watching(playground, cluster, CONFIG_MAPS, resourceVersion=version, labelSelector="color=red") as stream:
        label(playground, cluster, "seen", size="big")
        label(playground, cluster, "unseen", color="red")
        label(playground, cluster, "seen", color="blue")
        label(playground, cluster, "seen", size="small")
        playground.http.delete(f"/k8s/{cluster}/api/v1/{CONFIG_MAPS}/unseen")
        assert stream.names(4) == [
            ("MODIFIED", "seen"),
            ("ADDED", "unseen"),
            ("DELETED", "seen"),
            ("DELETED", "unseen"),
        ]


def test_a_watch_ends_in_its_time(playground: Playground) -> None:
    cluster = playground.create_cluster()
    with watching(playground, cluster, CONFIG_MAPS, timeoutSeconds=1) as stream:
        assert stream.rest() == []


def test_a_page_over_a_real_server_sees_a_pod_from_drop_to_bound(playground: Playground) -> None:
    cluster = playground.create_cluster()
    add(playground, cluster, "nodes", a_node())
    with playground.live(cluster) as live:
        assert json.loads(live.recv(timeout=10))["frame"] == "snapshot"
        add(playground, cluster, "namespaces/default/pods", a_pod())
        bound, version = False, None
        while not bound:
            frame = json.loads(live.recv(timeout=10))
            assert version in (None, frame["after"])
            version = frame["version"]
            bound = any(
                message["type"] == "object"
                and message["object"]["kind"] == "Pod"
                and message["object"]["node_name"] == "n1"
                for message in frame["messages"]
            )


@pytest.mark.skipif(not ONLINE_BOUTIQUE.exists(), reason="Online Boutique's manifests are not here")
def test_a_real_application_is_applied_on_postgresql(postgresql_playground: Playground) -> None:
    cluster = postgresql_playground.create_cluster("kind-1-3")
    for expected in ("created", "unchanged"):
        answer = postgresql_playground.http.post(
            f"/api/clusters/{cluster}/apply/",
            content=ONLINE_BOUTIQUE.read_bytes(),
            headers={"Content-Type": "application/yaml"},
        )
        assert {each["result"] for each in answer.json()["results"]} == {expected}
    assert postgresql_playground.http.delete(f"/api/clusters/{cluster}/").status_code == 204
