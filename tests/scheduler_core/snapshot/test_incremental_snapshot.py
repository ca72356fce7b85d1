"""A snapshot kept up to date equals one built anew, after any sequence of changes."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.cache.cache import Cache
from scheduler_core.objects.label_selector import selector_from_map
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.snapshot.affinity_terms import TermKind
from scheduler_core.snapshot.snapshot import Snapshot
from scheduler_core.testing import make_node, make_pod

NODES = ("n1", "n2", "n3", "n4")
PODS = tuple(f"p{i}" for i in range(6))
WEB = selector_from_map({"app": "web"})


def a_node(name: str, variant: int) -> Node:
    builder = make_node(name).cpu(str(1 + variant % 3)).zone("abc"[variant % 3])
    if variant % 2:
        builder.taint("gpu").image("app:v1", size=100 + variant).labels(disk="ssd").resource("nvidia.com/gpu", "2")
    return builder.node()


def a_pod(name: str, variant: int, node: str) -> PodInfo:
    builder = make_pod(name).labels(app=("web", "db")[variant % 2]).requests(cpu=f"{100 * (variant + 1)}m").on(node)
    if variant % 3 == 1:
        term = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "web"}}}
        builder.affinity(podAntiAffinity={"requiredDuringSchedulingIgnoredDuringExecution": [term]})
    if variant % 3 == 2:
        builder.host_port(8080).request("nvidia.com/gpu", "1")
    if variant % 4 == 3:
        builder.deleted()
    return builder.pod_info()


changes = st.lists(
    st.one_of(
        st.tuples(st.just("node"), st.sampled_from(NODES), st.integers(0, 5)),
        st.tuples(st.just("no node"), st.sampled_from(NODES)),
        st.tuples(st.just("pod"), st.sampled_from(PODS), st.integers(0, 11), st.sampled_from(NODES)),
        st.tuples(st.just("no pod"), st.sampled_from(PODS)),
        st.tuples(st.just("assume"), st.sampled_from(PODS), st.integers(0, 11), st.sampled_from(NODES)),
        st.tuples(st.just("read")),
    ),
    max_size=40,
)


class World:
    """The cache, and beside it what is true."""

    def __init__(self) -> None:
        self.cache = Cache()
        # In the order that decides about rows.
        self.nodes: dict[str, Node] = {}
        self.pods: dict[str, tuple[PodInfo, str]] = {}

    def apply(self, change: Any) -> None:
        match change:
            case ("node", name, variant):
                node = a_node(name, variant)
                self.cache.add_node(node)
                self._place(node)
            case ("no node", name):
                self.cache.remove_node(name)
                self.nodes.pop(name, None)
            case ("pod", name, variant, node_name):
                pod = a_pod(name, variant, node_name)
                self.cache.set_pod(pod)
                self.pods[pod.uid] = (pod, node_name)
            case ("assume", name, variant, node_name):
                pod = a_pod(name, variant, "")
                if pod.uid not in self.pods:
                    self.cache.assume_pod(pod, node_name)
                    self.pods[pod.uid] = (pod, node_name)
            case ("no pod", name):
                uid = make_pod(name).pod_info().uid
                self.cache.remove_pod(uid)
                self.pods.pop(uid, None)
            case _:
                described(self.cache.snapshot)

    def _place(self, node: Node) -> None:
        zone = "topology.kubernetes.io/zone"
        known = self.nodes.get(node.name)
        if known is not None and known.labels[zone] != node.labels[zone]:
            del self.nodes[node.name]
        self.nodes[node.name] = node

    def built_anew(self) -> Snapshot:
        snapshot = Snapshot()
        for name, node in self.nodes.items():
            snapshot.add_node(node, [pod for pod, where in self.pods.values() if where == name])
        snapshot.refresh()
        return snapshot


def described(snapshot: Snapshot) -> dict[str, Any]:
    """All that a plugin can read, by node name."""
    snapshot.refresh()
    resources = ("cpu", "memory", "nvidia.com/gpu")
    index = [snapshot.resource_index(name) for name in resources]
    anti = {
        repr(each.term): dict(zip(snapshot.names, snapshot.term_pods(each).tolist(), strict=True))
        for each in snapshot.affinity_terms(TermKind.REQUIRED_ANTI_AFFINITY)
    }
    image = snapshot.image("app:v1")
    counts = {
        "allocatable": snapshot.allocatable[index].T.tolist(),
        "requested": snapshot.requested[index].T.tolist(),
        "free": snapshot.free[index].T.tolist(),
        "scoring": snapshot.scoring_requested.T.tolist(),
        "pods": snapshot.pod_count.tolist(),
        "allowed": snapshot.allowed_pods.tolist(),
        "taints": [snapshot.taint_classes[code] for code in snapshot.taint_class],
        "disk": [None if code < 0 else snapshot.label_values("disk")[code] for code in snapshot.label_codes("disk")],
        "web": snapshot.matching_pods(None, WEB).tolist(),
        "living web": snapshot.matching_pods(None, WEB, include_terminating=False).tolist(),
        "names": [sorted(pod.name for pod in snapshot.pods_on(row)) for row in range(snapshot.n)],
    }
    by_node = {what: dict(zip(snapshot.names, column, strict=True)) for what, column in counts.items()}
    ports = {ip: sorted(snapshot.names[row] for row in rows) for ip, rows in snapshot.port_users("TCP", 8080)}
    on = sorted(snapshot.names[row] for row in image.rows()) if image else []
    return {**by_node, "anti": anti, "ports": ports, "image": on, "n": snapshot.n}


@settings(deadline=None, max_examples=150)
@given(changes)
def test_the_snapshot_equals_one_built_anew(steps: list[Any]) -> None:
    world = World()
    # Views that are asked for early must follow all that comes later.
    described(world.cache.snapshot)
    for step in steps:
        world.apply(step)
    assert described(world.cache.snapshot) == described(world.built_anew())


@settings(deadline=None, max_examples=100)
@given(changes)
def test_rows_stay_in_search_order(steps: list[Any]) -> None:
    world = World()
    for step in steps:
        world.apply(step)
    snapshot = world.cache.snapshot
    assert sorted(snapshot.names) == sorted(world.nodes)
    assert [record.row for record in snapshot.records] == list(range(snapshot.n))
    zones = [snapshot.node_at(row).labels["topology.kubernetes.io/zone"] for row in range(snapshot.n)]
    turns = [zones[:row].count(zone) for row, zone in enumerate(zones)]
    assert turns == sorted(turns)


@settings(deadline=None, max_examples=100)
@given(changes)
def test_free_is_what_is_not_requested(steps: list[Any]) -> None:
    world = World()
    for step in steps:
        world.apply(step)
    snapshot = world.cache.snapshot
    assert np.array_equal(snapshot.free, snapshot.allocatable - snapshot.requested)
