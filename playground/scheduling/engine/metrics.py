"""What a scheduler counts, under kube-scheduler's own names.

The session counts in memory and its slice stores the counts with everything
else, in the same fenced transaction. So there is one writer at a time, nothing
is counted twice by a worker that died, and any web process can tell the totals.

Attempts and plugins are timed by the wall, since that is what they cost. How
long pods take from their first attempt until they are bound, and binding
itself, is cluster time, which is what the cluster's clock makes of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from scheduler_core.report import CycleReport, QueueMove

ATTEMPTS = "scheduler_schedule_attempts_total"
ATTEMPT_DURATION = "scheduler_scheduling_attempt_duration_seconds"
ALGORITHM_DURATION = "scheduler_scheduling_algorithm_duration_seconds"
SLI_DURATION = "scheduler_pod_scheduling_sli_duration_seconds"
POD_ATTEMPTS = "scheduler_pod_scheduling_attempts"
INCOMING_PODS = "scheduler_queue_incoming_pods_total"
PLUGIN_DURATION = "scheduler_plugin_execution_duration_seconds"
POINT_DURATION = "scheduler_framework_extension_point_duration_seconds"
PREEMPTION_ATTEMPTS = "scheduler_preemption_attempts_total"


def _exponential(first: float, factor: float, count: int) -> tuple[float, ...]:
    return tuple(float(f"{first * factor**i:.6g}") for i in range(count))


# Upper bounds, as kube-scheduler's.
BUCKETS: dict[str, tuple[float, ...]] = {
    ATTEMPT_DURATION: _exponential(0.001, 2, 15),
    ALGORITHM_DURATION: _exponential(0.001, 2, 15),
    SLI_DURATION: _exponential(0.01, 2, 20),
    POD_ATTEMPTS: _exponential(1, 2, 5),
    PLUGIN_DURATION: _exponential(0.00001, 1.5, 20),
    POINT_DURATION: _exponential(0.0001, 2, 12),
}
_RESULTS = {"scheduled": "scheduled", "waiting": "scheduled", "unschedulable": "unschedulable", "error": "error"}
# kube-scheduler's words for the queues that it counts arrivals of.
_QUEUES = {"activeQ": "active", "backoffQ": "backoff", "unschedulablePods": "unschedulable", "gated": "gated"}
# Each plugin is timed in the first of so many cycles, as kube-scheduler samples them: they are many and much alike.
_PLUGIN_SAMPLE = 10
# Attempts beyond this many are one label.
_MOST_ATTEMPTS = 15


class Histogram(msgspec.Struct, kw_only=True):
    # Observations by bucket, the last one without a bound; not cumulated.
    buckets: list[int]
    sum: float = 0.0


class Counts(msgspec.Struct, kw_only=True):
    """By name, then by labels as they are written: `event="NodeAdd",queue="active"`."""

    counters: dict[str, dict[str, float]] = {}
    histograms: dict[str, dict[str, Histogram]] = {}

    def add(self, name: str, labels: str, amount: float = 1.0) -> None:
        series = self.counters.setdefault(name, {})
        series[labels] = series.get(labels, 0.0) + amount

    def observe(self, name: str, labels: str, value: float) -> None:
        series = self.histograms.setdefault(name, {})
        histogram = series.get(labels)
        if histogram is None:
            histogram = series[labels] = Histogram(buckets=[0] * (len(BUCKETS[name]) + 1))
        histogram.buckets[bisect_left(BUCKETS[name], value)] += 1
        histogram.sum += value


def count_slice(counts: Counts, reports: Sequence[CycleReport], moves: Sequence[QueueMove]) -> None:
    """Add what one slice did."""
    for report in reports:
        _count_attempt(counts, report)
    _count_arrivals(counts, moves)


def count_binding(counts: Counts, *, profile: str, seconds: float, bound: bool) -> None:
    """A binding cycle ended so long (cluster time) after the decision."""
    status = "Success" if bound else "Error"
    counts.observe(POINT_DURATION, _labels(extension_point="Bind", profile=profile, status=status), seconds)


def count_bound(counts: Counts, *, attempts: int, seconds: float) -> None:
    """A pod got its node so long (cluster time) after its first attempt began."""
    word = str(attempts) if attempts <= _MOST_ATTEMPTS else f"{_MOST_ATTEMPTS}+"
    counts.observe(SLI_DURATION, _labels(attempts=word), seconds)
    counts.observe(POD_ATTEMPTS, "", attempts)


def _count_attempt(counts: Counts, report: CycleReport) -> None:
    result = _RESULTS.get(report.outcome)
    if result is None:
        return
    profile = report.scheduler_name
    labels = _labels(profile=profile, result=result)
    counts.add(ATTEMPTS, labels)
    counts.observe(ATTEMPT_DURATION, labels, report.duration_us / 1e6)
    if report.preemption is not None:
        counts.add(PREEMPTION_ATTEMPTS, "")
    algorithm = 0.0
    sampled = report.sequence % _PLUGIN_SAMPLE == 1
    for point in report.points:
        word = _point_word(point.point)
        total = sum(run.duration_us for run in point.plugins) / 1e6
        algorithm += total if point.point in ("preFilter", "filter", "preScore", "score") else 0.0
        failed = [run.status.code for run in point.plugins if run.status.code not in ("Success", "Skip")]
        status = failed[0] if failed else "Success"
        counts.observe(POINT_DURATION, _labels(extension_point=word, profile=profile, status=status), total)
        for run in point.plugins if sampled else ():
            of_plugin = _labels(extension_point=word, plugin=run.name, status=run.status.code)
            counts.observe(PLUGIN_DURATION, of_plugin, run.duration_us / 1e6)
    counts.observe(ALGORITHM_DURATION, "", algorithm)


def _count_arrivals(counts: Counts, moves: Iterable[QueueMove]) -> None:
    for move in moves:
        queue = _QUEUES.get(move.target)
        if queue is not None:
            counts.add(INCOMING_PODS, _labels(event=move.event, queue=queue))


def _point_word(point: str) -> str:
    """preFilter -> PreFilter"""
    return point[:1].upper() + point[1:]


@lru_cache(maxsize=4096)
def _labels(**labels: str) -> str:
    return ",".join(f'{name}="{escaped(value)}"' for name, value in labels.items())


def escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
