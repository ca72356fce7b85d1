from typing import ClassVar

import pytest

from scheduler_core.controllers.interface import DONE, ReconcileResult, Store
from scheduler_core.controllers.manager import RETRY_SECONDS, ControllerManager
from scheduler_core.objects.manifest import Manifest, ObjectKey
from scheduler_core.simulation.store import MemoryStore
from tests.scheduler_core.controllers.cluster import START, TinyCluster, workload

KEY = ObjectKey("ReplicaSet", "default", "web")


class Recorder:
    """A controller that only notes who it looked at."""

    kind: ClassVar[str] = "ReplicaSet"

    def __init__(self, result: ReconcileResult = DONE) -> None:
        self.result = result
        self.looks: list[ObjectKey] = []

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        self.looks.append(key)
        return self.result


class Failing(Recorder):
    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        super().reconcile(store, key, now)
        if key.name == "broken":
            raise KeyError("spec")
        return DONE


def watched(recorder: Recorder, failures: list[ObjectKey] | None = None) -> tuple[MemoryStore, ControllerManager]:
    store = MemoryStore(now=lambda: START)
    report = None if failures is None else lambda key, error: failures.append(key)
    manager = ControllerManager(store.index, [recorder], on_failure=report)
    store.observer = manager.observe
    return store, manager


def run(store: MemoryStore, manager: ControllerManager, now: float = START, looks: int = 100) -> None:
    left = iter(range(looks))
    manager.run(store, now, lambda: next(left, None) is not None)


def owned(name: str, owner: Manifest) -> Manifest:
    reference = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "controller": True}
    metadata = {
        "name": name,
        "namespace": "default",
        "ownerReferences": [{**reference, "uid": owner["metadata"]["uid"]}],
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {}}


def test_many_changes_are_one_look() -> None:
    recorder = Recorder()
    store, manager = watched(recorder)
    owner = store.create(workload("ReplicaSet"))
    for n in range(50):
        store.create(owned(f"p{n}", owner))
    run(store, manager)
    assert recorder.looks == [KEY]


def test_what_a_controller_reports_of_its_own_object_does_not_wake_it() -> None:
    recorder = Recorder()
    store, manager = watched(recorder)
    made = store.create(workload("ReplicaSet"))
    run(store, manager)
    store.update_status(made, {"replicas": 1})
    assert not manager.has_work


def test_a_look_asked_for_later_comes_then() -> None:
    recorder = Recorder(ReconcileResult(requeue_after=5))
    store, manager = watched(recorder)
    store.create(workload("ReplicaSet"))
    run(store, manager)
    assert manager.next_due == START + 5
    run(store, manager, START + 4)
    assert len(recorder.looks) == 1
    run(store, manager, START + 5)
    assert len(recorder.looks) == 2


def test_the_caller_can_stop_in_between() -> None:
    recorder = Recorder(ReconcileResult(requeue_after=0))
    store, manager = watched(recorder)
    store.create(workload("ReplicaSet"))
    run(store, manager, looks=3)
    assert len(recorder.looks) == 3
    assert manager.has_work


def test_an_object_nobody_understands_does_not_stop_the_others() -> None:
    failures: list[ObjectKey] = []
    recorder = Failing()
    store, manager = watched(recorder, failures)
    store.create(workload("ReplicaSet", name="broken"))
    store.create(workload("ReplicaSet"))
    run(store, manager)
    assert [key.name for key in failures] == ["broken"]
    assert KEY in recorder.looks
    assert manager.next_due == START + RETRY_SECONDS


def test_without_anybody_to_tell_a_failure_is_raised() -> None:
    store, manager = watched(Failing())
    store.create(workload("ReplicaSet", name="broken"))
    with pytest.raises(KeyError):
        run(store, manager)


def test_the_same_seed_gives_the_same_names() -> None:
    def names() -> list[str]:
        cluster = TinyCluster()
        cluster.store.create(workload("Deployment", replicas=5))
        cluster.settle()
        return [pod["metadata"]["name"] for pod in cluster.pods()]

    assert names() == names()
