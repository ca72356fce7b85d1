"""activeQ: its order, and positions that sort as it does."""

from __future__ import annotations

import random

from scheduler_core.queue.active_queue import ActiveQueue
from scheduler_core.queue.queued_pod import QueuedPod
from scheduler_core.testing import make_pod


def queue() -> ActiveQueue:
    return ActiveQueue(lambda pod, enqueued_at, first_active_at: (-pod.priority, enqueued_at))


def queued(number: int, priority: int = 0, at: float = 0.0) -> QueuedPod:
    return QueuedPod(make_pod(f"pod-{number}").priority(priority).pod_info(), at, number)


def test_higher_priority_comes_first_then_who_waited_longer_then_who_came_first() -> None:
    active = queue()
    for number, (priority, at) in enumerate([(0, 1.0), (5, 3.0), (5, 2.0), (0, 1.0)]):
        active.add(queued(number, priority, at))
    assert [active.pop().pod.name for _ in range(4)] == ["pod-2", "pod-1", "pod-0", "pod-3"]


def test_positions_sort_as_the_queue_does_whatever_comes_and_goes() -> None:
    active, chance = queue(), random.Random(7)
    for number in range(3000):
        active.add(queued(number, chance.choice([0, 0, 0, 1, 100]), at=float(number)))
        if chance.random() < 0.3:
            active.pop()
        if chance.random() < 0.1:
            active.remove(chance.choice(list(active)).uid) if len(active) else None
    ordered = list(active)
    assert [each.position for each in ordered] == sorted({each.position for each in ordered})
    assert [active.key_of(each) for each in ordered] == sorted(active.key_of(each) for each in ordered)


def test_a_gap_that_is_too_small_makes_it_number_all_pods_anew() -> None:
    active = queue()
    active.add(queued(0, priority=100))
    active.add(queued(1, priority=0))
    number = 2
    while not active.renumbered:
        # Each comes right before the one that came before it, into an ever smaller gap.
        active.add(queued(number, priority=50, at=-float(number)))
        number += 1
        assert number < 5000, "positions never ran out"
    assert [each.position for each in active] == [float(i) for i in range(number)]


def test_a_removed_pod_is_gone_and_the_others_keep_their_order() -> None:
    active = queue()
    for number in range(5):
        active.add(queued(number, at=float(number)))
    assert active.remove("uid-default-pod-2") is not None
    assert active.remove("uid-default-pod-2") is None
    assert [each.pod.name for each in active] == ["pod-0", "pod-1", "pod-3", "pod-4"]
