"""The services the other tests rely on do run, on the embedded default and on PostgreSQL with Redis."""

from __future__ import annotations

import json

import httpx
import psycopg
import pytest
import redis

from tests.services.running import Playground, wait_for


def test_the_embedded_stack_serves(playground: Playground) -> None:
    assert playground.http.get("/healthz").json() == {"status": "ok"}


def test_the_stack_on_postgresql_and_redis_serves(postgresql_playground: Playground) -> None:
    assert postgresql_playground.http.get("/healthz").json() == {"status": "ok"}


def test_a_killed_web_server_can_be_started_again(own_playground: Playground) -> None:
    own_playground.kill("web")
    with pytest.raises(httpx.TransportError):
        own_playground.http.get("/healthz")
    own_playground.start_part("web")
    assert own_playground.http.get("/healthz").is_success


def test_workers_keep_the_periodic_tasks_going(own_playground: Playground) -> None:
    broker = redis.Redis(unix_socket_path=own_playground.place.redis_url.removeprefix("unix://"))
    wait_for(lambda: broker.keys("*heartbeat:scheduling.sweep"), what="a beat of the scheduling sweep")
    broker.close()


def test_postgresql_is_a_server_of_our_own(postgresql_url: str) -> None:
    with psycopg.connect(postgresql_url) as connection:
        assert connection.execute("SHOW fsync").fetchone() == ("off",)


def test_the_broker_listens_on_a_private_socket(valkey_url: str) -> None:
    broker = redis.Redis(unix_socket_path=valkey_url.removeprefix("unix://"))
    assert broker.config_get("port") == {"port": "0"}
    broker.close()


def test_a_snapshot_larger_than_a_megabyte_reaches_the_page(playground: Playground) -> None:
    cluster = playground.create_cluster()
    playground.http.post(f"/api/clusters/{cluster}/pause/", json={})
    labels = {f"label-{number}": "x" * 63 for number in range(20)}
    pods = [
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": f"pod-{number}", "labels": labels},
            "spec": {"containers": [{"name": "main", "image": "registry.example/app:1.0"}]},
        }
        for number in range(700)
    ]
    answer = playground.http.post(
        f"/api/clusters/{cluster}/apply/", json={"yaml": "\n---\n".join(map(json.dumps, pods))}
    )
    assert {result["result"] for result in answer.json()["results"]} == {"created"}
    with playground.live(cluster) as socket:
        frame = socket.recv(timeout=20)
    assert len(frame) > 1024**2
    assert json.loads(frame)["frame"] == "snapshot"
