"""Whom an event woke and whom it did not: told per event, and counted per pod."""

from __future__ import annotations

import pytest

from scheduler_core.queue.event_log import MOST_SKIPPED, MOST_WOKEN
from scheduler_core.queue.events import ASSIGNED_POD_DELETE, NODE_ADD, object_event
from scheduler_core.queue.scheduling_queue import SchedulingQueue
from scheduler_core.report import ClusterEventReport, SkipCount
from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.queue.cast import CLAIMS, FIT, Cast


@pytest.fixture
def cast() -> Cast:
    return Cast()


def node_added(cast: Cast, name: str = "n1") -> None:
    cast.queue.move_all_to_active_or_backoff(NODE_ADD, None, make_node(name).node())


def logged(cast: Cast) -> ClusterEventReport:
    (report,) = cast.queue.drain_events()
    return report


def skips_of(queue: SchedulingQueue, uid: str) -> list[SkipCount]:
    state = queue.state_of(uid)
    assert state is not None
    return state.skips


def test_an_event_names_whom_it_woke_and_why(cast: Cast) -> None:
    cast.reject("web")
    cast.reject("claims", by=CLAIMS)
    node_added(cast, "n7")
    report = logged(cast)
    assert (report.event, report.object, report.at) == ("NodeAdd", "Node/n7", cast.clock.now())
    assert (report.waiting, report.concerned, report.woken_count) == (2, 1, 1)
    (woken,) = report.woken
    assert (woken.pod.name, woken.target, woken.plugin, woken.hint) == ("web", "backoffQ", FIT, "it has room")


def test_an_event_counts_whom_it_did_not_wake_by_reason(cast: Cast) -> None:
    for number in range(MOST_SKIPPED + 5):
        cast.reject(f"web-{number}")
    cast.hints.skip("too small")
    node_added(cast)
    report = logged(cast)
    assert (report.woken, report.woken_count) == ([], 0)
    (skipped,) = report.skipped
    assert (skipped.plugin, skipped.reason, skipped.count) == (FIT, "too small", MOST_SKIPPED + 5)
    assert [pod.name for pod in skipped.pods][:2] == ["web-0", "web-1"]
    assert len(skipped.pods) == MOST_SKIPPED


def test_only_some_of_the_many_that_woke_are_named(cast: Cast) -> None:
    for number in range(MOST_WOKEN + 5):
        cast.reject(f"web-{number}")
    node_added(cast)
    report = logged(cast)
    assert (len(report.woken), report.woken_count) == (MOST_WOKEN, MOST_WOKEN + 5)


def test_an_event_that_no_waiting_pod_registered_for_is_told_unless_it_is_of_a_pod(cast: Cast) -> None:
    cast.reject("web")
    cast.queue.move_all_to_active_or_backoff(object_event("StorageClass", "Add"), None, None)
    report = logged(cast)
    assert (report.event, report.waiting, report.concerned, report.skipped) == (
        "storage.k8s.io/StorageClassAdd",
        1,
        0,
        [],
    )
    cast.reject("claims", by=CLAIMS)
    cast.queue.delete(cast.queue.unschedulable()[0].uid)
    cast.queue.move_all_to_active_or_backoff(ASSIGNED_POD_DELETE, make_pod("gone").on("n1").pod(), None)
    assert cast.queue.drain_events() == []


def test_an_event_while_nobody_waits_is_not_told(cast: Cast) -> None:
    node_added(cast)
    assert cast.queue.drain_events() == []


def test_a_skip_tells_the_last_object_and_when(cast: Cast) -> None:
    queued = cast.reject()
    cast.hints.skip("too small")
    node_added(cast, "n1")
    cast.clock.advance(5)
    node_added(cast, "n2")
    (skip,) = skips_of(cast.queue, queued.uid)
    assert (skip.count, skip.object, skip.at) == (2, "Node/n2", cast.clock.now())


def test_a_pod_that_joins_later_is_not_charged_with_what_was_before(cast: Cast) -> None:
    first = cast.reject("first")
    cast.hints.skip("too small")
    node_added(cast)
    second = cast.reject("second")
    assert skips_of(cast.queue, second.uid) == []
    node_added(cast)
    assert [skip.count for skip in skips_of(cast.queue, first.uid)] == [2]
    assert [skip.count for skip in skips_of(cast.queue, second.uid)] == [1]


def test_the_move_that_ends_the_wait_takes_the_skips_along(cast: Cast) -> None:
    queued = cast.reject()
    cast.hints.skip("too small")
    node_added(cast)
    cast.queue.drain_moves()
    cast.queue.activate(queued.uid)
    (move,) = cast.queue.drain_moves()
    assert [(skip.plugin, skip.reason, skip.count) for skip in move.skips] == [(FIT, "too small", 1)]
    cast.pop()
    assert cast.queue.drain_moves()[-1].skips == []


def test_an_update_of_the_pod_keeps_its_counts_and_its_age(cast: Cast) -> None:
    old, other = cast.reject("web"), cast.reject("other")
    cast.hints.skip("too small")
    node_added(cast)
    cast.queue.update(None, make_pod("web").labels(app="new").pod_info())
    assert [skip.count for skip in skips_of(cast.queue, old.uid)] == [1]
    assert [queued.uid for queued in cast.queue.unschedulable()] == [old.uid, other.uid]
    node_added(cast)
    assert [skip.count for skip in skips_of(cast.queue, old.uid)] == [2]


def test_counts_survive_a_takeover(cast: Cast) -> None:
    queued = cast.reject()
    cast.hints.skip("too small")
    node_added(cast)
    successor = Cast()
    successor.queue.restore(cast.queue.dump(), {queued.uid: queued.pod})
    successor.hints.skip("too small")
    node_added(successor)
    assert [skip.count for skip in skips_of(successor.queue, queued.uid)] == [2]


def test_pods_whose_counts_alone_changed_are_told_some_at_a_time(cast: Cast) -> None:
    uids = [cast.reject(f"web-{number}").uid for number in range(5)]
    cast.hints.skip("too small")
    node_added(cast)
    assert cast.queue.drain_counted(3) == uids[:3]
    assert cast.queue.drain_counted(3) == uids[3:]
    assert cast.queue.drain_counted(3) == []
