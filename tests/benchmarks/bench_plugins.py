"""What plugins of one's own cost over 5,000 nodes: CEL expressions, and Python node by node.

    python -m tests.benchmarks.bench_plugins [--nodes N]

`first` is the first pod of its kind, with nothing kept: every node's values are
read, handed to CEL and evaluated, one evaluation for nodes that the expression
cannot tell apart. `next` is the pod after it, when one node has changed. `each
alone` is an expression that reads the node's name, so that no two are alike.
Milliseconds of processor time, the median of several runs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

from scheduler_core.configuration import decode_configuration
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import PerNodePlugin
from scheduler_core.framework.registering import registry_entry
from scheduler_core.framework.status import SUCCESS, Status, unschedulable
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.plugins.cel import CelPluginDefinition, Purpose, cel_plugin_entry
from scheduler_core.plugins.cel.answers import Answers
from scheduler_core.plugins.cel.language import cel_expression
from scheduler_core.scheduler import Scheduler
from scheduler_core.snapshot.node_view import NodeView
from scheduler_core.snapshot.snapshot import Snapshot
from scheduler_core.testing import FakeClock, make_pod
from tests.benchmarks.workloads import nodes

NODES = 5000
RUNS = 7
# Milliseconds; what a Score of one's own may cost at 5,000 nodes.
TARGET = 60
ZONE = "topology.kubernetes.io/zone"
EXPRESSIONS = (
    ("CEL score by a label", f'node.labels["{ZONE}"] == "zone-1" ? 100 : 50'),
    ("CEL score by free cpu", '(node.allocatable["cpu"] - node.requested["cpu"]) * 100 / node.allocatable["cpu"]'),
    ("CEL score, each alone", f'node.name.endsWith("7") && node.labels["{ZONE}"] == "zone-1" ? 100 : 50'),
    ("CEL score over labels", 'node.labels.exists(key, key.startsWith("topology.")) ? 100 : 50'),
    ("CEL score over pods", 'node.pods.exists(p, p.labels[?"app"].orValue("") == "db") ? 0 : 100'),
)
TOO_FULL = unschedulable("node(s) were too full")


class FreeCpu(PerNodePlugin):
    """A first plugin as people write it."""

    name = "FreeCpu"

    def filter_node(self, pod: PodInfo, node: NodeView) -> Status:
        fits = node.labels.get(ZONE) != "zone-9" and node.free("cpu") >= pod.requests.get("cpu", 0)
        return SUCCESS if fits else TOO_FULL

    def score_node(self, pod: PodInfo, node: NodeView) -> int:
        return 100 * node.free("cpu") // node.allocatable("cpu")


class Cost(NamedTuple):
    """Milliseconds."""

    name: str
    first: float
    next: float


def snapshot_of(count: int) -> Snapshot:
    """Nodes with two pods each."""
    snapshot = Snapshot()
    for node in nodes(count):
        snapshot.add_node(node)
    snapshot.refresh()
    for record in snapshot.records:
        for number in range(2):
            snapshot.add_pod(record, _pod(f"{record.name}-{number}"))
    return snapshot


def _pod(name: str) -> PodInfo:
    return PodInfo(make_pod(name).labels(app="web").requests(cpu="100m", memory="500Mi").pod())


def cel_costs(count: int, runs: int = RUNS) -> list[Cost]:
    snapshot = snapshot_of(count)
    return [_cel_cost(name, text, snapshot, runs) for name, text in EXPRESSIONS]


def _cel_cost(name: str, text: str, snapshot: Snapshot, runs: int) -> Cost:
    first, following = [], []
    pod, rows = _pod("asking"), slice(0, snapshot.n)
    for run in range(runs):
        answers = Answers(cel_expression(text, Purpose.SCORE))
        first.append(_milliseconds(lambda: answers.get(pod, snapshot, rows)))  # noqa: B023 called at once
        answers.get(pod, snapshot, rows)
        snapshot.add_pod(snapshot.records[run], _pod(f"new-{name}-{run}"))
        following.append(_milliseconds(lambda: answers.get(pod, snapshot, rows)))  # noqa: B023 called at once
    return Cost(name, median(first), median(following))


def python_costs(count: int, runs: int = RUNS) -> list[Cost]:
    snapshot, pod, rows = snapshot_of(count), _pod("asking"), slice(0, count)
    # It asks its handle for nothing.
    plugin = FreeCpu(None, None)  # type: ignore[arg-type]
    state = CycleState()
    filtering = median(_milliseconds(lambda: plugin.filter(state, pod, snapshot, rows)) for _ in range(runs))
    scoring = median(_milliseconds(lambda: plugin.score(state, pod, snapshot, rows)) for _ in range(runs))
    return [Cost("Python filter_node", filtering, filtering), Cost("Python score_node", scoring, scoring)]


def cycle_cost(count: int, runs: int = RUNS) -> Cost:
    """A whole cycle of the default profile with both, looking at every node."""
    mine = CelPluginDefinition(name="Mine", score=EXPRESSIONS[1][1], filter=f'node.labels["{ZONE}"] != "zone-9"')
    registry = {**DEFAULT_REGISTRY, "Mine": cel_plugin_entry(mine), "FreeCpu": registry_entry(FreeCpu)}
    enabled = [{"name": "Mine", "weight": 2}, {"name": "FreeCpu", "weight": 2}]
    document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "percentageOfNodesToScore": 100,
        "profiles": [{"schedulerName": "default-scheduler", "plugins": {"multiPoint": {"enabled": enabled}}}],
    }
    scheduler = Scheduler(decode_configuration(document, registry), FakeClock(), seed=1, registry=registry)
    scheduler.restore(nodes(count))
    times = []
    for run in range(runs + 1):
        scheduler.handle(ObjectChange(event="ADDED", object=_pod(f"pod-{run}").pod))
        times.append(_milliseconds(scheduler.schedule_one))
    return Cost("a whole cycle with both", times[0], median(times[2:]))


def _milliseconds(call: Callable[[], Any]) -> float:
    started = time.process_time()
    call()
    return (time.process_time() - started) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=NODES)
    count = parser.parse_args().nodes
    print(f"{count:,} nodes with two pods each; target: {TARGET} ms\n")
    print(f"{'':28}{'first ms':>10}{'next ms':>10}")
    for cost in (*cel_costs(count), *python_costs(count), cycle_cost(count)):
        print(f"{cost.name:28}{cost.first:10.1f}{cost.next:10.1f}")


if __name__ == "__main__":
    main()
