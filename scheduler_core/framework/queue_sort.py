"""Gives the queue its order, which a QueueSort plugin says.

There is one queue and one order for all profiles: a plugin of somebody's own
that breaks over one pod must not stop everybody. Such a pod goes last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scheduler_core.framework.runtime import Framework
from scheduler_core.objects.pod_info import PodInfo

SortKey = Callable[[PodInfo, float, float], tuple[Any, ...]]


def queue_order(framework: Framework) -> SortKey:
    """The key by which activeQ is sorted: the smallest first."""
    name, plugin = framework.queue_sort[0]
    return _guarded(plugin.sort_key) if name in framework.checked else plugin.sort_key


def _guarded(sort_key: SortKey) -> SortKey:
    def key(pod: PodInfo, enqueued_at: float, first_active_at: float) -> tuple[Any, ...]:
        # The first number keeps keys of both sorts from ever being compared any further.
        try:
            return (0, *sort_key(pod, enqueued_at, first_active_at))
        except Exception:  # noqa: BLE001 a broken plugin must not stop the queue
            return (1, -pod.priority, enqueued_at)

    return key
