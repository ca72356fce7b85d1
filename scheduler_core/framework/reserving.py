"""Runs Reserve and Permit for the chosen node, with one stack of what to undo.

Whatever fails after the pod was assumed, here or later in the binding cycle,
is undone the same way: `UndoStack.undo`, last thing first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from scheduler_core.framework.answers import permit_answer, status_answer
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import ExtensionPoint
from scheduler_core.framework.recorder import CycleRecorder
from scheduler_core.framework.runtime import Framework, failed, raised
from scheduler_core.framework.status import SUCCESS, Code, Status
from scheduler_core.objects.pod_info import PodInfo

# Permit waits no longer than this, seconds of cluster time.
MAX_PERMIT_WAIT = 15 * 60.0


class UndoStack:
    """Steps to take back. Undoing twice does nothing the second time."""

    __slots__ = ("_steps",)

    def __init__(self) -> None:
        self._steps: list[Callable[[], None]] = []

    def push(self, step: Callable[[], None]) -> None:
        self._steps.append(step)

    def undo(self) -> None:
        while self._steps:
            self._steps.pop()()


def run_unreserve(framework: Framework, state: CycleState, pod: PodInfo, node_name: str) -> list[Status]:
    """Every plugin gives back what it reserved. What broke: nobody can undo it, but people should hear of it."""
    broken = []
    for name, plugin in reversed(framework.reserve):
        try:
            plugin.unreserve(state, pod, node_name)
        except Exception as exception:  # noqa: BLE001 a broken plugin must not keep others from undoing
            broken.append(failed(f'running Unreserve plugin "{name}"', name, raised(name, exception)))
    return broken


def run_reserve(
    framework: Framework, state: CycleState, pod: PodInfo, node_name: str, recorder: CycleRecorder | None
) -> Status:
    if recorder is not None:
        recorder.point(ExtensionPoint.RESERVE)
    for name, plugin in framework.reserve:
        if recorder is not None:
            recorder.start()
        try:
            status = status_answer(plugin.reserve(state, pod, node_name))
        except Exception as exception:  # noqa: BLE001 a broken plugin must not stop the scheduler
            status = raised(name, exception)
        if recorder is not None:
            recorder.ran(name, status)
        if status.is_rejected:
            return status.of(name)
        if not status.is_success:
            return failed(f'running Reserve plugin "{name}"', name, status)
    return SUCCESS


def check_binding_data(state: CycleState) -> Status:
    """What plugins left for the binding cycle is stored and sent: Error for a plugin whose data cannot be."""
    for name, data in state.binding_data.items():
        try:
            msgspec.json.encode({name: data})
        except Exception as exception:  # noqa: BLE001 whatever a plugin left there
            status = raised(str(name), exception)
            return failed(f'binding data of plugin "{name}" must be JSON', str(name), status)
    return SUCCESS


class PermitOutcome(NamedTuple):
    # Success, Wait, a rejection or an Error.
    status: Status
    # Plugin -> seconds it may keep the pod waiting.
    waits: dict[str, float]


def run_permit(
    framework: Framework, state: CycleState, pod: PodInfo, node_name: str, recorder: CycleRecorder | None
) -> PermitOutcome:
    if recorder is not None and framework.permit:
        recorder.point(ExtensionPoint.PERMIT)
    waits: dict[str, float] = {}
    for name, plugin in framework.permit:
        if recorder is not None:
            recorder.start()
        timeout = 0.0
        try:
            status, timeout = permit_answer(plugin.permit(state, pod, node_name))
        except Exception as exception:  # noqa: BLE001 a broken plugin must not stop the scheduler
            status = raised(name, exception)
        if recorder is not None:
            recorder.ran(name, status)
        if status.is_wait:
            waits[name] = min(timeout, MAX_PERMIT_WAIT)
        elif status.is_rejected:
            return PermitOutcome(status.of(name), {})
        elif not status.is_success:
            return PermitOutcome(failed(f'running Permit plugin "{name}"', name, status), {})
    return PermitOutcome(_waiting(pod) if waits else SUCCESS, waits)


def _waiting(pod: PodInfo) -> Status:
    text = f'one or more plugins asked to wait and no plugin rejected pod "{pod.name}"'
    return Status(Code.WAIT, (text,))
