"""A pod's life, the log of cluster events, the queue's counters and the metrics, all from the database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from playground.clusters.models import Change, Cluster
from playground.clusters.services.clusters import cluster_settings_update
from playground.clusters.services.objects import object_delete
from playground.clusters.services.transaction import cluster_transaction
from playground.live import followers
from playground.scheduling.models import ClusterEventRecord, PodHistory
from playground.scheduling.services import record
from playground.scheduling.services.schedulers import scheduler_deploy
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.scheduling.driving import Worker, advance

pytestmark = pytest.mark.django_db

Json = dict[str, Any]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with followers.only():
        cluster = a_cluster()
        Cluster.objects.update(clock_speed=0.01)
        yield cluster


def get(client: Client, path: str, status: int = 200) -> Json:
    response = client.get(f"/api/clusters/demo/{path}")
    assert response.status_code == status, response.content
    return dict(response.json())


def a_story(cluster: Cluster) -> Worker:
    """A pod that wants an SSD: rejected, not woken by a node without, woken by one that has it."""
    created(cluster, a_node("n1"), a_pod("web", nodeSelector={"disk": "ssd"}))
    worker = Worker(cluster)
    worker.work()
    created(cluster, a_node("n2", labels={"disk": "hdd"}))
    worker.work()
    return worker


def test_a_life_is_told_in_order_with_its_causes(cluster: Cluster, client: Client) -> None:
    worker = a_story(cluster)
    advance(cluster, 5)
    created(cluster, a_node("n7", labels={"disk": "ssd"}))
    worker.work()
    life = get(client, "pods/default/web/life/")
    steps = [entry["text"].split(":")[0] for entry in life["entries"]]
    assert steps == [
        "new to activeQ",
        "activeQ to inFlight",
        "attempt 1",
        "inFlight to unschedulablePods",
        "unschedulablePods to activeQ",
        "activeQ to inFlight",
        "attempt 2",
        "inFlight to binding",
        "binding to n7",
        "binding to bound",
    ]
    woken = life["entries"][4]
    assert woken["text"].startswith("unschedulablePods to activeQ: node n7 added: NodeAffinity")
    assert [(skip["object"], skip["plugin"]) for skip in woken["move"]["skips"]] == [("Node/n2", "NodeAffinity")]
    assert [entry["at"] for entry in life["entries"]] == sorted(entry["at"] for entry in life["entries"])
    assert (life["standing"], life["complete"], life["not_woken_by"]) == (None, True, [])


def test_a_pod_that_waits_tells_what_did_not_wake_it(cluster: Cluster, client: Client) -> None:
    a_story(cluster)
    life = get(client, "pods/default/web/life/")
    (not_woken,) = life["not_woken_by"]
    assert not_woken["text"].startswith("not woken by: node n2 added: NodeAffinity: ")
    assert not_woken["skip"]["count"] == 1
    assert life["standing"]["queue"] == "unschedulablePods"
    assert life["seconds_in_queue"] >= 0


def test_a_life_outlives_the_feed_the_worker_and_the_pod(cluster: Cluster, client: Client) -> None:
    worker = a_story(cluster)
    before = get(client, "pods/default/web/life/")
    uid = before["pod"]["uid"]
    Change.objects.all().delete()
    with cluster_transaction(cluster.pk) as tx:
        object_delete(tx, kind="Pod", namespace="default", name="web")
    worker.work()
    created(cluster, a_pod("web"))
    Worker(cluster).work()
    old = get(client, f"pods/default/web/life/?uid={uid}")
    assert old["entries"][: len(before["entries"])] == before["entries"]
    assert old["entries"][-1]["text"].startswith("unschedulablePods to gone")
    new = get(client, "pods/default/web/life/")
    assert new["pod"]["uid"] != uid
    assert new["entries"][-1]["text"].startswith("binding to bound")


def test_a_failed_binding_is_part_of_the_life(cluster: Cluster, client: Client) -> None:
    with cluster_transaction(cluster.pk) as tx:
        cluster_settings_update(tx, values={"binding_failure_rate": 1.0})
    created(cluster, a_node("n1"), a_pod("web"))
    Worker(cluster).work()
    texts = [entry["text"] for entry in get(client, "pods/default/web/life/")["entries"]]
    assert any(text.startswith("binding to n1: failed after") for text in texts), texts
    assert texts[-1].startswith("binding to backoffQ")


def test_a_pod_nobody_knows_is_not_found(cluster: Cluster, client: Client) -> None:
    problem = get(client, "pods/default/nobody/life/", 404)
    assert 'pod "default/nobody"' in problem["error"]["message"]


def test_the_log_tells_whom_each_event_woke_and_whom_not(cluster: Cluster, client: Client) -> None:
    worker = a_story(cluster)
    advance(cluster, 5)
    created(cluster, a_node("n7", labels={"disk": "ssd"}))
    worker.work()
    newest, older = get(client, "cluster-events/?event=NodeAdd")["results"]
    assert newest["text"] == "node n7 added: woke 1 of the 1 pods it concerned"
    assert [pod["pod"]["name"] for pod in newest["report"]["woken"]] == ["web"]
    assert older["text"] == "node n2 added: woke 0 of the 1 pods it concerned"
    (skipped,) = older["report"]["skipped"]
    assert (skipped["plugin"], skipped["count"]) == ("NodeAffinity", 1)
    assert get(client, "cluster-events/?object=Node/n2")["count"] == 1


def test_the_page_is_told_of_events_with_the_queue(cluster: Cluster) -> None:
    a_story(cluster)
    told = [event for change in Change.objects.filter(topic="queue") for event in change.payload.get("events", [])]
    assert "Node/n2" in [event["object"] for event in told]


def test_the_queue_has_counters(cluster: Cluster, client: Client) -> None:
    a_story(cluster)
    answer = get(client, "queue/")
    (pod,) = answer["queues"]["unschedulablePods"]
    assert (pod["attempts"], pod["unschedulable_plugins"], pod["unschedulable_count"]) == (1, ["NodeAffinity"], 1)
    assert pod["seconds"] == pytest.approx(answer["now"] - pod["since"])
    assert [skip["object"] for skip in pod["skips"]] == ["Node/n2"]


def test_only_the_newest_history_is_kept(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HISTORY_KEPT", "EVENTS_KEPT"):
        monkeypatch.setattr(record, name, 3)
    for name in ("HISTORY_STEP", "EVENTS_STEP"):
        monkeypatch.setattr(record, name, 1)
    worker = a_story(cluster)
    for number in range(5):
        created(cluster, a_node(f"more-{number}"))
        worker.work()
    created(cluster, *(a_pod(f"web-{number}") for number in range(6)))
    worker.work()
    assert (PodHistory.objects.count(), ClusterEventRecord.objects.count()) == (3, 3)


def metrics_of(client: Client) -> dict[str, float]:
    response = client.get("/metrics")
    assert response.status_code == 200
    lines = response.content.decode().splitlines()
    return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in lines if not line.startswith("#")}


def test_metrics_have_kube_schedulers_names(cluster: Cluster, client: Client) -> None:
    worker = a_story(cluster)
    advance(cluster, 5)
    created(cluster, a_node("n7", labels={"disk": "ssd"}), a_pod("never", nodeSelector={"disk": "tape"}))
    worker.work()
    found = metrics_of(client)
    profile = 'profile="default-scheduler"'
    assert found['scheduler_pending_pods{cluster="demo",queue="unschedulable"}'] == 1
    assert found['scheduler_pending_pods{cluster="demo",queue="active"}'] == 0
    assert found[f'scheduler_schedule_attempts_total{{cluster="demo",{profile},result="scheduled"}}'] == 1
    assert found[f'scheduler_schedule_attempts_total{{cluster="demo",{profile},result="unschedulable"}}'] == 2
    assert found['scheduler_queue_incoming_pods_total{cluster="demo",event="PodAdd",queue="active"}'] == 2
    assert found['scheduler_queue_incoming_pods_total{cluster="demo",event="NodeAdd",queue="active"}'] == 1
    assert found['scheduler_pod_scheduling_sli_duration_seconds_count{cluster="demo",attempts="2"}'] == 1
    assert found['scheduler_pod_scheduling_sli_duration_seconds_sum{cluster="demo",attempts="2"}'] >= 5
    duration = "scheduler_scheduling_attempt_duration_seconds"
    assert found[f'{duration}_bucket{{cluster="demo",{profile},result="unschedulable",le="+Inf"}}'] == 2
    filtering = 'cluster="demo",extension_point="Filter",plugin="NodeAffinity"'
    assert any(key.startswith(f"scheduler_plugin_execution_duration_seconds_count{{{filtering}") for key in found)
    assert any(key.startswith("scheduler_framework_extension_point_duration_seconds_sum") for key in found)


def test_counts_go_on_under_a_successor(cluster: Cluster, client: Client) -> None:
    a_story(cluster)
    created(cluster, a_pod("more", nodeSelector={"disk": "tape"}))
    Worker(cluster).work()
    key = 'scheduler_schedule_attempts_total{cluster="demo",profile="default-scheduler",result="unschedulable"}'
    assert metrics_of(client)[key] == 2


def test_buckets_are_cumulative_and_end_with_all(cluster: Cluster, client: Client) -> None:
    a_story(cluster)
    name = "scheduler_scheduling_attempt_duration_seconds_bucket"
    buckets = [value for key, value in metrics_of(client).items() if key.startswith(name)]
    assert buckets == sorted(buckets)
    assert len(buckets) == 16
    assert buckets[-1] == 1


def test_a_pod_that_two_schedulers_are_after_has_a_life_that_says_whose_deed_each_was(
    cluster: Cluster, client: Client
) -> None:
    with cluster_transaction(cluster.pk) as tx:
        # With a Lease of its own, and a profile of the same name as the first's.
        document = {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "leaderElection": {"resourceName": "other"},
        }
        scheduler_deploy(tx, name="other", document=document)
    created(cluster, a_node("n1"), a_pod("web"))
    workers = [
        Worker(cluster, f"elsewhere/1/{name}", binds=False, scheduler=name) for name in ("kube-scheduler", "other")
    ]
    for worker in workers:
        worker.work()
    life = get(client, "pods/default/web/life/")
    assert {entry["scheduler"] for entry in life["entries"]} == {"kube-scheduler", "other"}
    assert "other: new to activeQ" in {":".join(entry["text"].split(":")[:2]) for entry in life["entries"]}
    assert all(entry["text"].startswith(entry["scheduler"] + ": ") for entry in life["entries"])
