"""How many decisions a second the engine makes: `python -m tests.benchmarks.bench_engine`.

Each pod is its own cycle: popped, decided with the default profile and default
sampling, assumed. One process, one core. Every rate is also told as a multiple
of a bare NumPy pass (a mask and two score columns over all nodes) timed in the
same run, which can be compared across machines.
"""

from __future__ import annotations

import argparse
import csv
import gc
import itertools
import os
import resource
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scheduler_core.configuration import default_configuration
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.model import KubernetesObject
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.scheduler import Scheduler
from scheduler_core.testing import FakeClock, make_node, make_pod
from tests.benchmarks.workloads import WORKLOADS, Workload, nodes

PODS = 3000
PREEMPTION_NODES = 1000
PREEMPTION_ATTEMPTS = 100
LARGE_NODES, LARGE_PODS = 15_000, 100_000
# The openb trace, where it was put beside the project.
OPENB = Path(__file__).parents[3] / "shared" / "data"


def bare_pass(count: int) -> float:
    """Seconds of one mask and two score columns over `count` nodes."""
    free = np.full((2, count), 4000, dtype=np.int64)
    capacity = np.full((2, count), 8000, dtype=np.int64)

    def one() -> int:
        mask = (free[0] >= 100) & (free[1] >= 500)
        least = ((free - 100) * 100 // capacity).sum(axis=0)
        balanced = 100 - np.abs(free[0] / capacity[0] - free[1] / capacity[1]) * 50
        return int(np.argmax(np.where(mask, least + balanced, -1)))

    return _seconds_each(one, 200)


def _seconds_each(call: Callable[[], object], times: int) -> float:
    started = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - started) / times


def new_scheduler(node_count: int, *, keep_detail: bool) -> Scheduler:
    scheduler = Scheduler(
        default_configuration(), FakeClock(), seed=1, keep_detail=keep_detail, stopwatch=time.perf_counter_ns
    )
    scheduler.restore(nodes(node_count))
    return scheduler


def add(scheduler: Scheduler, pods: Sequence[Pod]) -> None:
    for pod in pods:
        scheduler.handle(ObjectChange(event="ADDED", object=pod))


def decisions_a_second(workload: Workload, node_count: int, pods: int, *, keep_detail: bool) -> float:
    scheduler = new_scheduler(node_count, keep_detail=keep_detail)
    # One pod ahead, so that what is made once per cluster is made.
    add(scheduler, [workload.pod(i) for i in range(pods + 1)])
    scheduler.schedule_one()
    gc.collect()
    started = time.process_time()
    placed = 0
    while (report := scheduler.schedule_one()) is not None:
        if report.outcome != "scheduled":
            raise RuntimeError(f"{workload.name}: {report.pod.name}: {report.message}")
        placed += 1
    return placed / (time.process_time() - started)


def preemption_milliseconds(node_count: int, attempts: int) -> float:
    """A whole attempt that ends with a preemption, on nodes full of low-priority pods."""
    scheduler = new_scheduler(node_count, keep_detail=False)
    for i in range(node_count):
        for j in range(4):
            pod = make_pod(f"low-{i}-{j}").requests(cpu="1", memory="500Mi").on(f"node-{i}").pod()
            scheduler.handle(ObjectChange(event="ADDED", object=pod))
    add(
        scheduler,
        [make_pod(f"high-{i}").requests(cpu="1", memory="500Mi").priority(1000).pod() for i in range(attempts)],
    )
    times = []
    for _ in range(attempts):
        started = time.process_time()
        report = scheduler.schedule_one()
        times.append(time.process_time() - started)
        if report is None or not report.nominated_node_name:
            raise RuntimeError(f"expected a preemption, got {report}")
    return float(np.median(times)) * 1000


class Step(NamedTuple):
    name: str
    # Milliseconds of the slowest.
    slowest: float


def large_cluster(node_count: int, pod_count: int) -> tuple[float, list[Step]]:
    """Megabytes of the process with so many nodes and bound pods, and how long single events take then."""
    scheduler = new_scheduler(0, keep_detail=False)
    bound = (
        make_pod(f"bound-{i}")
        .labels(app=f"app-{i % 500}")
        .requests(cpu="10m", memory="32Mi")
        .on(f"node-{i % node_count}")
        for i in range(pod_count)
    )
    scheduler.restore(itertools.chain(nodes(node_count), (each.pod() for each in bound)))
    add(scheduler, [WORKLOADS[0].pod(i) for i in range(50)])
    while scheduler.schedule_one() is not None:
        pass
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return megabytes, [
        _slowest("a node comes", scheduler, [_added(make_node(f"new-{i}").zone("zone-1").node()) for i in range(20)]),
        _slowest(
            "a node's zone changes",
            scheduler,
            [_changed(make_node(f"new-{i}").zone("zone-2").node()) for i in range(20)],
        ),
        _slowest("a node goes", scheduler, [_deleted(make_node(f"node-{i}").node()) for i in range(20)]),
        _slowest("a pod comes", scheduler, [_added(WORKLOADS[1].pod(i)) for i in range(20)]),
        _slowest(
            "a bound pod goes",
            scheduler,
            [_deleted(make_pod(f"bound-{i}").on(f"node-{i}").pod()) for i in range(100, 120)],
        ),
    ]


def _slowest(name: str, scheduler: Scheduler, changes: Sequence[ObjectChange]) -> Step:
    """Each change with the cycle that follows it."""
    slowest = 0.0
    for i, change in enumerate(changes):
        add(scheduler, [make_pod(f"next-{name}-{i}").requests(cpu="10m").pod()])
        started = time.process_time()
        scheduler.handle(change)
        scheduler.schedule_one()
        slowest = max(slowest, time.process_time() - started)
    return Step(name, slowest * 1000)


def _added(thing: KubernetesObject) -> ObjectChange:
    return ObjectChange(event="ADDED", object=thing)


def _changed(thing: KubernetesObject) -> ObjectChange:
    return ObjectChange(event="MODIFIED", object=thing)


def _deleted(thing: KubernetesObject) -> ObjectChange:
    return ObjectChange(event="DELETED", object=thing)


def openb_seconds(folder: Path) -> tuple[int, int, float]:
    """Placed and left pods, and processor seconds, of the openb trace: all pods in their order, gpu as a resource."""
    with (folder / "openb_node_list_all_node.csv").open() as file:
        trace_nodes = [_openb_node(row) for row in csv.DictReader(file)]
    with (folder / "openb_pod_list_default.csv").open() as file:
        trace_pods = [_openb_pod(row) for row in csv.DictReader(file)]
    scheduler = new_scheduler(0, keep_detail=False)
    scheduler.restore(trace_nodes)
    started = time.process_time()
    add(scheduler, trace_pods)
    outcomes = Counter(report.outcome for report in iter(scheduler.schedule_one, None))
    seconds = time.process_time() - started
    return outcomes["scheduled"], outcomes.total() - outcomes["scheduled"], seconds


def _openb_node(row: Mapping[str, str]) -> Node:
    node = make_node(row["sn"]).cpu(f"{row['cpu_milli']}m").memory(f"{row['memory_mib']}Mi")
    if int(row["gpu"]):
        node.resource("nvidia.com/gpu", row["gpu"]).label("gpu-model", row["model"])
    return node.node()


def _openb_pod(row: Mapping[str, str]) -> Pod:
    pod = make_pod(row["name"]).requests(cpu=f"{row['cpu_milli']}m", memory=f"{row['memory_mib']}Mi")
    if int(row["num_gpu"]):
        pod.request("nvidia.com/gpu", row["num_gpu"])
    return pod.pod()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, nargs="*", default=[1000, 5000, 15000])
    parser.add_argument("--pods", type=int, default=PODS)
    parser.add_argument("--only", help="workloads whose name contains this")
    options = parser.parse_args()
    print(f"cores: {os.cpu_count()}")
    for node_count in options.nodes:
        _print_rates(node_count, options.pods, options.only or "")
    if not options.only or options.only in "large cluster":
        _print_large_cluster()
    if not options.only or options.only in "openb trace":
        _print_openb(OPENB)
    if not options.only or options.only in "preemption":
        milliseconds = preemption_milliseconds(PREEMPTION_NODES, PREEMPTION_ATTEMPTS)
        print(f"preemption attempt, {PREEMPTION_NODES:,} nodes full of low-priority pods: {milliseconds:.2f} ms")


def _print_rates(node_count: int, pods: int, only: str) -> None:
    bare = bare_pass(node_count)
    print(f"\n{node_count:,} nodes; a bare NumPy pass takes {bare * 1e6:.0f} us")
    print(f"{'workload':46}{'a second':>10}{'with detail':>13}{'x bare pass':>13}{'target':>9}{'kube-scheduler':>16}")
    for workload in WORKLOADS:
        if only not in workload.name:
            continue
        plain = decisions_a_second(workload, node_count, pods, keep_detail=False)
        detailed = decisions_a_second(workload, node_count, pods, keep_detail=True)
        targets = (f"{workload.target:,}", f"{workload.kube_scheduler:,}") if node_count == 5000 else ("", "")
        print(f"{workload.name:46}{plain:10,.0f}{detailed:13,.0f}{plain * bare:13.2f}{targets[0]:>9}{targets[1]:>16}")


def _print_large_cluster() -> None:
    megabytes, steps = large_cluster(LARGE_NODES, LARGE_PODS)
    print(
        f"\n{LARGE_NODES:,} nodes, {LARGE_PODS:,} bound pods: {megabytes:.0f} MB; each event with the cycle after it:"
    )
    for step in steps:
        print(f"  {step.name:24} at most {step.slowest:.1f} ms")


def _print_openb(folder: Path) -> None:
    if not folder.is_dir():
        print(f"openb trace: {folder} is not there, left out")
        return
    placed, left, seconds = openb_seconds(folder)
    print(f"openb trace: {placed:,} pods placed, {left:,} left, {seconds:.2f} s")


if __name__ == "__main__":
    main()
