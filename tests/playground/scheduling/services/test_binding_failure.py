"""A binding that fails after its pod was placed: all that was done for the pod is undone, last thing first, and who
waited for the room is woken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from playground.clusters.models import Cluster
from playground.clusters.selectors import object_get, object_list
from playground.clusters.services.clusters import cluster_settings_update
from playground.clusters.services.pods import PodBinding, pod_bind_many
from playground.clusters.services.transaction import cluster_transaction
from playground.live import followers
from playground.scheduling.engine.registry import installed_registry
from playground.scheduling.models import Binding, PodHistory, QueuedPod
from playground.scheduling.services.profiles import configuration_replace
from scheduler_core.cache.cache import Cache
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import BindingApi, Plugin
from scheduler_core.framework.registry import RegistryEntry
from scheduler_core.framework.status import SUCCESS, Code, Status
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.args import NoArgs
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import LiveWatch
from tests.playground.scheduling.driving import Worker, advance, nodes_of_pods

pytestmark = pytest.mark.django_db

# What happened to pod "first", in order.
told: list[str] = []


def tell(what: str, name: str) -> None:
    if name == "first":
        told.append(what)


class Door(Plugin):
    """Notes what it reserves and gives back."""

    name = "Door"

    def reserve(self, state: CycleState, pod: PodInfo, node_name: str) -> Status:
        tell(f"{self.name} reserves on {node_name}", pod.name)
        return SUCCESS

    def unreserve(self, state: CycleState, pod: PodInfo, node_name: str) -> None:
        tell(f"{self.name} gives back on {node_name}", pod.name)


class Window(Door):
    name = "Window"


class Broken(Door):
    """Cannot give back; that keeps nobody else from doing so."""

    name = "Broken"

    def unreserve(self, state: CycleState, pod: PodInfo, node_name: str) -> None:
        super().unreserve(state, pod, node_name)
        raise RuntimeError("the hinge fell off")


class Locked(Plugin):
    """Breaks at PreBind while it is locked."""

    name = "Locked"
    locked = False

    def pre_bind(self, state: CycleState, pod: PodInfo, node_name: str, api: BindingApi) -> Status:
        return Status(Code.ERROR, ("no key",)) if self.locked else SUCCESS


PLUGINS = (Door, Broken, Window)
RESERVED = [f"{plugin.name} reserves on n1" for plugin in PLUGINS]
GIVEN_BACK = [f"{plugin.name} gives back on n1" for plugin in reversed(PLUGINS)]


def a_configuration(fails_at: str) -> dict[str, Any]:
    plugins: dict[str, Any] = {"reserve": {"enabled": [{"name": plugin.name} for plugin in PLUGINS]}}
    if fails_at == "preBind":
        plugins["preBind"] = {"enabled": [{"name": Locked.name}]}
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": "default-scheduler", "plugins": plugins}],
    }


@pytest.fixture(params=["preBind", "bind"])
def cluster(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """Room for one of two pods, "first" on its way to a slow API server and "second" waiting."""
    told.clear()
    monkeypatch.setattr(Locked, "locked", request.param == "preBind")
    for plugin in (*PLUGINS, Locked):
        monkeypatch.setitem(installed_registry(), plugin.name, RegistryEntry(plugin, NoArgs))  # type: ignore[arg-type]
    forget = Cache.forget_pod

    def forget_and_tell(cache: Cache, uid: str) -> None:
        told.append("the cache forgets it")
        forget(cache, uid)

    monkeypatch.setattr(Cache, "forget_pod", forget_and_tell)
    with followers.only():
        cluster = a_cluster()
        Cluster.objects.update(clock_speed=0.01)
        configuration_replace(cluster=cluster, document=a_configuration(request.param))
        turn(cluster, binding_latency_seconds=5, binding_failure_rate=1.0 if request.param == "bind" else 0)
        created(cluster, a_node("n1", cpu="1"), a_pod("first", cpu="800m"), a_pod("second", cpu="800m"))
        yield cluster


@pytest.fixture
def worker(cluster: Cluster) -> Worker:
    worker = Worker(cluster)
    worker.work()
    assert queues() == {"first": "binding", "second": "unschedulablePods"}
    return worker


def turn(cluster: Cluster, **settings: Any) -> None:
    with cluster_transaction(cluster.pk) as tx:
        cluster_settings_update(tx, values=settings)


def queues() -> dict[str, str]:
    return dict(QueuedPod.objects.values_list("name", "queue"))


def refuse(cluster: Cluster, worker: Worker) -> None:
    """The API server says no; from now on it says yes, and at once."""
    advance(cluster, 6)
    worker.run_bindings(list(Binding.objects.values_list("sequence", flat=True)))
    assert Binding.objects.get().phase == "failed"
    turn(cluster, binding_latency_seconds=0, binding_failure_rate=0)
    Locked.locked = False


def test_unreserve_goes_backwards_through_reserve_and_then_the_cache_forgets(cluster: Cluster, worker: Worker) -> None:
    assert told == RESERVED
    refuse(cluster, worker)
    # The binding worker undoes nothing: what was reserved is in the scheduler's memory.
    assert told == RESERVED
    worker.slice()
    assert told == [*RESERVED, *GIVEN_BACK, "the cache forgets it"]


def test_the_room_is_free_again_and_goes_to_who_waited(cluster: Cluster, worker: Worker) -> None:
    refuse(cluster, worker)
    watch = LiveWatch(cluster)
    worker.work()
    watch.assert_fresh()
    assert nodes_of_pods(cluster) == {"first": "", "second": "n1"}
    row = QueuedPod.objects.get()
    assert (row.name, row.queue, row.attempts, row.entry["consecutive_errors"]) == ("first", "backoffQ", 1, 1)


def test_who_waited_is_woken_by_the_pod_that_is_no_longer_assigned(cluster: Cluster, worker: Worker) -> None:
    refuse(cluster, worker)
    worker.slice()
    moves = [move for row in PodHistory.objects.filter(name="second").order_by("number") for move in row.moves]
    (woken,) = [move for move in moves if move["source"] == "unschedulablePods"]
    assert (woken["event"], woken["object"]) == ("AssignedPodDelete", "Pod/default/first")


def test_a_successor_that_reserved_nothing_gives_back_and_forgets_too(cluster: Cluster, worker: Worker) -> None:
    refuse(cluster, worker)
    told.clear()
    Worker(cluster).work()
    assert told[: len(PLUGINS) + 1] == [*GIVEN_BACK, "the cache forgets it"]
    assert nodes_of_pods(cluster) == {"first": "", "second": "n1"}


def test_a_pod_that_others_bound_meanwhile_gets_an_event_and_is_left_where_it_is(
    cluster: Cluster, worker: Worker
) -> None:
    with cluster_transaction(cluster.pk) as tx:
        binding = PodBinding(namespace="default", name="first", uid="", node_name="elsewhere")
        pod_bind_many(tx, bindings=[binding])
    worker.slice()
    assert queues() == {"second": "unschedulablePods"}
    refuse(cluster, worker)
    worker.work()
    assert told == [*RESERVED, *GIVEN_BACK, "the cache forgets it"]
    assert nodes_of_pods(cluster) == {"first": "elsewhere", "second": "n1"}
    failed = [each for each in object_list(cluster.pk, "Event") if each["reason"] == "FailedScheduling"]
    messages = [each["message"] for each in failed if each["involvedObject"]["name"] == "first"]
    assert messages == [Binding.objects.get(name="first").message]
    conditions = object_get(cluster.pk, "Pod", "default", "first")["status"]["conditions"]  # type: ignore[index]
    assert [each["status"] for each in conditions if each["type"] == "PodScheduled"] == ["True"]
