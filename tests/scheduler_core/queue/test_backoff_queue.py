"""backoffQ: how long, until which tick, and who may leave early."""

from __future__ import annotations

import pytest

from scheduler_core.queue.events import NODE_ADD
from scheduler_core.testing import make_node
from tests.scheduler_core.queue.cast import FIT, Cast

POP_EARLY = {"SchedulerPopFromBackoffQ": True}


@pytest.mark.parametrize(
    ("failures", "seconds"), [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (6, 10), (60, 10), (5000, 10)]
)
def test_backoff_doubles_up_to_the_maximum(failures: int, seconds: int) -> None:
    cast = Cast()
    queued = cast.reject()
    queued.unschedulable_count = failures
    assert cast.queue._backoff.duration(queued) == seconds


def test_a_maximum_of_zero_means_no_backoff() -> None:
    cast = Cast(max_backoff=0.0)
    cast.add("web")
    queued = cast.break_next()
    assert queued.queue == "activeQ"


def test_a_pod_leaves_at_the_first_whole_second_after_its_backoff() -> None:
    cast = Cast()
    cast.clock.advance(0.2)
    cast.add("web")
    queued = cast.break_next()
    assert queued.backoff_until == pytest.approx(1001.2)
    assert cast.queue.next_wakeup() == 1002.0
    cast.tick(1.5)
    assert queued.queue == "backoffQ"
    cast.tick(0.3)
    assert queued.queue == "activeQ"


def test_errors_and_rejections_are_counted_apart() -> None:
    cast = Cast()
    cast.add("web")
    for _ in range(3):
        queued = cast.break_next()
        cast.tick(20)
    assert (queued.consecutive_errors, queued.unschedulable_count) == (3, 0)
    cast.reject_next()
    assert (queued.consecutive_errors, queued.unschedulable_count) == (0, 1)


def test_without_the_gate_nobody_is_popped_early() -> None:
    cast = Cast()
    cast.add("web")
    cast.break_next()
    assert cast.queue.pop() is None
    assert not cast.queue.has_active()


def test_with_the_gate_an_idle_scheduler_takes_a_rejected_pod_early_and_counts_the_attempt() -> None:
    cast = Cast(POP_EARLY)
    queued = cast.reject()
    _node_added(cast)
    assert queued.queue == "backoffQ"
    assert cast.queue.has_active()
    assert cast.pop() is queued
    assert queued.attempts == 2
    assert cast.queue.drain_moves()[-1].event == "PopFromBackoffQ"


def test_with_the_gate_pods_that_met_an_error_are_not_taken_early() -> None:
    cast = Cast(POP_EARLY)
    cast.add("web")
    cast.break_next()
    assert cast.queue.pop() is None


def test_with_the_gate_pods_of_one_second_leave_by_priority() -> None:
    cast = Cast(POP_EARLY)
    for name, priority in (("low", 0), ("high", 100)):
        cast.add(name, priority)
    rejected = [cast.reject_next(by=FIT) for _ in range(2)]
    cast.clock.advance(0.1)
    _node_added(cast)
    assert {each.queue for each in rejected} == {"backoffQ"}
    assert cast.names(cast.queue.backing_off()) == ["high", "low"]


def _node_added(cast: Cast) -> None:
    cast.queue.move_all_to_active_or_backoff(NODE_ADD, None, make_node("n1").node())
