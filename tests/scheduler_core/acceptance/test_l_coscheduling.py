"""Questions people had about gangs, and about nodes that are of no use twice."""

from __future__ import annotations

from collections import Counter

from scheduler_core.kubelet.admission import Rejection, admit
from scheduler_core.snapshot.snapshot import Snapshot
from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.acceptance.gangs import gang_cluster, group, member, members
from tests.scheduler_core.acceptance.running_cluster import RunningCluster

NODES_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
OPTIMISTIC = "0/1 nodes are available: 1 optimistic rejection in PostFilter."


def waiting(cluster: RunningCluster) -> int:
    return len(list(cluster.scheduler.waiting_pods))


def test_l1_with_two_of_ten_missing_who_waits_gives_the_room_back() -> None:
    cluster = gang_cluster()
    cluster.add(make_node("n1").cpu("8"), group("gang", 10), *members(10))
    for _ in range(8):
        assert cluster.attempt().outcome == "waiting"
    refused = cluster.attempt()
    assert refused.message == (
        "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, "
        "preemption: 0/1 nodes are available: "
        "1 No preemption victims found for incoming pod., "
        "PodGroup default/gang gets rejected due to Pod gang-08 is unschedulable even after PostFilter"
    )
    cluster.scheduler.tick()
    cluster.follow_permit()
    assert waiting(cluster) == 0
    assert cluster.permit_results == {f"gang-{number:02}": OPTIMISTIC for number in range(8)}


def test_l1_with_one_of_ten_missing_they_wait_until_their_time_is_over() -> None:
    cluster = gang_cluster()
    cluster.add(make_node("n1").cpu("9"), group("gang", 10), *members(10))
    for _ in range(9):
        assert cluster.attempt().outcome == "waiting"
    refused = cluster.attempt()
    assert refused.message.endswith(
        "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod."
    )
    cluster.clock.advance(59)
    cluster.scheduler.tick()
    assert waiting(cluster) == 9
    cluster.clock.advance(1)
    cluster.scheduler.tick()
    cluster.follow_permit()
    assert waiting(cluster) == 0
    timed_out = "0/1 nodes are available: 1 rejected due to timeout after waiting 1m0s at plugin Coscheduling."
    assert set(cluster.permit_results.values()) == {timed_out}


def test_l1_a_groups_own_time_comes_before_the_arguments() -> None:
    cluster = gang_cluster(permitWaitingTimeSeconds=30)
    cluster.add(make_node("n1"), group("own", 2, scheduleTimeoutSeconds=10), member("a", "own"), member("a2", "own"))
    cluster.add(group("none", 2), member("b", "none"), member("b2", "none"))
    now = cluster.clock.now()
    reports = {report.pod.name: report for report in (cluster.attempt(), cluster.attempt(), cluster.attempt())}
    assert reports["a"].permit_deadline == now + 10
    assert reports["b"].permit_deadline == now + 30


def test_l2_a_group_that_comes_after_its_pods_wakes_them() -> None:
    cluster = gang_cluster()
    cluster.add(make_node("n1"), *members(2))
    assert cluster.attempt().message == "0/1 nodes are available: 1 PodGroup not found."
    cluster.attempt()
    assert cluster.place_of("gang-00") == "unschedulablePods"
    cluster.add(group("gang", 2))
    cluster.run(2)
    assert [cluster.node_of(f"gang-{number:02}") for number in range(2)] == ["n1", "n1"]
    woken = [move.event for move in cluster.moves if move.source == "unschedulablePods"]
    assert set(woken) == {"podgroups.v1alpha1.scheduling.x-k8s.ioAdd"}


def test_l2_too_few_pods_are_counted_and_the_missing_one_brings_them_along() -> None:
    cluster = gang_cluster()
    cluster.add(make_node("n1"), make_node("n2"), make_node("n3"), group("gang", 3), *members(2))
    refused = cluster.attempt()
    assert refused.outcome == "unschedulable"
    assert refused.message == (
        "0/3 nodes are available: pre-filter pod gang-00 cannot find enough sibling pods, "
        "current pods number: 2, minMember of group: 3. "
        "no new claims to deallocate, "
        "preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling., "
        "PodGroup default/gang gets rejected due to Pod gang-00 is unschedulable even after PostFilter"
    )
    cluster.run(600)
    assert not any(cluster.node_of(f"gang-{number:02}") for number in range(2))
    cluster.add(member("gang-02"))
    cluster.run()
    assert all(cluster.node_of(f"gang-{number:02}") for number in range(3))


def test_l3_a_rejected_group_is_not_tried_for_as_long_as_the_arguments_say() -> None:
    cluster = gang_cluster(podGroupBackoffSeconds=20)
    cluster.add(make_node("n1").cpu("1"), group("gang", 3), *members(3))
    assert cluster.attempt().outcome == "waiting"
    assert "gets rejected due to Pod gang-01" in cluster.attempt().message
    failed_recently = "0/1 nodes are available: podGroup default/gang failed recently. "
    assert cluster.attempt().message.startswith(failed_recently)
    cluster.clock.advance(19)
    assert cluster.retry("gang-00").message.startswith(failed_recently)
    cluster.clock.advance(1)
    assert cluster.retry("gang-02").outcome == "waiting"


def test_l3_by_default_there_is_no_such_backoff() -> None:
    cluster = gang_cluster()
    cluster.add(make_node("n1").cpu("1"), group("gang", 3), *members(3))
    outcomes = [cluster.attempt().outcome for _ in range(3)]
    assert outcomes == ["waiting", "unschedulable", "waiting"]


def test_l8_a_static_pod_that_is_seen_late_costs_the_pod_its_place_and_the_next_one_waits() -> None:
    node, static = make_node("n1").cpu("2"), make_pod("static").requests(cpu="1").on("n1")
    cluster = RunningCluster()
    cluster.add(node, make_pod("web").requests(cpu="2"))
    # The kubelet runs the static pod; its mirror pod is not in the API yet, so the room looks free.
    assert cluster.attempt().node == "n1"
    refused = admit(make_pod("web").requests(cpu="2").on("n1").pod_info(), node.node(), [static.pod_info()])
    assert refused == Rejection(
        reason="OutOfcpu", message="Node didn't have enough resource: cpu, requested: 2000, used: 1000, capacity: 2000"
    )
    cluster.remove("web")
    cluster.add(static, make_pod("web-2").requests(cpu="2"))
    assert cluster.attempt().message.startswith("0/1 nodes are available: 1 Insufficient cpu.")
    assert cluster.place_of("web-2") == "unschedulablePods"


def test_l9_every_node_is_in_a_search_once_also_after_one_has_gone() -> None:
    snapshot = Snapshot()
    for number, zone in zip(range(1, 7), "aaaabb", strict=True):
        snapshot.add_node(make_node(f"n{number}").zone(zone).node())
    snapshot.refresh()
    assert snapshot.names == ["n1", "n5", "n2", "n6", "n3", "n4"]
    snapshot.remove_node("n5")
    snapshot.refresh()
    assert snapshot.names == ["n1", "n6", "n2", "n3", "n4"]


def test_l9_a_search_that_begins_in_the_middle_visits_every_node_once_after_one_has_gone() -> None:
    cluster = RunningCluster()
    cluster.add(*[make_node(f"n{number}").zone(zone) for number, zone in zip(range(1, 7), "aaaabb", strict=True)])
    only = [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n2"]}]}]
    cluster.add(make_pod("pinned").affinity(nodeAffinity={NODES_REQUIRED: {"nodeSelectorTerms": only}}))
    assert cluster.attempt().node == "n2"
    assert cluster.scheduler.next_start == 1
    cluster.remove("n5", "Node")
    cluster.add(make_pod("huge").requests(cpu="1000"))
    report = cluster.attempt()
    assert report.filter is not None
    assert sorted(report.filter.nodes) == ["n1", "n2", "n3", "n4", "n6"]
    assert report.message.startswith("0/5 nodes are available: 5 Insufficient cpu.")


def test_l11_of_the_best_nodes_each_is_taken_equally_often() -> None:
    cluster = RunningCluster()
    cluster.add(*(make_node(f"n{number}") for number in range(4)))
    drawn: Counter[str] = Counter()
    for number in range(400):
        cluster.add(make_pod(f"p{number}").requests(cpu="1"))
        drawn[cluster.attempt().node] += 1
        cluster.remove(f"p{number}")
    assert sum(drawn.values()) == 400
    assert all(60 < count < 140 for count in drawn.values()), drawn
