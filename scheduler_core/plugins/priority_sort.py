"""PrioritySort: higher priority first, then who came first."""

from __future__ import annotations

from scheduler_core.framework.interface import Plugin
from scheduler_core.objects.pod_info import PodInfo


class PrioritySort(Plugin):
    """The order of activeQ."""

    name = "PrioritySort"

    def sort_key(self, pod: PodInfo, enqueued_at: float, first_active_at: float) -> tuple[int, float]:
        return -pod.priority, enqueued_at
