"""Which pods may be victims, and which of them are worth more."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from scheduler_core.objects.pod_info import PodInfo


def potential_victims(pods: Iterable[PodInfo], preemptor: PodInfo) -> list[PodInfo]:
    """Pods the preemptor may evict: those of lower priority."""
    return [pod for pod in pods if pod.priority < preemptor.priority]


def start_time(pod: PodInfo) -> float:
    """A pod that has not started counts as the youngest."""
    return math.inf if pod.started_at is None else pod.started_at


def by_importance(pods: Sequence[PodInfo]) -> list[PodInfo]:
    """Most important first: the higher priority, then the one running longer.

    Of pods that have not started, the one that came to the node last counts more, as in kube-scheduler.
    """
    return [pods[i] for i in sorted(range(len(pods)), key=lambda i: _rank(pods[i], i))]


def _rank(pod: PodInfo, place: int) -> tuple[int, float, int]:
    return -pod.priority, start_time(pod), -place if pod.started_at is None else place
