"""What the scheduling queue costs with many pods in it: `python -m tests.benchmarks.bench_queue`.

20,000 pods wait, each rejected by the default plugins for a node label that no
node has, in 200 classes. Times are processor time of the one process, from the
object change until every pod is where it belongs, moves and log included.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from statistics import median

from scheduler_core.configuration import default_configuration
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.decode import decode
from scheduler_core.scheduler import Scheduler
from scheduler_core.testing import FakeClock, NodeBuilder, PodBuilder, make_node, make_pod

PODS = 20_000
CLASSES = 200
ROUNDS = 9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--pods", type=int, default=PODS)
    pods = parser.parse_args().pods
    world = Waiting(pods)
    print(f"pods waiting                                   {pods} in {CLASSES} classes")
    _tell("a StorageClass is added: concerns none of them", [world.storage_class(i) for i in range(ROUNDS)])
    _tell("a node is added that wakes none", [world.node(f"none-{i}") for i in range(ROUNDS)])
    _tell("a node is added that wakes one", [world.node(f"one-{i}", disk=f"own-{i}") for i in range(ROUNDS)])
    _tell("a pod on a node goes that wakes none", [world.pod_gone(i) for i in range(ROUNDS)])
    _tell("a new pod is added", [world.new_pod(i) for i in range(ROUNDS)])
    _tell("a waiting pod is updated", [world.pod_update(i) for i in range(ROUNDS)])
    _tell("the whole queue is written down", [world.dump() for _ in range(3)])
    _tell("a node is added that wakes all others", [world.node("all", disk="tape")])


def _tell(what: str, milliseconds: list[float]) -> None:
    print(f"{what:<46} {median(milliseconds):8.2f} ms  (worst {max(milliseconds):.2f})")


class Waiting:
    """A scheduler with many pods in unschedulablePods."""

    def __init__(self, pods: int) -> None:
        self.clock = FakeClock()
        self.scheduler = Scheduler(default_configuration(), self.clock, seed=1, keep_detail=False)
        self._add(make_node("n0"))
        for number in range(ROUNDS):
            self._add(make_pod(f"placed-{number}").on("n0"))
        for number in range(pods):
            # The first ones wait for a node of their own each.
            disk = f"own-{number}" if number < ROUNDS else "tape"
            self._add(make_pod(f"p{number}").labels(app=f"a{number % CLASSES}").node_selector(disk=disk))
        while self.scheduler.schedule_one() is not None:
            pass
        assert len(self.scheduler.queue.unschedulable()) == pods
        # Nobody backs off any more.
        self.clock.advance(20)
        self._drain()

    def node(self, name: str, **labels: str) -> float:
        return self._told("ADDED", make_node(name).labels(**labels))

    def storage_class(self, number: int) -> float:
        manifest = {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "StorageClass",
            "metadata": {"name": f"c{number}", "uid": f"c{number}"},
            "provisioner": "example.com/disk",
        }
        change = ObjectChange(event="ADDED", object=decode(manifest))
        return self._timed(lambda: self.scheduler.handle(change))

    def pod_gone(self, number: int) -> float:
        return self._told("DELETED", make_pod(f"placed-{number}").on("n0"))

    def new_pod(self, number: int) -> float:
        return self._told("ADDED", make_pod(f"new-{number}"))

    def pod_update(self, number: int) -> float:
        pod = make_pod(f"p{100 + number}").labels(app="changed").node_selector(disk="tape")
        return self._told("MODIFIED", pod)

    def dump(self) -> float:
        return self._timed(self.scheduler.queue_state)

    def _add(self, thing: NodeBuilder | PodBuilder) -> None:
        self.scheduler.handle(ObjectChange(event="ADDED", object=decode(thing.build())))

    def _told(self, event: str, thing: NodeBuilder | PodBuilder) -> float:
        change = ObjectChange(event=event, object=decode(thing.build()))  # type: ignore[arg-type]
        return self._timed(lambda: self.scheduler.handle(change))

    def _timed(self, call: Callable[[], object]) -> float:
        gc.collect()
        started = time.process_time()
        call()
        spent = (time.process_time() - started) * 1000
        self._drain()
        return spent

    def _drain(self) -> None:
        self.scheduler.drain_moves()
        self.scheduler.drain_changed()
        self.scheduler.drain_events()
        self.scheduler.drain_counted(10**9)


if __name__ == "__main__":
    main()
