"""Each lab of the queue, played as its description tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from django.test import Client

from playground.clusters.models import Pod
from playground.clusters.presets.registry import PRESETS
from playground.clusters.services.objects import object_create
from playground.clusters.services.transaction import cluster_transaction
from playground.live import followers
from playground.scheduling.models import ClusterEventRecord, QueuedPod
from playground.scheduling.services.settings import settings_update
from tests.playground.builders import a_node
from tests.playground.lab import Lab

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_else() -> Iterator[None]:
    with followers.only():
        yield


@pytest.mark.parametrize("preset", [each for each in PRESETS if "lab" in each.id or "slow" in each.id])
def test_every_lab_says_what_to_look_at(preset: object) -> None:
    description = preset.description  # type: ignore[attr-defined]
    assert "ook at" in description


def test_starvation_the_giant_is_tried_again_and_again_and_the_small_ones_run_all_the_same() -> None:
    lab = Lab("starvation-lab")
    assert lab.pod("giant").queue == "unschedulablePods"
    before = lab.pod("giant").attempts
    lab.pass_time(15)
    assert lab.pod("giant").attempts >= before + 2
    assert lab.pod("giant").priority > 0
    assert Pod.objects.filter(phase="Succeeded").count() >= 8


def test_backoff_doubles_up_to_ten_seconds() -> None:
    lab = Lab("backoff-lab")
    lab.pass_time(40)
    backoffs = lab.backoffs("patient")
    # The shortest ones are over before the next pod of the Job ends.
    assert backoffs[:4] == [4.0, 8.0, 10.0, 10.0]


def test_backoff_is_cut_short_by_popping_from_backoff_q() -> None:
    def attempts(*, gate: bool) -> int:
        lab = Lab("backoff-lab")
        settings_update(cluster=lab.cluster, values={"feature_gates": {"SchedulerPopFromBackoffQ": gate}})
        lab.pass_time(25)
        found = lab.pod("patient").attempts
        lab.cluster.delete()
        return found

    assert attempts(gate=True) >= attempts(gate=False) + 2


def test_hints_one_node_wakes_four_of_ten_and_says_why_not_the_others(client: Client) -> None:
    lab = Lab("hint-lab")
    waiting = Counter(QueuedPod.objects.values_list("queue", flat=True))
    assert waiting == {"unschedulablePods": 8, "gated": 2}
    lab.pass_time(5)
    with cluster_transaction(lab.cluster.pk) as tx:
        object_create(tx, manifest=a_node("fast", labels={"disk": "ssd"}))
    lab.work()
    report = ClusterEventRecord.objects.get(event="NodeAdd", object="Node/fast").report
    assert {pod["pod"]["name"]: pod["plugin"] for pod in report["woken"]} == {
        "ssd-1": "NodeAffinity",
        "ssd-2": "NodeAffinity",
        "claim-1": "VolumeRestrictions",
        "claim-2": "VolumeRestrictions",
    }
    skipped = {pod["name"]: each["plugin"] for each in report["skipped"] for pod in each["pods"]}
    assert skipped["tape-1"] == "NodeAffinity"
    assert skipped["large-1"] == "NodeResourcesFit"
    life = client.get("/api/clusters/lab/pods/default/tape-2/life/").json()
    assert any("node fast added: NodeAffinity: " in each["text"] for each in life["not_woken_by"])
    assert dict(Pod.objects.filter(name__startswith="ssd").values_list("name", "node_name")) == {
        "ssd-1": "fast",
        "ssd-2": "fast",
    }


def test_hints_off_everyone_who_waited_for_a_node_wakes_in_vain() -> None:
    lab = Lab("hint-lab")
    settings_update(cluster=lab.cluster, values={"feature_gates": {"SchedulerQueueingHints": False}})
    lab.pass_time(15)
    before = {name: lab.pod(name).attempts for name in ("tape-1", "large-1")}
    with cluster_transaction(lab.cluster.pk) as tx:
        object_create(tx, manifest=a_node("fast", labels={"disk": "ssd"}))
    lab.work()
    assert {name: lab.pod(name).attempts for name in before} == {name: n + 1 for name, n in before.items()}


def reasons() -> Counter[str]:
    return Counter(pod.manifest["status"].get("reason", "") for pod in Pod.objects.all())


def test_a_slow_api_server_with_the_assume_cache_places_nobody_twice() -> None:
    lab = Lab("slow-api-server")
    assert Counter(QueuedPod.objects.values_list("queue", flat=True)) == {"binding": 2, "unschedulablePods": 2}
    lab.pass_time(7)
    assert Counter(QueuedPod.objects.values_list("queue", flat=True)) == {"unschedulablePods": 2}
    assert "OutOfcpu" not in reasons()


def test_a_slow_api_server_without_it_has_pods_refused_by_the_kubelet() -> None:
    lab = Lab("slow-api-server-without-assume")
    assert Counter(QueuedPod.objects.values_list("queue", flat=True)) == {"binding": 4}
    lab.pass_time(7)
    assert reasons()["OutOfcpu"] >= 2
