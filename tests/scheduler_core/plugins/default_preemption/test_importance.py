"""Who may be a victim, and who is worth more."""

from __future__ import annotations

import math

from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.default_preemption.importance import by_importance, potential_victims, start_time
from scheduler_core.testing import make_pod


def pod(name: str, priority: int = 0, start: str | None = None) -> PodInfo:
    return make_pod(name).priority(priority).status(**({"startTime": start} if start else {})).pod_info()


def test_only_pods_of_lower_priority_may_go() -> None:
    pods = [pod("low", 1), pod("same", 5), pod("high", 9)]
    assert [each.name for each in potential_victims(pods, pod("preemptor", 5))] == ["low"]


def test_higher_priority_counts_more_then_running_longer() -> None:
    pods = [
        pod("young", 1, "2026-01-01T00:01:00Z"),
        pod("old", 1, "2026-01-01T00:00:00Z"),
        pod("high", 2, "2026-01-01T00:02:00Z"),
    ]
    assert [each.name for each in by_importance(pods)] == ["high", "old", "young"]


def test_of_pods_that_have_not_started_the_last_one_counts_more() -> None:
    pods = [pod("a"), pod("b"), pod("started", 0, "2026-01-01T00:00:00Z"), pod("c")]
    assert [each.name for each in by_importance(pods)] == ["started", "c", "b", "a"]


def test_a_pod_that_has_not_started_is_the_youngest() -> None:
    assert start_time(pod("a")) == math.inf
