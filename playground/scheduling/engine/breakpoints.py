"""Where a cluster is to be paused: before a pod's cycle, or after a cycle in which something happened.

A session asks `before` ahead of every cycle and `after` when it is finished; the
first breakpoint that says so ends the slice, which is stored together with the
pause. A pod's breakpoint is passed once for each attempt: resuming the clock
lets the cycle run that it stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Literal

import msgspec

from playground.live.messages import BreakpointHit, BreakpointKind
from scheduler_core.queue.queued_pod import QueuedPod
from scheduler_core.report import CycleReport, PluginRun, PodRef, PointReport

# Codes of a plugin that had no objection.
_FINE = ("Success", "Skip")


class Breakpoint(msgspec.Struct, frozen=True, kw_only=True):
    """As it is stored with the scheduler's state."""

    # Its number in its cluster.
    id: int
    on: BreakpointKind
    # Only for such pods; `*` stands for any letters. "": for all.
    namespace: str = ""
    name: str = ""
    # on == "plugin": which one, and at which extension point; "": any.
    plugin: str = ""
    point: str = ""
    when: Literal["rejects", "runs"] = "rejects"
    # How often it was hit.
    hits: int = 0
    # on == "pod": "uid/attempts" of the cycle it stopped last, which is let pass.
    passed: str = ""

    def concerns(self, pod: PodRef) -> bool:
        return fnmatchcase(pod.namespace, self.namespace or "*") and fnmatchcase(pod.name, self.name or "*")


class Breakpoints:
    def __init__(self, stored: Sequence[Breakpoint] = ()) -> None:
        self._before = [each for each in stored if each.on == "pod"]
        self._after = [each for each in stored if each.on != "pod"]

    def __bool__(self) -> bool:
        return bool(self._before or self._after)

    def before(self, queued: QueuedPod | None, at: float) -> BreakpointHit | None:
        """Whether to stop ahead of the pod's cycle."""
        if queued is None:
            return None
        for each in self._before:
            if each.concerns(queued.ref) and each.passed != attempt_key(queued.uid, queued.attempts):
                message = f"{queued.ref.namespace}/{queued.ref.name} is next, attempt {queued.attempts + 1}"
                return BreakpointHit(id=each.id, on="pod", pod=queued.ref, at=at, message=message)
        return None

    def after(self, report: CycleReport) -> BreakpointHit | None:
        """Whether to stop now that the cycle is finished."""
        for each in self._after:
            hit = _hit_by(each, report) if each.concerns(report.pod) else None
            if hit is not None:
                return hit
        return None


def attempt_key(uid: str, attempts: int) -> str:
    return f"{uid}/{attempts}"


def _hit_by(breakpoint_: Breakpoint, report: CycleReport) -> BreakpointHit | None:
    match breakpoint_.on:
        case "failure":
            failed = report.outcome in ("unschedulable", "error")
            return _hit(breakpoint_, report, report.message or report.outcome) if failed else None
        case "preemption":
            chosen = report.preemption is not None and bool(report.preemption.node)
            return _hit(breakpoint_, report, _preempted(report)) if chosen else None
        case _:
            return _hit_by_plugin(breakpoint_, report)


def _preempted(report: CycleReport) -> str:
    assert report.preemption is not None
    victims = [*report.preemption.victims, *report.preemption.waiting_victims]
    names = ", ".join(f"{pod.namespace}/{pod.name}" for pod in victims)
    return f"{report.pod.namespace}/{report.pod.name} makes room on {report.preemption.node}: {names}"


def _hit_by_plugin(breakpoint_: Breakpoint, report: CycleReport) -> BreakpointHit | None:
    for point in report.points:
        if breakpoint_.point not in ("", point.point):
            continue
        for run in point.plugins:
            if breakpoint_.plugin in ("", run.name) and (breakpoint_.when == "runs" or _rejects(run)):
                return _hit(breakpoint_, report, _what(run, point), run.name, point.point)
    return None


def _rejects(run: PluginRun) -> bool:
    return run.rejected > 0 or run.status.code not in _FINE


def _what(run: PluginRun, point: PointReport) -> str:
    if run.rejected:
        return f"{run.name} rejected {run.rejected} node{'s' if run.rejected > 1 else ''} at {point.point}"
    return f"{run.name} at {point.point}: {run.status.code}"


def _hit(
    breakpoint_: Breakpoint, report: CycleReport, message: str, plugin: str = "", point: str = ""
) -> BreakpointHit:
    return BreakpointHit(
        id=breakpoint_.id,
        on=breakpoint_.on,
        pod=report.pod,
        at=report.at,
        sequence=report.sequence,
        plugin=plugin,
        point=point,
        message=message,
    )
