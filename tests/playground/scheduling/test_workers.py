"""With real workers: pods end bound, whatever happens to the processes on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
import yaml

from tests.services.running import Playground, clean_environ, wait_for

Json = dict[str, Any]

pytestmark = pytest.mark.services

# Answers a row for each connection that there was.
DROP_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
CONTAINER = {"name": "main", "image": "app:1", "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}}}


def apply(playground: Playground, cluster: str, *manifests: Json) -> None:
    text = "---\n".join(yaml.safe_dump(manifest) for manifest in manifests)
    answer = playground.http.post(f"/api/clusters/{cluster}/apply/", json={"yaml": text})
    assert answer.status_code == 200, answer.text
    assert [result["error"] for result in answer.json()["results"]] == [None] * len(manifests)


def a_node(name: str) -> Json:
    resources = {"cpu": "4", "memory": "8Gi", "pods": "110"}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": resources}}


def a_pod(name: str, **spec: Any) -> Json:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [CONTAINER], **spec}}


def idle(playground: Playground, cluster: str, seconds: float = 60) -> Json:
    url = f"/api/clusters/{cluster}/run-until-idle/"
    answer = playground.http.post(url, json={"timeout_seconds": seconds}, timeout=seconds + 10)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def listed(playground: Playground, cluster: str, plural: str) -> list[Json]:
    answer = playground.http.get(f"/k8s/{cluster}/api/v1/{plural}")
    assert answer.status_code == 200, answer.text
    return list(answer.json()["items"])


def nodes_of_pods(playground: Playground, cluster: str) -> dict[str, str]:
    pods = listed(playground, cluster, "pods")
    return {pod["metadata"]["name"]: pod["spec"].get("nodeName", "") for pod in pods}


def scheduled_events(playground: Playground, cluster: str) -> Counter[str]:
    """How often each pod was told that it was assigned."""
    events = [event for event in listed(playground, cluster, "events") if event["reason"] == "Scheduled"]
    counts: Counter[str] = Counter()
    for event in events:
        counts[event["involvedObject"]["name"]] += event["count"]
    return counts


def test_pods_end_bound_and_running(playground: Playground) -> None:
    cluster = playground.create_cluster()
    apply(playground, cluster, a_node("n1"), a_node("n2"), *(a_pod(f"web-{number}") for number in range(10)))
    summary = idle(playground, cluster)
    assert (summary["idle"], summary["scheduled"], summary["pending"]) == (True, 10, 0)
    assert set(nodes_of_pods(playground, cluster).values()) == {"n1", "n2"}


def test_a_pod_that_fits_nowhere_is_bound_soon_after_room_was_made(playground: Playground) -> None:
    cluster = playground.create_cluster()
    apply(playground, cluster, a_pod("web", nodeSelector={"disk": "ssd"}), a_node("n1"))
    wait_for(lambda: idle(playground, cluster, 0.5)["unschedulable"], what="the pod unschedulable")
    node = a_node("n2")
    node["metadata"]["labels"] = {"disk": "ssd"}
    apply(playground, cluster, node)
    wait_for(lambda: nodes_of_pods(playground, cluster) == {"web": "n2"}, what="the pod on n2")


def test_a_step_binds_one_pod_of_a_paused_cluster(playground: Playground) -> None:
    cluster = playground.create_cluster()
    assert playground.http.post(f"/api/clusters/{cluster}/pause/").status_code == 200
    apply(playground, cluster, a_node("n1"), a_pod("one"), a_pod("two"))
    step = playground.http.post(f"/api/clusters/{cluster}/step/").json()
    assert step["done"] is True
    wait_for(lambda: sorted(nodes_of_pods(playground, cluster).values()) == ["", "n1"], what="one pod on n1")
    assert len(playground.http.get(f"/api/clusters/{cluster}/decisions/").json()["results"]) == 1


@pytest.fixture(scope="module")
def mortal_playground(services_folder: Path) -> Iterator[Playground]:
    """One whose workers are killed and started again by one test after the other."""
    folder = services_folder / "mortal"
    folder.mkdir(mode=0o700)
    running = Playground.start_all(folder, clean_environ())
    yield running
    running.close()


@pytest.mark.parametrize("victims", [["worker"], ["scheduler"], ["scheduler", "worker"]], ids="+".join)
def test_workers_killed_among_200_bindings_lose_nothing_and_bind_nothing_twice(
    mortal_playground: Playground, victims: list[str]
) -> None:
    playground = mortal_playground
    cluster = playground.create_cluster()
    apply(playground, cluster, *(a_node(f"n{number}") for number in range(20)))
    idle(playground, cluster)
    with playground.live(cluster) as live:
        live.recv(timeout=30)
        apply(playground, cluster, a_deployment(200))
        _wait_for_bound(live, 1)
        for victim in victims:
            playground.kill(victim)
    for victim in victims:
        playground.start_part(victim)
    summary = idle(playground, cluster, 90)
    assert summary["idle"], summary
    nodes = nodes_of_pods(playground, cluster)
    assert (len(nodes), "" in nodes.values()) == (200, False)
    assert scheduled_events(playground, cluster) == Counter(dict.fromkeys(nodes, 1))


def test_pods_end_bound_on_postgresql_with_redis(postgresql_playground: Playground) -> None:
    playground = postgresql_playground
    cluster = playground.create_cluster()
    apply(playground, cluster, *(a_node(f"n{number}") for number in range(5)), a_deployment(50))
    wait_for(lambda: idle(playground, cluster, 10)["scheduled"] == 50, seconds=60, what="50 pods on nodes")
    nodes = nodes_of_pods(playground, cluster)
    assert scheduled_events(playground, cluster) == Counter(dict.fromkeys(nodes, 1))


def test_postgresql_dropping_every_connection_among_200_bindings_costs_nothing(
    postgresql_playground: Playground, postgresql_url: str
) -> None:
    playground = postgresql_playground
    cluster = playground.create_cluster()
    apply(playground, cluster, *(a_node(f"n{number}") for number in range(20)))
    idle(playground, cluster)
    with psycopg.connect(postgresql_url, autocommit=True) as database:
        apply(playground, cluster, a_deployment(200))
        for _ in range(5):
            # Only tasks at work have one.
            wait_for(lambda: database.execute(DROP_OTHERS).fetchall(), what="a connection to drop")
        assert _bound(database, cluster) < 200
    # A request may have met a connection of before.
    wait_for(lambda: playground.http.get("/healthz").status_code == 200, what="the web server")
    summary = idle(playground, cluster, 90)
    assert summary["idle"], summary
    nodes = nodes_of_pods(playground, cluster)
    assert (len(nodes), "" in nodes.values()) == (200, False)
    assert scheduled_events(playground, cluster) == Counter(dict.fromkeys(nodes, 1))


def _bound(database: psycopg.Connection[Any], cluster: str) -> int:
    query = (
        "SELECT count(*) FROM scheduling_binding JOIN clusters_cluster ON cluster_id = clusters_cluster.id"
        " WHERE slug = %s AND phase = 'bound'"
    )
    (count,) = database.execute(query, [cluster]).fetchone() or (0,)
    return int(count)


def a_deployment(replicas: int) -> Json:
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [CONTAINER]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template},
    }


def _wait_for_bound(live: Any, pods: int) -> None:
    """Until so many pods were said to be bound."""
    bound: set[str] = set()
    while len(bound) < pods:
        frame = msgspec.json.decode(live.recv(timeout=60))
        for message in frame.get("messages", ()):
            if message["type"] == "bindings":
                bound.update(each["pod"]["uid"] for each in message["bindings"] if each["phase"] == "bound")


def test_a_slow_api_server_answers_in_cluster_time_also_after_a_pause(playground: Playground) -> None:
    cluster = playground.create_cluster(settings={"binding_latency_seconds": 60})
    apply(playground, cluster, a_node("n1"), a_pod("web"))

    def queues() -> Json:
        return dict(playground.http.get(f"/api/clusters/{cluster}/queue/").json()["queues"])

    wait_for(lambda: queues()["binding"], what="the pod on its way")
    assert playground.http.post(f"/api/clusters/{cluster}/pause/").status_code == 200
    assert playground.http.post(f"/api/clusters/{cluster}/speed/", json={"speed": 100}).status_code == 200
    assert nodes_of_pods(playground, cluster) == {"web": ""}
    assert playground.http.post(f"/api/clusters/{cluster}/resume/").status_code == 200
    wait_for(lambda: nodes_of_pods(playground, cluster) == {"web": "n1"}, seconds=10, what="the pod bound")
    life = playground.http.get(f"/api/clusters/{cluster}/pods/default/web/life/").json()
    (binding,) = [entry["binding"] for entry in life["entries"] if entry["kind"] == "binding"]
    assert binding["ended_at"] - binding["at"] >= 60
    assert "scheduler_schedule_attempts_total{" in playground.http.get("/metrics").text


def test_two_schedulers_race_with_real_workers_and_one_pod_runs(playground: Playground) -> None:
    answer = playground.http.post("/api/clusters/", json={"name": "race", "preset": "two-schedulers-race"})
    assert answer.status_code == 201, answer.text
    playground.http.post("/api/clusters/race/speed/", json={"speed": 10})

    def phases() -> Counter[str]:
        pods = [pod for pod in listed(playground, "race", "pods") if pod["metadata"]["name"] != "resident"]
        return Counter(pod["status"]["phase"] for pod in pods)

    ended = {"Running": 1, "Failed": 1, "Pending": 1}
    wait_for(lambda: phases() == ended, seconds=60, what="one runs, one was refused, one waits")
    schedulers = playground.http.get("/api/clusters/race/schedulers/").json()["results"]
    assert [each["leader"] for each in schedulers] == ["kube-scheduler-0", "second-scheduler-0"]
