"""What an event means for pods that wait: who is worth another attempt, and what is told of the others.

Groups of pods that hints treat alike are asked once (`hint_groups`). Whom an
event woke and whom not is told in a few lines (`event_log`); what did not wake a
pod is counted with the pod, or with its group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from scheduler_core.queue.event_log import EventEntry, EventLog
from scheduler_core.queue.hint_groups import HintGroup
from scheduler_core.queue.queued_pod import QueuedPod, count_skips
from scheduler_core.queue.queueing_hints import Occurrence, QueueingHints, Strategy, Weighed, Worth
from scheduler_core.queue.unschedulable_pods import UnschedulablePods
from scheduler_core.report import ClusterEventReport

if TYPE_CHECKING:
    from scheduler_core.objects.pod_info import PodInfo

# Whether the event can matter to a pod at all.
PreCheck = Callable[["PodInfo"], bool]
Woken = tuple[QueuedPod, Worth]


class Weighing:
    """Of one queue. Moves no pod."""

    def __init__(self, hints: QueueingHints, waiting: UnschedulablePods, *, keep_events: bool) -> None:
        self._hints = hints
        self._waiting = waiting
        self._log = EventLog(keep=keep_events)
        # Uids of pods whose skips were counted, nothing else changed.
        self._counted: dict[str, None] = {}

    def drain_events(self) -> list[ClusterEventReport]:
        return self._log.drain()

    def drain_counted(self, most: int) -> list[str]:
        counted = list(islice(self._counted, most))
        for uid in counted:
            del self._counted[uid]
        return counted

    def weigh(self, queued: QueuedPod, occurrence: Occurrence, now: float) -> Worth:
        """For one pod."""
        return self._weighed(queued, occurrence, now).worth

    def wake(
        self,
        occurrence: Occurrence,
        now: float,
        pre_check: PreCheck | None,
        requeue: Callable[[QueuedPod, Worth], object],
    ) -> None:
        """For all that wait: `requeue` those for whom it is worth it, oldest first; count it for the others."""
        groups = self._waiting.groups_held_by(self._hints.plugins_interested_in(occurrence.event))
        if not groups and occurrence.event.resource == "Pod":
            return
        concerned = sum(len(group.pods) for group in groups)
        entry = self._log.begin(occurrence, now, waiting=len(self._waiting), concerned=concerned)
        woken = self._woken(groups, occurrence, entry, now, pre_check)
        for queued, worth in sorted(woken, key=lambda pair: (pair[0].timestamp, pair[0].arrival)):
            requeue(queued, worth)
            entry.woke(queued, worth)

    def _woken(
        self,
        groups: Sequence[HintGroup],
        occurrence: Occurrence,
        entry: EventEntry,
        now: float,
        pre_check: PreCheck | None,
    ) -> Iterator[Woken]:
        alike = occurrence.weighed is not None and pre_check is None
        for group in groups:
            if alike:
                yield from self._of_group(group, occurrence, entry, now)
            else:
                yield from self._of_each(group, occurrence, entry, now, pre_check)

    def _of_group(self, group: HintGroup, occurrence: Occurrence, entry: EventEntry, now: float) -> Iterator[Woken]:
        weighed = self._hints.weigh(next(iter(group.pods.values())), occurrence)
        if weighed.skips:
            group.count(weighed.skips, occurrence.object, now)
            self._counted.update(dict.fromkeys(group.pods))
        if weighed.worth.strategy is not Strategy.SKIP:
            return ((queued, weighed.worth) for queued in group.pods.values())
        entry.skipped(group.pods.values(), weighed)
        return iter(())

    def _of_each(
        self, group: HintGroup, occurrence: Occurrence, entry: EventEntry, now: float, pre_check: PreCheck | None
    ) -> Iterator[Woken]:
        for queued in group.pods.values():
            if pre_check is not None and not pre_check(queued.pod):
                continue
            weighed = self._weighed(queued, occurrence, now)
            if weighed.worth.strategy is Strategy.SKIP:
                entry.skipped((queued,), weighed)
            else:
                yield queued, weighed.worth

    def _weighed(self, queued: QueuedPod, occurrence: Occurrence, now: float) -> Weighed:
        weighed = self._hints.weigh(queued, occurrence)
        if weighed.skips:
            count_skips(queued.skips, weighed.skips, occurrence.object, now)
            self._counted[queued.uid] = None
        return weighed
