"""Pods held at Permit, through the whole stack: they keep their room, hold no worker, and outlive their scheduler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from playground.clusters import clock
from playground.clusters.models import Cluster, Pod
from playground.live import followers
from playground.scheduling.engine.registry import installed_registry
from playground.scheduling.models import Binding, Decision, PodHistory, QueuedPod
from playground.scheduling.services.profiles import configuration_replace
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import PermitResult, Plugin
from scheduler_core.framework.registry import RegistryEntry
from scheduler_core.framework.status import SUCCESS, Code, Status
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.args import NoArgs
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import LiveWatch
from tests.playground.scheduling.driving import Worker, advance, nodes_of_pods

pytestmark = pytest.mark.django_db

HOLD_SECONDS = 20.0


class Gatekeeper(Plugin):
    """Holds pods named held-*; `opener` lets them all go, `closer` sends them all back."""

    name = "Gatekeeper"

    def permit(self, state: CycleState, pod: PodInfo, node_name: str) -> PermitResult:
        if pod.name.startswith("held"):
            return PermitResult(Status(Code.WAIT, ("for the opener",)), HOLD_SECONDS)
        for waiting in self.handle.waiting_pods:
            if pod.name == "opener":
                waiting.allow(self.name)
            elif pod.name == "closer":
                waiting.reject(self.name, "the closer came")
        return PermitResult(SUCCESS)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    monkeypatch.setitem(installed_registry(), Gatekeeper.name, RegistryEntry(Gatekeeper, NoArgs))  # type: ignore[arg-type]
    with followers.only():
        cluster = a_cluster()
        Cluster.objects.update(clock_speed=0.01)
        profile = {"schedulerName": "default-scheduler", "plugins": {"permit": {"enabled": [{"name": "Gatekeeper"}]}}}
        document: dict[str, Any] = {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [profile],
        }
        configuration_replace(cluster=cluster, document=document)
        created(cluster, a_node("n1", cpu="2"), a_pod("held", cpu="1500m"))
        yield cluster


@pytest.fixture
def worker(cluster: Cluster) -> Worker:
    worker = Worker(cluster)
    worker.work()
    return worker


def test_a_held_pod_shows_its_node_and_how_long_it_may_wait(cluster: Cluster, worker: Worker) -> None:
    row = QueuedPod.objects.get()
    assert (row.queue, row.node) == ("waiting", "n1")
    assert row.waits_until == pytest.approx(clock.now(cluster) + HOLD_SECONDS, abs=1)
    assert not Binding.objects.exists()
    assert nodes_of_pods(cluster) == {"held": ""}


def test_a_held_pod_keeps_its_room(cluster: Cluster, worker: Worker) -> None:
    created(cluster, a_pod("other", cpu="1"))
    worker.work()
    assert QueuedPod.objects.get(name="other").queue == "unschedulablePods"


def test_another_pods_cycle_lets_it_go(cluster: Cluster, worker: Worker) -> None:
    watch = LiveWatch(cluster)
    created(cluster, a_pod("opener"))
    worker.work()
    watch.assert_fresh()
    assert nodes_of_pods(cluster) == {"held": "n1", "opener": "n1"}
    assert not QueuedPod.objects.exists()


def test_a_rejected_one_goes_back_and_gives_its_room_to_who_waited(cluster: Cluster, worker: Worker) -> None:
    created(cluster, a_pod("other", cpu="1"))
    worker.work()
    advance(cluster, 5)
    created(cluster, a_pod("closer"))
    worker.work()
    row = QueuedPod.objects.get(name="held")
    assert (row.queue, row.unschedulable_plugins) == ("unschedulablePods", ["Gatekeeper"])
    assert "the closer came" in row.message
    assert nodes_of_pods(cluster) == {"held": "", "other": "n1", "closer": "n1"}
    (condition,) = Pod.objects.get(name="held").manifest["status"]["conditions"]
    assert condition["reason"] == "Unschedulable"


def test_one_nobody_lets_go_in_time_goes_back(cluster: Cluster, worker: Worker) -> None:
    advance(cluster, HOLD_SECONDS - 1)
    worker.work()
    assert QueuedPod.objects.get().queue == "waiting"
    advance(cluster, 1.1)
    worker.work()
    row = QueuedPod.objects.get()
    assert (row.queue, row.waits_until) == ("unschedulablePods", None)
    last = PodHistory.objects.order_by("number").last()
    assert last is not None
    assert last.moves[-1]["source"] == "waiting"


def test_a_successor_keeps_room_deadline_and_attempt_and_can_let_it_go(cluster: Cluster, worker: Worker) -> None:
    before = QueuedPod.objects.get()
    successor = Worker(cluster)
    created(cluster, a_pod("other", cpu="1"))
    successor.work()
    after = QueuedPod.objects.get(name="held")
    assert (after.queue, after.waits_until, after.attempts) == ("waiting", before.waits_until, 1)
    assert QueuedPod.objects.get(name="other").queue == "unschedulablePods"
    created(cluster, a_pod("opener"))
    Worker(cluster).work()
    assert nodes_of_pods(cluster)["held"] == "n1"
    assert Decision.objects.filter(name="held").count() == 1


def test_a_successor_ends_the_wait_in_time(cluster: Cluster, worker: Worker) -> None:
    advance(cluster, HOLD_SECONDS + 1)
    Worker(cluster).work()
    assert QueuedPod.objects.get().queue in ("unschedulablePods", "activeQ", "backoffQ")
