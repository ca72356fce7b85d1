"""How many decisions a second the engine makes: `python -m tests.benchmarks.bench_engine`.

Each pod is its own cycle: popped, decided with the default profile and default
sampling, assumed. One process, one core. Every rate is also told as a multiple
of a bare NumPy pass (a mask and two score columns over all nodes) timed in the
same run, which can be compared across machines.
"""

from __future__ import annotations

import argparse
import gc
import os
import time
from collections.abc import Callable, Sequence

import numpy as np

from scheduler_core.configuration import default_configuration
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.pod import Pod
from scheduler_core.scheduler import Scheduler
from scheduler_core.testing import FakeClock, make_pod
from tests.benchmarks.workloads import WORKLOADS, Workload, nodes

PODS = 3000
PREEMPTION_NODES = 1000
PREEMPTION_ATTEMPTS = 100


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, nargs="*", default=[1000, 5000, 15000])
    parser.add_argument("--pods", type=int, default=PODS)
    parser.add_argument("--only", help="workloads whose name contains this")
    options = parser.parse_args()
    print(f"cores: {os.cpu_count()}")
    for node_count in options.nodes:
        _print_rates(node_count, options.pods, options.only or "")
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


if __name__ == "__main__":
    main()
