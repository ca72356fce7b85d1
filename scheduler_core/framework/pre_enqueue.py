"""Runs PreEnqueue for the queue, which knows no plugins: only questions it may ask about a pod."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from scheduler_core.framework.answers import status_answer
from scheduler_core.framework.interface import PreEnqueuePlugin
from scheduler_core.framework.runtime import Framework, failed, raised
from scheduler_core.framework.status import Status
from scheduler_core.objects.pod_info import PodInfo


def pre_enqueue_checks(framework: Framework) -> Sequence[tuple[str, Callable[[PodInfo], Status]]]:
    """Plugin and question, in the profile's order. A plugin that breaks keeps the pod gated, with the reason."""
    return [(name, partial(_ask, name, plugin)) for name, plugin in framework.pre_enqueue]


def _ask(name: str, plugin: PreEnqueuePlugin, pod: PodInfo) -> Status:
    try:
        return status_answer(plugin.pre_enqueue(pod))
    except Exception as exception:  # noqa: BLE001 a broken plugin must not stop the queue
        return failed(f'running PreEnqueue plugin "{name}"', name, raised(name, exception))
