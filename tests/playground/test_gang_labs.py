"""Each lab of gangs, played as its description tells: in the database, and with workers that die."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from playground.clusters.models import KubernetesObject, Pod
from playground.clusters.presets.registry import PRESETS
from playground.clusters.selectors import object_get
from playground.clusters.services.objects import object_create, object_delete, object_patch
from playground.clusters.services.transaction import cluster_transaction
from playground.live import followers
from playground.scheduling.models import QueuedPod, SchedulerLease
from tests.playground.lab import Lab
from tests.playground.scheduling.driving import Worker

pytestmark = pytest.mark.django_db

GROUP = {"scheduling.x-k8s.io/pod-group": "gang"}


@pytest.fixture(autouse=True)
def nobody_else() -> Iterator[None]:
    with followers.only():
        yield


def bound(lab: Lab) -> Counter[str]:
    """Pods that have a node, by the first word of their names."""
    names = Pod.objects.filter(cluster=lab.cluster).exclude(node_name="").values_list("name", flat=True)
    return Counter(name.partition("-")[0] for name in names)


def scale(lab: Lab, name: str, replicas: int) -> None:
    def scaled(manifest: dict[str, object]) -> dict[str, object]:
        return {**manifest, "spec": {**manifest["spec"], "replicas": replicas}}  # type: ignore[dict-item]

    with cluster_transaction(lab.cluster.pk) as tx:
        object_patch(tx, kind="Deployment", namespace="default", name=name, change=scaled)
    lab.work()


def phase_of_group(lab: Lab, name: str) -> str:
    manifest = object_get(lab.cluster.pk, "PodGroup", "default", name)
    assert manifest is not None
    return str(manifest["status"]["phase"])


def test_every_lab_of_gangs_says_what_to_look_at() -> None:
    labs = [preset for preset in PRESETS if "gang" in preset.id]
    assert len(labs) == 3
    assert all("ook at" in preset.description for preset in labs)


def test_two_of_three_stay_pending_and_the_third_brings_them_along() -> None:
    lab = Lab("gang-lab")
    assert bound(lab) == {}
    first = QueuedPod.objects.order_by("name").first()
    assert first is not None
    assert first.message == (
        f"0/2 nodes are available: pre-filter pod {first.name} cannot find enough sibling pods, "
        "current pods number: 2, minMember of group: 3. no new claims to deallocate, "
        "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling., "
        f"PodGroup default/trainer gets rejected due to Pod {first.name} is unschedulable even after PostFilter"
    )
    assert phase_of_group(lab, "trainer") == "Pending"
    lab.pass_time(30)
    assert bound(lab) == {}
    scale(lab, "trainer", 3)
    assert bound(lab) == {"trainer": 3}
    lab.pass_time(10)
    assert phase_of_group(lab, "trainer") == "Running"


def test_two_gangs_without_coscheduling_hold_half_each_for_good() -> None:
    lab = Lab("gangs-starving")
    assert bound(lab) == {"blue": 2, "red": 2}
    lab.pass_time(60)
    assert bound(lab) == {"blue": 2, "red": 2}


def test_two_gangs_with_it_run_one_after_the_other() -> None:
    lab = Lab("gangs-coscheduling")
    assert bound(lab) == {"blue": 4}
    lab.pass_time(5)
    assert bound(lab) == {"blue": 4}
    for number in range(1, 5):
        with cluster_transaction(lab.cluster.pk) as tx:
            object_delete(tx, kind="Pod", namespace="default", name=f"blue-{number}")
    lab.pass_time(50)
    assert bound(lab) == {"red": 4}


class TestAWorkerThatDies:
    def member(self, lab: Lab, name: str) -> None:
        container = {"name": "main", "image": "i", "resources": {"requests": {"cpu": "1"}}}
        manifest = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "namespace": "default", "labels": GROUP},
            "spec": {"containers": [container]},
        }
        with cluster_transaction(lab.cluster.pk) as tx:
            object_create(tx, manifest=manifest)

    @pytest.fixture
    def lab(self) -> Lab:
        """Two nodes of two CPUs each, and a PodGroup of ten."""
        lab = Lab("gang-lab")
        scale(lab, "trainer", 0)
        group = {
            "apiVersion": "scheduling.x-k8s.io/v1alpha1",
            "kind": "PodGroup",
            "metadata": {"name": "gang", "namespace": "default"},
            "spec": {"minMember": 10},
        }
        with cluster_transaction(lab.cluster.pk) as tx:
            object_create(tx, manifest=group)
        return lab

    def wait_with(self, lab: Lab, waiting: int) -> None:
        """So many of a gang of ten are placed; one more node would be needed for the last."""
        for number in range(10):
            self.member(lab, f"gang-{number}")
        for number in range(waiting - 4):
            self.node(lab, f"more-{number}")
        lab.worker.work()
        assert QueuedPod.objects.filter(queue="waiting").count() == waiting

    def node(self, lab: Lab, name: str) -> None:
        manifest = {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name},
            "status": {"allocatable": {"cpu": "1", "memory": "1Gi", "pods": "10"}},
        }
        with cluster_transaction(lab.cluster.pk) as tx:
            object_create(tx, manifest=manifest)

    def take_over(self, lab: Lab) -> None:
        SchedulerLease.objects.all().delete()
        lab.worker = Worker(lab.cluster, holder="another/2/test")

    def test_the_next_one_completes_the_gang(self, lab: Lab) -> None:
        self.wait_with(lab, 9)
        self.take_over(lab)
        self.node(lab, "last")
        # The one that had no room sits out its backoff.
        lab.pass_time(12)
        assert bound(lab) == {"gang": 10}

    def test_the_next_one_ends_the_wait_when_its_time_is_over(self, lab: Lab) -> None:
        self.wait_with(lab, 9)
        lab.pass_time(40)
        self.take_over(lab)
        lab.pass_time(15)
        assert QueuedPod.objects.filter(queue="waiting").count() == 9
        lab.pass_time(6)
        events = KubernetesObject.objects.filter(cluster=lab.cluster, kind="Event")
        messages = {event.manifest.get("message") or event.manifest.get("note") for event in events}
        timed_out = "0/1 nodes are available: 1 rejected due to timeout after waiting 1m0s at plugin Coscheduling."
        assert timed_out in messages
        assert bound(lab) == {}
