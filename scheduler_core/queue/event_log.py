"""Who an event woke and who it did not, and why: told in a few lines however many pods wait."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice

from scheduler_core.queue.queued_pod import QueuedPod
from scheduler_core.queue.queueing_hints import Occurrence, Weighed, Worth
from scheduler_core.report import ClusterEventReport, SkippedPods, WokenPod

# Pods named of those that woke, and of those that one reason kept waiting; reasons told.
MOST_WOKEN, MOST_SKIPPED, MOST_REASONS = 100, 20, 20


class EventLog:
    """Reports of events, until they are drained."""

    def __init__(self, *, keep: bool) -> None:
        self._keep = keep
        self._reports: list[ClusterEventReport] = []

    def begin(self, occurrence: Occurrence, at: float, *, waiting: int, concerned: int) -> EventEntry:
        entry = EventEntry(occurrence, at, waiting, concerned)
        if self._keep:
            self._reports.append(entry.report)
        return entry

    def drain(self) -> list[ClusterEventReport]:
        reports, self._reports = self._reports, []
        return reports


class EventEntry:
    """What is being written of one event."""

    __slots__ = ("_by_reason", "report")

    def __init__(self, occurrence: Occurrence, at: float, waiting: int, concerned: int) -> None:
        # By (plugin, reason).
        self._by_reason: dict[tuple[str, str], SkippedPods] = {}
        self.report = ClusterEventReport(
            event=occurrence.label,
            object=occurrence.object,
            at=at,
            waiting=waiting,
            concerned=concerned,
            woken=[],
            woken_count=0,
            skipped=[],
        )

    def woke(self, queued: QueuedPod, worth: Worth) -> None:
        """It was moved just now."""
        self.report.woken_count += 1
        if len(self.report.woken) < MOST_WOKEN:
            woken = WokenPod(pod=queued.ref, target=queued.queue, plugin=worth.plugin, hint=worth.reason)
            self.report.woken.append(woken)

    def skipped(self, pods: Collection[QueuedPod], weighed: Weighed) -> None:
        """All plugins that were asked said no; the first one's words stand for all."""
        if not weighed.skips:
            return
        _, plugin, reason = weighed.skips[0]
        entry = self._by_reason.get((plugin, reason))
        if entry is None:
            if len(self._by_reason) >= MOST_REASONS:
                self.report.skipped_otherwise += len(pods)
                return
            entry = self._by_reason[plugin, reason] = SkippedPods(plugin=plugin, reason=reason, count=0, pods=[])
            self.report.skipped.append(entry)
        entry.count += len(pods)
        _name_some(entry, pods)


def _name_some(entry: SkippedPods, pods: Iterable[QueuedPod]) -> None:
    room = MOST_SKIPPED - len(entry.pods)
    entry.pods += [queued.ref for queued in islice(pods, room)]
