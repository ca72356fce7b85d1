"""Questions people had about gates, backoff and the queue."""

from __future__ import annotations

import pytest

from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.acceptance.running_cluster import RunningCluster


def test_j1_a_gated_pod_is_never_tried_until_its_last_gate_is_removed() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1"), make_pod("web").gate("a", "b"))
    assert cluster.run(600) == []
    assert cluster.place_of("web") == "gated"
    cluster.update(make_pod("web").gate("b"))
    assert cluster.place_of("web") == "gated"
    cluster.update(make_pod("web"))
    assert cluster.place_of("web") == "activeQ"
    report = cluster.attempt()
    assert (report.attempt, report.node) == (1, "n1")


@pytest.mark.parametrize(("failures", "seconds"), [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (6, 10)])
def test_j3_backoff_doubles_to_ten_seconds(failures: int, seconds: int) -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1").cpu("1"), make_pod("web").requests(cpu="2"))
    for number in range(failures - 1):
        cluster.attempt()
        cluster.clock.advance(20)
        cluster.add(make_node(f"m{number}").taint("for-others"))
    failed_at = cluster.clock.now()
    cluster.attempt()
    cluster.add(make_node("last").taint("for-others"))
    (queued,) = cluster.scheduler.queue.backing_off()
    assert queued.backoff_until == pytest.approx(failed_at + seconds)


def test_j3_errors_are_counted_apart_from_rejections() -> None:
    cluster = RunningCluster()
    # Without nodes an attempt ends with an error.
    cluster.add(make_pod("web").requests(cpu="9"))
    for _ in range(3):
        assert cluster.attempt().outcome == "error"
        cluster.run_backoff()
    cluster.add(make_node("n1"))
    assert cluster.attempt().outcome == "unschedulable"
    (queued,) = cluster.scheduler.queue.unschedulable()
    assert (queued.attempts, queued.unschedulable_count, queued.consecutive_errors) == (4, 1, 0)


def test_j4_without_an_event_a_pod_is_tried_again_after_five_minutes() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1").cpu("1"), make_pod("web").requests(cpu="2"))
    start = cluster.clock.now()
    reports = cluster.run(700)
    times = [report.at - start for report in reports]
    # Checked every 30 seconds, for pods that wait longer than 300.
    assert times == [0.0, 330.0, 660.0]
    assert [move.event for move in cluster.moves if move.target == "activeQ"][1:] == ["UnschedulableTimeout"] * 2


def test_j5_an_event_during_the_only_pods_cycle_is_not_lost() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n1").cpu("1"), make_pod("web").requests(cpu="2"))
    queued = cluster.scheduler.queue.pop()
    assert queued is not None
    cluster.add(make_node("n2"))
    cluster.scheduler.queue.add_unschedulable_if_not_present(queued.pod, ["NodeResourcesFit"], message="no")
    cluster.run(2)
    assert cluster.node_of("web") == "n2"


def test_j8_an_idle_scheduler_may_take_a_pod_from_backoff_but_not_one_that_met_an_error() -> None:
    cluster = RunningCluster(gates={"SchedulerPopFromBackoffQ": True})
    cluster.add(make_pod("broken"))
    assert cluster.attempt().outcome == "error"
    assert cluster.step() is None
    cluster.add(make_node("n1").cpu("1").taint("for-others"), make_pod("web").requests(cpu="2"))
    assert cluster.attempt().outcome == "unschedulable"
    cluster.add(make_node("n2").cpu("2"))
    report = cluster.attempt()
    assert (report.pod.name, report.attempt, report.node) == ("web", 2, "n2")
    assert cluster.place_of("broken") == "backoffQ"
