"""The queue as a whole: what brings a failed pod back, and what is told about it."""

from __future__ import annotations

import random

import msgspec
import pytest

from scheduler_core.queue.events import ASSIGNED_POD_DELETE, NODE_ADD, ClusterEvent, object_event
from scheduler_core.queue.in_flight import MAX_EVENTS
from scheduler_core.queue.queued_pod import MAX_SKIPS
from scheduler_core.queue.scheduling_queue import QueueState
from scheduler_core.report import SkipCount
from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.queue.cast import CLAIMS, FIT, GATES, Cast

NODE = make_node("n1").node()


def node_added(cast: Cast) -> None:
    cast.queue.move_all_to_active_or_backoff(NODE_ADD, None, NODE)


def skips_of(cast: Cast, uid: str) -> list[SkipCount]:
    state = cast.queue.state_of(uid)
    assert state is not None
    return state.skips


@pytest.fixture
def cast() -> Cast:
    return Cast()


def test_pods_are_popped_by_priority_then_age(cast: Cast) -> None:
    for name, priority in (("a", 0), ("b", 10), ("c", 0)):
        cast.add(name, priority)
        cast.clock.advance(1)
    assert [cast.pop().pod.name for _ in range(3)] == ["b", "a", "c"]


def test_a_rejected_pod_waits_with_the_names_of_its_plugins(cast: Cast) -> None:
    queued = cast.reject()
    assert queued.queue == "unschedulablePods"
    assert list(queued.unschedulable_plugins) == [FIT]
    assert queued.message == "no"
    assert cast.queue.pop() is None


def test_a_pod_that_met_an_error_backs_off_and_is_tried_again(cast: Cast) -> None:
    cast.add("web")
    queued = cast.break_next()
    assert queued.queue == "backoffQ"
    cast.tick(2)
    assert cast.pop() is queued


def test_an_event_of_a_rejecting_plugin_moves_the_pod_through_backoff(cast: Cast) -> None:
    queued = cast.reject()
    node_added(cast)
    assert queued.queue == "backoffQ"


def test_after_its_backoff_an_event_moves_the_pod_to_active_at_once(cast: Cast) -> None:
    queued = cast.reject()
    cast.clock.advance(2)
    node_added(cast)
    assert queued.queue == "activeQ"


def test_the_move_tells_event_object_plugin_and_its_words(cast: Cast) -> None:
    cast.reject()
    cast.clock.advance(2)
    cast.queue.drain_moves()
    node_added(cast)
    (move,) = cast.queue.drain_moves()
    assert (move.source, move.target, move.event) == ("unschedulablePods", "activeQ", "NodeAdd")
    assert (move.object, move.plugin, move.hint) == ("Node/n1", FIT, "it has room")
    assert move.attempts == 1


def test_an_event_nobody_registered_for_moves_nothing(cast: Cast) -> None:
    queued = cast.reject()
    cast.queue.move_all_to_active_or_backoff(object_event("StorageClass", "Add"), None, None)
    assert queued.queue == "unschedulablePods"
    assert cast.hints.asked == 0


def test_an_event_of_a_plugin_that_did_not_reject_moves_nothing(cast: Cast) -> None:
    queued = cast.reject(by=CLAIMS)
    node_added(cast)
    assert queued.queue == "unschedulablePods"
    assert cast.hints.asked == 0


def test_a_skip_leaves_the_pod_and_is_counted_with_its_reason(cast: Cast) -> None:
    queued = cast.reject()
    cast.hints.skip("too small")
    for _ in range(3):
        node_added(cast)
    assert queued.queue == "unschedulablePods"
    (skip,) = skips_of(cast, queued.uid)
    assert (skip.event, skip.plugin, skip.reason, skip.count) == ("NodeAdd", FIT, "too small", 3)


def test_no_more_than_a_few_different_skips_are_remembered(cast: Cast) -> None:
    queued = cast.reject()
    for number in range(MAX_SKIPS + 20):
        cast.hints.skip(f"reason {number}")
        node_added(cast)
    assert len(skips_of(cast, queued.uid)) == MAX_SKIPS


def test_a_hint_that_fails_counts_as_yes_and_says_so(cast: Cast) -> None:
    queued = cast.reject()
    cast.hints.fail = True
    node_added(cast)
    assert queued.queue == "backoffQ"
    assert cast.queue.drain_moves()[-1].hint == "the hint failed: RuntimeError: boom"


def test_one_hint_call_answers_for_all_pods_of_a_class(cast: Cast) -> None:
    for number in range(50):
        cast.reject(f"web-{number}")
    cast.hints.skip()
    node_added(cast)
    assert cast.hints.asked == 1
    assert all(skips_of(cast, queued.uid)[0].count == 1 for queued in cast.queue.unschedulable())


def test_with_hints_off_every_registered_event_moves_the_pod() -> None:
    cast = Cast({"SchedulerQueueingHints": False})
    queued = cast.reject()
    cast.hints.skip()
    node_added(cast)
    assert queued.queue == "backoffQ"
    assert cast.hints.asked == 0


def test_a_plugin_that_waits_for_nodes_hears_of_taints_too(cast: Cast) -> None:
    queued = cast.reject()
    cast.hints.skip()
    cast.queue.move_all_to_active_or_backoff(ClusterEvent("Node", "UpdateNodeTaint"), NODE, NODE)
    assert queued.queue == "backoffQ"


def test_a_pending_plugin_brings_the_pod_back_without_backoff(cast: Cast) -> None:
    cast.add("web")
    queued = cast.pop()
    cast.queue.add_unschedulable_if_not_present(queued.pod, [], [CLAIMS], "waiting for a claim")
    cast.queue.move_all_to_active_or_backoff(object_event("PersistentVolumeClaim", "Update"), None, None)
    assert queued.queue == "activeQ"


def test_an_unschedulable_plugin_of_a_pod_with_pending_ones_still_means_backoff(cast: Cast) -> None:
    cast.add("web")
    queued = cast.pop()
    cast.queue.add_unschedulable_if_not_present(queued.pod, [FIT, CLAIMS], [CLAIMS], "both")
    node_added(cast)
    assert queued.queue == "backoffQ"


# In flight


def test_an_event_during_the_attempt_is_weighed_when_the_pod_comes_back(cast: Cast) -> None:
    cast.add("web")
    queued = cast.pop()
    node_added(cast)
    cast.queue.add_unschedulable_if_not_present(queued.pod, [FIT], message="no")
    assert queued.queue == "backoffQ"
    assert cast.queue.drain_moves()[-1].object == "Node/n1"


def test_an_event_before_the_attempt_does_not_count(cast: Cast) -> None:
    cast.add("web")
    cast.add("other")
    cast.pop()
    node_added(cast)
    queued = cast.reject_next()
    assert queued.queue == "unschedulablePods"


def test_events_are_forgotten_when_nobody_is_in_flight_any_more(cast: Cast) -> None:
    cast.add("web")
    cast.pop()
    node_added(cast)
    assert len(cast.queue._in_flight._events) == 1
    cast.queue.done("uid-default-web")
    assert cast.queue._in_flight._events == []


def test_a_pod_in_flight_too_long_is_retried_rather_than_left(cast: Cast) -> None:
    cast.hints.skip()
    cast.add("web")
    queued = cast.pop()
    for _ in range(MAX_EVENTS + 1):
        cast.queue.move_all_to_active_or_backoff(object_event("ConfigMap", "Add"), None, None)
    cast.queue.add_unschedulable_if_not_present(queued.pod, [FIT], message="no")
    assert queued.queue == "backoffQ"


def test_a_pod_activated_while_in_flight_is_tried_again(cast: Cast) -> None:
    cast.add("web")
    cast.add("other")
    first, second = cast.pop(), cast.pop()
    assert not cast.queue.activate(first.uid)
    for queued in (first, second):
        cast.queue.add_unschedulable_if_not_present(queued.pod, [FIT], message="no")
    assert (first.queue, second.queue) == ("backoffQ", "unschedulablePods")


def test_a_pod_deleted_while_in_flight_does_not_come_back(cast: Cast) -> None:
    pod = cast.add("web")
    cast.pop()
    cast.queue.delete(pod.uid)
    cast.queue.add_unschedulable_if_not_present(pod, [FIT], message="no")
    assert cast.queue.get(pod.uid) is None
    assert cast.queue.drain_moves()[-1].target == ""


def test_a_pod_placed_and_bound_leaves_with_its_moves(cast: Cast) -> None:
    pod = cast.add("web")
    cast.pop()
    cast.queue.placed(pod.uid, node_name="n1", waiting=True)
    cast.queue.allowed(pod.uid, "n1")
    cast.queue.bound(pod.uid, "n1")
    assert [move.target for move in cast.queue.drain_moves()] == ["activeQ", "inFlight", "waiting", "binding", "bound"]
    assert cast.queue.get(pod.uid) is None


def test_a_failed_binding_backs_off_and_keeps_its_attempts(cast: Cast) -> None:
    pod = cast.add("web")
    queued = cast.pop()
    cast.queue.placed(pod.uid, node_name="n1", waiting=False)
    cast.queue.add_unschedulable_if_not_present(pod, message="bind failed", error=True)
    assert (queued.queue, queued.attempts) == ("backoffQ", 1)


# Gates


def test_a_gated_pod_is_not_tried_and_is_not_moved_by_the_events_of_others(cast: Cast) -> None:
    cast.queue.add(make_pod("gated").gate("wait").pod_info())
    node_added(cast)
    (queued,) = cast.queue.unschedulable()
    assert (queued.queue, queued.attempts, queued.gating_plugin) == ("gated", 0, GATES)
    assert queued.message == "waiting for a gate"
    assert cast.queue.pop() is None


def test_gated_pods_are_never_flushed(cast: Cast) -> None:
    cast.queue.add(make_pod("gated").gate("wait").pod_info())
    cast.tick(3600)
    assert cast.queue.pop() is None
    assert cast.queue.next_wakeup() is None


def test_removing_the_last_gate_brings_the_pod_to_active_without_backoff(cast: Cast) -> None:
    gated, free = make_pod("web").gate("wait").pod_info(), make_pod("web").pod_info()
    cast.queue.add(gated)
    cast.queue.update(gated, free)
    queued = cast.pop()
    assert (queued.pod, queued.attempts) == (free, 1)


def test_a_pod_whose_gate_stays_is_not_moved_by_its_update(cast: Cast) -> None:
    gated = make_pod("web").gate("wait").pod_info()
    cast.queue.add(gated)
    cast.queue.update(gated, make_pod("web").gate("wait").labels(app="web").pod_info())
    assert cast.queue.pop() is None


# Updates, deletion, activation


def test_an_update_of_a_pod_in_active_reorders_it(cast: Cast) -> None:
    cast.add("first")
    cast.clock.advance(1)
    second = cast.add("second")
    cast.queue.update(second, make_pod("second").priority(5).pod_info())
    assert cast.pop().pod.name == "second"


def test_an_update_that_changes_nothing_of_interest_does_not_move_a_rejected_pod(cast: Cast) -> None:
    queued = cast.reject()
    new = make_pod("web").status(phase="Pending", message="x").pod_info()
    cast.queue.update(queued.pod, new)
    assert queued.queue == "unschedulablePods"
    assert queued.pod is new


def test_a_pod_of_a_profile_that_is_gone_is_moved_by_its_own_update() -> None:
    cast = Cast()
    pod = make_pod("web").scheduler("gone").pod_info()
    cast.queue.add(pod)
    queued = cast.reject_next()
    cast.queue.update(pod, make_pod("web").scheduler("gone").labels(a="b").pod_info())
    assert queued.queue == "backoffQ"


def test_a_deleted_pod_is_gone_from_wherever_it_waits(cast: Cast) -> None:
    active, rejected = cast.add("active", priority=-1), None
    cast.add("rejected")
    rejected = cast.reject_next().pod
    for pod in (active, rejected):
        cast.queue.delete(pod.uid)
        assert cast.queue.get(pod.uid) is None
    assert len(cast.queue) == 0


def test_an_activated_pod_goes_to_active_whatever_it_waits_for(cast: Cast) -> None:
    queued = cast.reject()
    assert cast.queue.activate(queued.uid)
    assert queued.queue == "activeQ"
    assert cast.queue.drain_moves()[-1].event == "ForceActivate"
    assert not cast.queue.activate("nobody")


def test_a_pod_added_twice_is_there_once(cast: Cast) -> None:
    cast.add("web")
    cast.add("web")
    assert len(cast.queue) == 1


def test_pre_check_leaves_out_pods(cast: Cast) -> None:
    queued = cast.reject()
    cast.queue.move_all_to_active_or_backoff(ASSIGNED_POD_DELETE, None, None, lambda pod: pod.uid != queued.uid)
    assert queued.queue == "unschedulablePods"
    cast.queue.move_all_to_active_or_backoff(ASSIGNED_POD_DELETE, None, None)
    assert queued.queue == "backoffQ"


# Time


def test_a_pod_nothing_moved_for_five_minutes_is_tried_again_at_the_next_check(cast: Cast) -> None:
    cast.clock.set(1005.0)
    queued = cast.reject()
    assert cast.queue.next_wakeup() == 1320.0
    cast.clock.set(1319.0)
    cast.tick()
    assert queued.queue == "unschedulablePods"
    cast.clock.set(1320.0)
    cast.tick()
    assert queued.queue == "activeQ"
    assert cast.queue.drain_moves()[-1].event == "UnschedulableTimeout"


# Storing


def test_another_worker_goes_on_where_the_first_one_stopped(cast: Cast) -> None:
    cast.add("waits", priority=-5)
    rejected = cast.reject("rejected")
    cast.add("broken")
    broken = cast.break_next()
    cast.queue.add(make_pod("gated").gate("wait").pod_info())
    stored = msgspec.json.encode(cast.queue.dump())

    other = Cast()
    other.clock.set(cast.clock.now())
    pods = {queued.uid: queued.pod for queued in (rejected, broken)}
    pods |= {
        pod.uid: pod for pod in (make_pod("waits").priority(-5).pod_info(), make_pod("gated").gate("wait").pod_info())
    }
    other.queue.restore(msgspec.json.decode(stored, type=QueueState), pods)

    assert sorted(map(_comparable, other.queue.dump().pods)) == sorted(map(_comparable, cast.queue.dump().pods))
    node_added(other)
    moved = other.queue.get(rejected.uid)
    assert moved is not None
    assert moved.queue == "backoffQ"


def _comparable(state: object) -> bytes:
    return msgspec.json.encode(state)


def test_a_pod_that_is_gone_is_not_taken_over(cast: Cast) -> None:
    cast.add("web")
    other = Cast()
    other.queue.restore(cast.queue.dump(), {})
    assert len(other.queue) == 0


def test_a_cycle_that_was_cut_off_is_done_again(cast: Cast) -> None:
    pod = cast.add("web")
    cast.pop()
    other = Cast()
    other.queue.restore(cast.queue.dump(), {pod.uid: pod})
    assert other.pop().pod is pod


def test_a_waiting_pod_that_was_taken_over_and_rejected_is_retried(cast: Cast) -> None:
    pod = cast.add("web")
    cast.pop()
    cast.queue.placed(pod.uid, node_name="n1", waiting=True)
    other = Cast()
    other.clock.set(cast.clock.now())
    other.queue.restore(cast.queue.dump(), {pod.uid: pod})
    other.queue.add_unschedulable_if_not_present(pod, [FIT], message="timeout")
    queued = other.queue.get(pod.uid)
    assert queued is not None
    assert (queued.queue, queued.attempts) == ("backoffQ", 1)


def test_changed_pods_are_told_once_and_include_those_that_left(cast: Cast) -> None:
    pod = cast.add("web")
    assert cast.queue.drain_changed() == [pod.uid]
    assert cast.queue.drain_changed() == []
    cast.queue.delete(pod.uid)
    assert cast.queue.drain_changed() == [pod.uid]


def test_a_queue_that_keeps_no_moves_tells_none() -> None:
    cast = Cast(keep_moves=False)
    cast.add("web")
    assert cast.queue.drain_moves() == []


def test_every_pod_is_in_one_place_whatever_happens() -> None:
    chance, cast = random.Random(3), Cast()
    flights = []
    for number in range(2000):
        action = chance.randrange(8)
        if action <= 1:
            cast.add(f"web-{number}", chance.choice([0, 10]))
        elif action == 2 and (queued := cast.queue.pop()):
            flights.append(queued.pod)
        elif action in (3, 4) and flights:
            pod = flights.pop()
            cast.queue.add_unschedulable_if_not_present(pod, chance.choice([[FIT], [CLAIMS], []]), message="no")
        elif action == 5:
            node_added(cast)
        elif action == 6:
            cast.tick(chance.choice([0.3, 1.0, 400.0]))
        else:
            everywhere = cast.queue.dump().pods
            if everywhere:
                cast.queue.delete(chance.choice(everywhere).pod.uid)
        uids = [state.pod.uid for state in cast.queue.dump().pods]
        assert len(uids) == len(set(uids))
        assert all(cast.queue.get(state.pod.uid).queue == state.queue for state in cast.queue.dump().pods[:5])  # type: ignore[union-attr]
