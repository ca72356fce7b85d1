"""The pods and nodes of the engine's benchmarks."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.testing import PodBuilder, make_node, make_pod

ZONES = ("zone-1", "zone-2", "zone-3")
HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"


class Workload(NamedTuple):
    name: str
    # The pod with this number.
    pod: Callable[[int], Pod]
    # What kube-scheduler v1.34.1 does a second at 5,000 nodes with two cores, and what this engine is to reach.
    kube_scheduler: int
    target: int


def nodes(count: int) -> list[Node]:
    return [
        make_node(f"node-{i}").zone(ZONES[i % len(ZONES)]).cpu("4").memory("32Gi").pods(110).node()
        for i in range(count)
    ]


def _pod(name: str, number: int) -> PodBuilder:
    return make_pod(f"{name}-{number}").requests(cpu="100m", memory="500Mi")


def basic(number: int) -> Pod:
    return _pod("basic", number).pod()


def zone_spread(number: int) -> Pod:
    return _pod("spread", number).labels(app="spread").spread(ZONE, max_skew=5).pod()


def zone_affinity(number: int) -> Pod:
    term = {"topologyKey": ZONE, "labelSelector": {"matchLabels": {"app": "affinity"}}}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
    return _pod("affinity", number).labels(app="affinity").affinity(podAffinity=required).pod()


def host_anti_affinity(number: int) -> Pod:
    colour = f"colour-{number % 100}"
    term = {"topologyKey": HOSTNAME, "labelSelector": {"matchLabels": {"colour": colour}}}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
    return _pod("anti", number).labels(colour=colour).affinity(podAntiAffinity=required).pod()


def node_affinity(number: int) -> Pod:
    term = {"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["zone-1", "zone-2"]}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    return _pod("pinned", number).affinity(nodeAffinity=required).pod()


WORKLOADS = (
    Workload("basic", basic, 930, 9000),
    Workload("zone spread, hard, maxSkew 5", zone_spread, 490, 4500),
    Workload("required pod affinity by zone", zone_affinity, 250, 2500),
    Workload("required anti-affinity by host, 100 colours", host_anti_affinity, 490, 4500),
    Workload("required node affinity", node_affinity, 600, 6000),
)
