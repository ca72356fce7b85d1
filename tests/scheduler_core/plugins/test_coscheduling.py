"""Coscheduling: who may go on, who is sent back, and in which words."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.configuration import ConfigurationError, decode_configuration
from scheduler_core.framework.status import error
from scheduler_core.plugins import DEFAULT_REGISTRY, OUT_OF_TREE_REGISTRY
from scheduler_core.plugins.args import CoschedulingArgs
from scheduler_core.report import CycleReport
from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.acceptance.gangs import coscheduling, gang_cluster, group, member, members
from tests.scheduler_core.acceptance.running_cluster import HEAD, RunningCluster

REGISTRY = {**DEFAULT_REGISTRY, **OUT_OF_TREE_REGISTRY}
IN_UNRESERVE = "0/1 nodes are available: 1 rejection in Unreserve."


def first_reason(report: CycleReport) -> str:
    """The text up to what PostFilter says."""
    return report.message.partition(": ")[2].partition(". ")[0]


def settle(cluster: RunningCluster) -> None:
    cluster.scheduler.tick()
    cluster.follow_permit()


def waiting(cluster: RunningCluster) -> set[str]:
    return {each.pod.name for each in cluster.scheduler.waiting_pods}


class TestQueueSort:
    def order(self, cluster: RunningCluster) -> list[str]:
        return [queued.pod.name for queued in cluster.scheduler.queue.active()]

    def test_priority_comes_first_then_the_groups_creation_then_the_pods_name(self) -> None:
        cluster = gang_cluster()
        cluster.add(group("young", 2, created="2026-01-01T00:00:09Z"), group("old", 2, created="2026-01-01T00:00:01Z"))
        cluster.add(member("y", "young"), member("b", "old"), member("a", "old"))
        cluster.add(member("urgent", "young").priority(10))
        assert self.order(cluster) == ["urgent", "a", "b", "y"]

    def test_a_pod_without_group_has_the_time_at_which_it_came(self) -> None:
        cluster = gang_cluster()
        cluster.clock.advance(10)
        cluster.add(group("old", 2), make_pod("early"), member("in-old", "old"))
        assert self.order(cluster) == ["in-old", "early"]

    def test_a_pod_without_group_keeps_its_place_however_often_it_fails(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1").cpu("1"), make_pod("first").requests(cpu="2"))
        cluster.clock.advance(5)
        assert cluster.attempt().outcome == "unschedulable"
        cluster.clock.advance(5)
        cluster.add(make_pod("second"))
        assert cluster.scheduler.queue.activate(cluster.uid("first"))
        assert self.order(cluster) == ["first", "second"]

    def test_a_group_that_failed_goes_behind_those_that_came_before_its_failure(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1").cpu("1"), group("first", 2), *members(2, "first"))
        cluster.clock.advance(10)
        assert cluster.attempt().outcome == "waiting"
        assert cluster.attempt().outcome == "unschedulable"
        settle(cluster)
        cluster.clock.advance(5)
        cluster.add(group("second", 1, created="2026-01-01T00:00:01Z"), member("s", "second"))
        cluster.scheduler.queue.activate(cluster.uid("first-00"))
        assert self.order(cluster) == ["s", "first-00"]

    def test_the_siblings_that_stand_in_active_q_go_there_too(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1").cpu("2"), group("first", 4), *members(4, "first"))
        cluster.clock.advance(10)
        cluster.add(group("second", 2, created="2026-01-01T00:00:05Z"), *members(2, "second"))
        assert self.order(cluster)[0] == "first-00"
        for _ in range(3):
            cluster.attempt()
        assert self.order(cluster) == ["second-00", "second-01", "first-03"]
        cluster.attempt()
        cluster.attempt()
        assert cluster.node_of("second-00") == cluster.node_of("second-01") == "n1"


class TestPreFilter:
    def test_gated_siblings_do_not_count(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 3), *members(2), member("gated").gate("example.com/quota"))
        expected = "pre-filter pod gang-00 cannot proceed due to gated pods in the same PodGroup"
        assert first_reason(cluster.attempt()) == expected

    def test_gated_siblings_do_not_matter_where_enough_others_are_there(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 2), *members(2), member("gated").gate("example.com/quota"))
        cluster.run()
        assert [cluster.node_of(name) for name in ("gang-00", "gang-01", "gated")] == ["n1", "n1", ""]

    @pytest.mark.parametrize(
        ("resources", "gap"),
        [
            ({"cpu": "6"}, ""),
            ({"cpu": "10"}, "cpu:{{2000 -3} {<nil>}  DecimalSI}"),
            ({"cpu": "9500m", "memory": "1Ti"}, "cpu:{{1500 -3} {<nil>}  DecimalSI} "
             "memory:{{1090921693184 0} {<nil>}  BinarySI}"),
            ({"nvidia.com/gpu": "2"}, "nvidia.com/gpu:{{2 0} {<nil>}  DecimalSI}"),
            ({}, ""),
        ],
    )  # fmt: skip
    def test_the_cluster_must_have_min_resources_in_sum(self, resources: dict[str, str], gap: str) -> None:
        cluster = gang_cluster()
        nodes = (make_node(f"n{number}").cpu("4").memory("4Gi") for number in (1, 2))
        cluster.add(*nodes, group("gang", 2, minResources=resources), *members(2))
        report = cluster.attempt()
        if gap:
            assert first_reason(report) == f"resource gap: map[{gap}]"
        else:
            assert report.outcome == "waiting"

    def test_there_must_be_room_for_min_member_pods(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1").pods(2), group("gang", 3, minResources={"cpu": "1"}), *members(3))
        assert first_reason(cluster.attempt()) == "resource gap: map[pods:{{1 0} {<nil>}  DecimalSI}]"

    def test_pods_of_the_group_itself_do_not_count_as_users(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1").cpu("4"), group("gang", 3, minResources={"cpu": "4"}))
        cluster.add(member("there", cpu="3").on("n1"), member("a"), member("b"))
        assert cluster.attempt().outcome == "waiting"

    def test_others_do(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1").cpu("4"), make_pod("there").requests(cpu="3").on("n1"))
        cluster.add(group("gang", 3, minResources={"cpu": "4"}), *members(3))
        assert first_reason(cluster.attempt()) == "resource gap: map[cpu:{{3000 -3} {<nil>}  DecimalSI}]"

    def test_a_pod_that_only_might_exist_counts_as_one_of_its_group(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 3), *members(2))
        assert cluster.scheduler.schedule_pod(member("third").pod_info()).node == "n1"

    def test_pods_of_other_schedulers_count_finished_ones_do_not(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 3), member("a"), member("b").scheduler("another"))
        cluster.add(member("done").on("n1").status(phase="Succeeded"))
        expected = "cannot find enough sibling pods, current pods number: 2, minMember of group: 3"
        assert expected in first_reason(cluster.attempt())


class TestPostFilter:
    def test_the_text_of_an_ordinary_pod_says_that_it_has_no_group(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1").cpu("1"), make_pod("web").requests(cpu="2"))
        assert cluster.attempt().message == (
            "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, "
            "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling., can not find pod group"
        )

    def test_a_pod_too_many_says_nothing_of_a_gang_that_is_complete(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1").cpu("2"), group("gang", 2), *members(3))
        reports = cluster.run()
        assert reports[-1].message.endswith("No preemption victims found for incoming pod.")

    @pytest.mark.parametrize(("percentage", "still_waiting"), [(0, 0), (49, 0), (50, 1), (100, 1)])
    def test_how_many_may_be_missing_is_an_argument(self, percentage: int, still_waiting: int) -> None:
        cluster = gang_cluster(podGroupRejectPercentage=percentage)
        cluster.add(make_node("n1").cpu("1"), group("gang", 2), *members(2))
        cluster.attempt(), cluster.attempt()
        settle(cluster)
        assert len(waiting(cluster)) == still_waiting

    def test_room_that_is_given_back_is_there_for_the_next_pod(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1").cpu("2"), group("gang", 3), *members(3))
        cluster.attempt(), cluster.attempt()
        cluster.add(make_pod("web").requests(cpu="2"))
        assert cluster.attempt().outcome == "unschedulable"
        assert cluster.attempt().node == "n1"


class TestPermit:
    def test_a_gang_that_is_complete_is_bound_whole(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 3), *members(3))
        assert [cluster.attempt().outcome for _ in range(3)] == ["waiting", "waiting", "scheduled"]
        assert [cluster.node_of(f"gang-{number:02}") for number in range(3)] == ["n1"] * 3

    def test_pods_without_the_label_do_not_wait(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 3), make_pod("web"))
        assert cluster.attempt().outcome == "scheduled"

    def test_the_first_that_waits_brings_its_siblings_along(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 3), *members(2))
        cluster.attempt(), cluster.attempt()
        cluster.add(member("gang-02"))
        assert cluster.attempt().outcome == "waiting"
        assert cluster.place_of("gang-00") == cluster.place_of("gang-01") == "activeQ"
        assert [move.event for move in cluster.moves if move.pod.name == "gang-00"][-1] == "ForceActivate"

    def test_a_group_of_the_same_name_in_another_namespace_is_another_group(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 2), group("gang", 2, namespace="other"))
        cluster.add(member("a"), member("x", namespace="other"))
        expected = "cannot find enough sibling pods, current pods number: 1, minMember of group: 2"
        assert expected in cluster.attempt().message
        assert expected in cluster.attempt().message

    def test_members_in_a_namespace_without_the_group_are_turned_down(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 2), member("x", namespace="other"))
        assert cluster.attempt().message == "0/1 nodes are available: 1 PodGroup not found."

    def test_a_group_deleted_while_members_wait_leaves_them_until_their_time_is_over(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 3), *members(3))
        cluster.attempt()
        cluster.remove("gang", "PodGroup")
        assert "PodGroup not found" in cluster.attempt().message
        settle(cluster)
        assert waiting(cluster) == {"gang-00"}
        cluster.clock.advance(60)
        settle(cluster)
        assert "timeout after waiting 1m0s" in cluster.permit_results["gang-00"]

    def test_members_that_contradict_each_other_never_hold_room_for_good(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1").cpu("4"), group("gang", 2), member("a"))
        cluster.add(member("b").node_selector(disk="tape"), make_pod("web").requests(cpu="4"))
        cluster.run(300)
        assert cluster.node_of("web") == "n1"
        assert (cluster.node_of("a"), cluster.node_of("b")) == ("", "")


class TestUnreserve:
    def test_when_one_gives_up_all_do(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 3), *members(3))
        cluster.attempt(), cluster.attempt()
        cluster.remove("gang-00")
        settle(cluster)
        assert waiting(cluster) == set()
        assert cluster.permit_results["gang-01"] == IN_UNRESERVE

    def test_a_binding_that_fails_takes_those_that_still_wait_with_it(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 3), *members(3))
        cluster.attempt()
        report = cluster.scheduler.schedule_one()
        assert report is not None
        assert report.outcome == "waiting"
        for each in cluster.scheduler.waiting_pods:
            if each.pod.name == "gang-01":
                each.allow("Coscheduling")
        let_go = cluster.scheduler.drain_permit_results()
        assert [result.pod.name for result in let_go] == ["gang-01"]
        cluster.scheduler.binding_finished(report.pod.uid, "n1", error("the API server is down"))
        settle(cluster)
        assert cluster.permit_results == {"gang-00": IN_UNRESERVE}

    def test_the_first_timeout_ends_it_for_all(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 3), *members(3))
        cluster.attempt()
        cluster.clock.advance(10)
        cluster.attempt()
        cluster.clock.advance(50)
        cluster.scheduler.tick()
        assert waiting(cluster) == set()
        cluster.follow_permit()
        assert "timeout after waiting 1m0s" in cluster.permit_results["gang-00"]
        assert cluster.permit_results["gang-01"] == IN_UNRESERVE


class TestAnotherWorker:
    def test_it_completes_a_gang_whose_members_wait(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 3), *members(3))
        cluster.attempt(), cluster.attempt()
        cluster.take_over()
        assert waiting(cluster) == {"gang-00", "gang-01"}
        assert cluster.attempt().outcome == "scheduled"
        assert [cluster.node_of(f"gang-{number:02}") for number in range(3)] == ["n1"] * 3

    def test_deadlines_stay_as_they_were(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1"), group("gang", 3), *members(3))
        cluster.attempt()
        cluster.clock.advance(40)
        cluster.take_over()
        cluster.clock.advance(19)
        settle(cluster)
        assert waiting(cluster) == {"gang-00"}
        cluster.clock.advance(1)
        settle(cluster)
        assert "timeout after waiting 1m0s at plugin Coscheduling" in cluster.permit_results["gang-00"]

    def test_a_rejection_reaches_those_that_another_worker_placed(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1").cpu("2"), group("gang", 3), *members(3))
        cluster.attempt(), cluster.attempt()
        cluster.take_over()
        assert "gets rejected due to Pod gang-02" in cluster.attempt().message
        settle(cluster)
        assert waiting(cluster) == set()


def test_a_group_that_can_never_fit_does_not_stand_in_the_way_of_others() -> None:
    cluster = gang_cluster()
    cluster.add(make_node("n1").cpu("4"), group("giant", 3), *members(3, "giant", cpu="64"))
    cluster.add(group("small", 2), *members(2, "small"), make_pod("web").requests(cpu="1"))
    cluster.run(60)
    assert [cluster.node_of(name) for name in ("small-00", "small-01", "web", "giant-00")] == ["n1", "n1", "n1", ""]


class TestTwoGangsAndRoomForOne:
    def interleaved(self) -> list[Any]:
        return [member(f"{name}-{number}", name) for number in range(4) for name in ("red", "blue")]

    def test_without_coscheduling_each_holds_half_of_what_it_needs(self) -> None:
        cluster = RunningCluster()
        cluster.add(make_node("n1").cpu("4"), *self.interleaved())
        cluster.run(600)
        assert [sum(bool(cluster.node_of(f"{name}-{i}")) for i in range(4)) for name in ("red", "blue")] == [2, 2]

    def test_with_it_one_runs_whole_and_the_other_waits_until_that_has_gone(self) -> None:
        cluster = gang_cluster()
        cluster.add(make_node("n1").cpu("4"), group("red", 4), group("blue", 4), *self.interleaved())
        cluster.run(600)
        assert [sum(bool(cluster.node_of(f"{name}-{i}")) for i in range(4)) for name in ("red", "blue")] == [0, 4]
        for number in range(4):
            cluster.remove(f"blue-{number}")
        cluster.run(60)
        assert all(cluster.node_of(f"red-{number}") for number in range(4))


class TestArguments:
    def decode(self, **args: Any) -> CoschedulingArgs:
        configuration = decode_configuration({**HEAD, **coscheduling(**args)}, REGISTRY)
        decoded: CoschedulingArgs = configuration.profiles[0].args["Coscheduling"]
        return decoded

    def test_defaults(self) -> None:
        assert self.decode() == CoschedulingArgs(
            permit_waiting_time_seconds=60, pod_group_backoff_seconds=0, pod_group_reject_percentage=10
        )

    def test_as_written(self) -> None:
        decoded = self.decode(kind="CoschedulingArgs", permitWaitingTimeSeconds=5, podGroupBackoffSeconds=20)
        assert (decoded.permit_waiting_time_seconds, decoded.pod_group_backoff_seconds) == (5, 20)

    @pytest.mark.parametrize(
        ("field", "value", "problem"),
        [
            ("permitWaitingTimeSeconds", -1, "Invalid value: -1: must be greater than 0"),
            ("podGroupBackoffSeconds", -1, "Invalid value: -1: must be greater than 0"),
            ("podGroupRejectPercentage", 101, "Invalid value: 101: must be between 0 and 100"),
        ],
    )
    def test_out_of_range(self, field: str, value: int, problem: str) -> None:
        with pytest.raises(ConfigurationError) as refused:
            self.decode(**{field: value})
        assert str(refused.value) == (
            "initializing profiles: creating profile for scheduler name default-scheduler: "
            f'initializing plugin "Coscheduling": {field}: {problem}'
        )

    def test_an_unknown_one(self) -> None:
        with pytest.raises(ConfigurationError, match="unknown field"):
            self.decode(permitWaitingSeconds=1)

    def test_who_does_not_have_the_plugin_says_so(self) -> None:
        with pytest.raises(ConfigurationError, match='"Coscheduling" does not exist'):
            decode_configuration({**HEAD, **coscheduling()})
