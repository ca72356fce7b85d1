"""Writes down which plugin ran at which point, with what answer, for how long.

A cycle without detail has no recorder at all, so that it pays nothing for it.
Durations come from a stopwatch that is handed in: without one they are 0 and
a report depends on the cluster and the seed alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from scheduler_core.framework.interface import ExtensionPoint
from scheduler_core.framework.status import SUCCESS, Status
from scheduler_core.report import PluginRun, PointReport, StatusReport

# Nanoseconds; only differences count.
Stopwatch = Callable[[], int]


def no_stopwatch() -> int:
    """For runs that must repeat exactly."""
    return 0


@lru_cache(maxsize=4096)
def status_report(status: Status) -> StatusReport:
    return StatusReport(code=status.code.text, plugin=status.plugin, reasons=list(status.reasons))


class CycleRecorder:
    """The points of one cycle, in order."""

    __slots__ = ("_runs", "_started", "_stopwatch", "points")

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._started = 0
        self._runs: list[PluginRun] = []
        self.points: list[PointReport] = []

    def point(self, point: ExtensionPoint) -> None:
        """What follows belongs to this extension point."""
        self._runs = []
        self.points.append(PointReport(point=point.value, plugins=self._runs))

    def start(self) -> None:
        self._started = self._stopwatch()

    def ran(self, plugin: str, status: Status = SUCCESS, rejected: int = 0) -> None:
        """The plugin started last has answered."""
        duration = (self._stopwatch() - self._started) // 1000
        self._runs.append(PluginRun(name=plugin, status=status_report(status), duration_us=duration, rejected=rejected))

    def ran_again(self, plugin: str, rejected: int) -> None:
        """Filter is run for one window of nodes after the other: add to the plugin's entry."""
        duration = (self._stopwatch() - self._started) // 1000
        for run in self._runs:
            if run.name == plugin:
                run.duration_us += duration
                run.rejected += rejected
                return
        self._runs.append(
            PluginRun(name=plugin, status=status_report(SUCCESS), duration_us=duration, rejected=rejected)
        )
