"""Runs PostFilter: nobody fits, who can make room?

The first plugin that succeeds ends it. Otherwise the words of all of them are
joined for the FailedScheduling text.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from scheduler_core.framework.answers import post_filter_answer
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.diagnosis import Diagnosis
from scheduler_core.framework.interface import ExtensionPoint, PostFilterResult
from scheduler_core.framework.recorder import CycleRecorder
from scheduler_core.framework.runtime import Framework, raised
from scheduler_core.framework.status import Code, Status
from scheduler_core.objects.pod_info import PodInfo


class PostFilterOutcome(NamedTuple):
    status: Status
    # None: leave nominatedNodeName as it is; "": clear it.
    nominated_node_name: str | None
    # Of the plugins that have one: a PreemptionReport, a ClaimDeallocation.
    details: tuple[Any, ...]


def run_post_filter(
    framework: Framework, state: CycleState, pod: PodInfo, diagnosis: Diagnosis, recorder: CycleRecorder | None
) -> PostFilterOutcome:
    if recorder is not None:
        recorder.point(ExtensionPoint.POST_FILTER)
    reasons: list[str] = []
    nominated: str | None = None
    details: tuple[Any, ...] = ()
    first_rejecting = ""
    for name, plugin in framework.post_filter:
        if recorder is not None:
            recorder.start()
        try:
            result = post_filter_answer(plugin.post_filter(state, pod, diagnosis))
        except Exception as exception:  # noqa: BLE001 a broken plugin must not stop the scheduler
            result = PostFilterResult(raised(name, exception))
        status = result.status.of(name)
        if recorder is not None:
            recorder.ran(name, status)
        if result.detail is not None:
            details = (*details, result.detail)
        if status.code in (Code.SUCCESS, Code.UNSCHEDULABLE_AND_UNRESOLVABLE):
            return PostFilterOutcome(status, result.nominated_node_name, details)
        if not status.is_rejected:
            return PostFilterOutcome(status, None, details)
        if result.nominated_node_name is not None:
            nominated = result.nominated_node_name
        reasons.extend(status.reasons)
        first_rejecting = first_rejecting or name
    return PostFilterOutcome(Status(Code.UNSCHEDULABLE, tuple(reasons), first_rejecting), nominated, details)
