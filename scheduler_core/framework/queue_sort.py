"""Gives the queue its order, which a QueueSort plugin says.

There is one queue and one order for all profiles: a plugin of somebody's own
that breaks over one pod, or gives two pods keys that cannot be compared, must
not stop everybody. A pod without a usable key goes last.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
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
            return (0, *map(_comparable, sort_key(pod, enqueued_at, first_active_at)))
        except Exception:  # noqa: BLE001 a broken plugin must not stop the queue
            return (1, -pod.priority, enqueued_at)

    return key


def _comparable(part: Any) -> tuple[int, Any]:
    """One part of a key, so that it can be compared with whatever stands there in another pod's. Raises TypeError."""
    if isinstance(part, Real) and part == part:
        return (0, part)
    if isinstance(part, str):
        return (1, part)
    if isinstance(part, tuple | list):
        return (2, tuple(map(_comparable, part)))
    raise TypeError(f"{part!r} has no place in an order: a key is made of numbers and texts")
