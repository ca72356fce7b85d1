"""The cluster as columns."""

from __future__ import annotations

import numpy as np
import pytest

from scheduler_core.objects.label_selector import selector_from_map
from scheduler_core.snapshot.affinity_terms import TermKind
from scheduler_core.snapshot.snapshot import Snapshot
from scheduler_core.testing import NodeBuilder, PodBuilder, make_node, make_pod


def snapshot_of(*nodes: NodeBuilder) -> Snapshot:
    snapshot = Snapshot()
    for node in nodes:
        snapshot.add_node(node.node())
    snapshot.refresh()
    return snapshot


def put(snapshot: Snapshot, node: str, pod: PodBuilder) -> None:
    record = snapshot.record_of(node)
    assert record is not None
    snapshot.add_pod(record, pod.pod_info())


def take(snapshot: Snapshot, node: str, pod: PodBuilder) -> None:
    record = snapshot.record_of(node)
    assert record is not None
    snapshot.remove_pod(record, pod.pod_info())


def test_rows_are_in_search_order_whatever_the_order_of_arrival() -> None:
    snapshot = snapshot_of(make_node("a1").zone("a"), make_node("a2").zone("a"), make_node("b1").zone("b"))
    assert snapshot.names == ["a1", "b1", "a2"]
    assert [snapshot.row_of(name) for name in snapshot.names] == [0, 1, 2]


def test_allocatable_is_in_millicores_and_whole_units() -> None:
    snapshot = snapshot_of(make_node("n").cpu("1500m").memory("1Gi").pods(7).resource("nvidia.com/gpu", "2"))
    amounts = {name: int(snapshot.allocatable[snapshot.resource_index(name), 0]) for name in snapshot.resource_names}
    assert amounts == {"cpu": 1500, "memory": 2**30, "ephemeral-storage": 0, "nvidia.com/gpu": 2}
    assert snapshot.allowed_pods.tolist() == [7]


def test_a_pod_is_counted_on_its_node_only() -> None:
    snapshot = snapshot_of(make_node("a"), make_node("b"))
    put(snapshot, "b", make_pod("p").requests(cpu="250m", memory="64Mi"))
    assert snapshot.requested[0].tolist() == [0, 250]
    assert snapshot.free[0].tolist() == [4000, 3750]
    assert snapshot.pod_count.tolist() == [0, 1]
    assert [pod.name for pod in snapshot.pods_on(1)] == ["p"]


def test_scoring_counts_a_container_without_requests() -> None:
    snapshot = snapshot_of(make_node("a"))
    put(snapshot, "a", make_pod("p"))
    assert snapshot.requested[:2, 0].tolist() == [0, 0]
    assert snapshot.scoring_requested[:, 0].tolist() == [100, 200 * 2**20]


def test_a_resource_first_seen_on_a_pod_gets_a_column() -> None:
    snapshot = snapshot_of(make_node("a"), make_node("b"))
    put(snapshot, "a", make_pod("p").request("example.com/fpga", "3"))
    fpga = snapshot.resource_index("example.com/fpga")
    assert snapshot.requested[fpga].tolist() == [3, 0]
    assert snapshot.free[fpga].tolist() == [-3, 0]
    take(snapshot, "a", make_pod("p").request("example.com/fpga", "3"))
    assert snapshot.requested[fpga].tolist() == [0, 0]


def test_a_node_that_goes_takes_its_pods_along() -> None:
    snapshot = snapshot_of(make_node("a"), make_node("b"))
    put(snapshot, "a", make_pod("p").labels(app="web"))
    counts = snapshot.matching_pods(None, selector_from_map({"app": "web"}))
    assert counts.tolist() == [1, 0]
    snapshot.remove_node("a")
    snapshot.refresh()
    assert snapshot.names == ["b"]
    assert snapshot.matching_pods(None, selector_from_map({"app": "web"})).tolist() == [0]


def test_an_updated_node_keeps_its_pods() -> None:
    snapshot = snapshot_of(make_node("a"))
    put(snapshot, "a", make_pod("p").requests(cpu="1"))
    snapshot.update_node(make_node("a").cpu("8").cordoned().node())
    snapshot.refresh()
    assert snapshot.free[0].tolist() == [7000]
    assert snapshot.unschedulable.tolist() == [True]


def test_label_codes_follow_nodes_that_come_and_change() -> None:
    snapshot = snapshot_of(make_node("a").labels(disk="ssd"), make_node("b"))
    assert [snapshot.label_values("disk")[code] for code in snapshot.label_codes("disk") if code >= 0] == ["ssd"]
    snapshot.add_node(make_node("c").labels(disk="hdd").node())
    snapshot.update_node(make_node("a").node())
    snapshot.refresh()
    assert snapshot.label_codes("disk").tolist() == [-1, -1, snapshot.label_code("disk", "hdd")]
    assert snapshot.label_code("disk", "floppy") == -1


def test_an_image_is_known_until_its_last_node_goes() -> None:
    snapshot = snapshot_of(make_node("a").image("app:v1", size=100), make_node("b").image("app:v1", size=300))
    image = snapshot.image("app:v1")
    assert image is not None
    assert (image.size, image.rows().tolist()) == (100, [0, 1])
    snapshot.remove_node("a")
    snapshot.remove_node("b")
    assert snapshot.image("app:v1") is None


def test_host_ports_are_told_with_the_address_they_are_taken_on() -> None:
    snapshot = snapshot_of(make_node("a"), make_node("b"))
    put(snapshot, "b", make_pod("p").host_port(80, ip="10.0.0.1"))
    assert [(ip, rows.tolist()) for ip, rows in snapshot.port_users("TCP", 80)] == [("10.0.0.1", [1])]
    take(snapshot, "b", make_pod("p").host_port(80, ip="10.0.0.1"))
    assert list(snapshot.port_users("TCP", 80)) == []


def test_terminating_pods_are_counted_only_on_request() -> None:
    snapshot = snapshot_of(make_node("a"))
    put(snapshot, "a", make_pod("p").labels(app="web").deleted())
    web = selector_from_map({"app": "web"})
    assert snapshot.matching_pods(None, web).tolist() == [1]
    assert snapshot.matching_pods(None, web, include_terminating=False).tolist() == [0]


def test_a_view_counts_pods_of_its_namespaces() -> None:
    snapshot = snapshot_of(make_node("a"), make_node("b"))
    web = selector_from_map({"app": "web"})
    view = snapshot.matching_pods(frozenset({"prod"}), web)
    put(snapshot, "a", make_pod("p", "prod").labels(app="web"))
    put(snapshot, "b", make_pod("p", "dev").labels(app="web"))
    assert view.tolist() == [1, 0]


def test_equal_terms_of_many_pods_are_one_class() -> None:
    snapshot = snapshot_of(make_node("a"), make_node("b"))
    term = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "db"}}}
    anti = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    for i in range(3):
        put(snapshot, "b", make_pod(f"p{i}").affinity(**anti))
    (term_class,) = snapshot.affinity_terms(TermKind.REQUIRED_ANTI_AFFINITY)
    assert snapshot.term_pods(term_class).tolist() == [0, 3]
    for i in range(3):
        take(snapshot, "b", make_pod(f"p{i}").affinity(**anti))
    assert not snapshot.has_affinity_terms


def test_changed_rows_are_those_whose_pods_changed_since() -> None:
    snapshot = snapshot_of(make_node("a"), make_node("b"), make_node("c"))
    put(snapshot, "a", make_pod("p"))
    since = snapshot.pod_generation
    put(snapshot, "c", make_pod("q"))
    take(snapshot, "c", make_pod("q"))
    changed = snapshot.changed_rows(since)
    assert changed is not None
    assert changed.tolist() == [2]
    assert snapshot.recently_changed(2) == [2, 2]


def test_what_is_too_long_ago_is_not_remembered() -> None:
    snapshot = snapshot_of(make_node("a"))
    for _ in range(3000):
        put(snapshot, "a", make_pod("p"))
        take(snapshot, "a", make_pod("p"))
    assert snapshot.changed_rows(0) is None


def test_a_trial_is_taken_back_even_when_it_fails() -> None:
    snapshot = snapshot_of(make_node("a"))
    low, high = make_pod("low").requests(cpu="1"), make_pod("high").requests(cpu="3")
    put(snapshot, "a", low)
    put(snapshot, "a", make_pod("other"))
    before = snapshot.requested.copy()

    def tried() -> None:
        with snapshot.trial() as trial:
            trial.remove_pod(0, low.pod_info())
            trial.add_pod(0, high.pod_info())
            assert snapshot.requested[0, 0] == 3000
            raise LookupError

    with pytest.raises(LookupError):
        tried()
    assert np.array_equal(snapshot.requested, before)
    assert [pod.name for pod in snapshot.pods_on(0)] == ["low", "other"]


def test_a_node_seen_one_by_one() -> None:
    snapshot = snapshot_of(make_node("a").cpu("2").labels(disk="ssd").taint("gpu"))
    put(snapshot, "a", make_pod("p").requests(cpu="500m"))
    (view,) = snapshot.views(slice(0, 1))
    assert (view.name, view.labels["disk"], view.taints[0].key) == ("a", "ssd", "gpu")
    assert (view.allocatable("cpu"), view.requested("cpu"), view.free("cpu")) == (2000, 500, 1500)
    assert [pod.name for pod in view.pods] == ["p"]
