"""Pods that wait for the same: every hint of an event about nodes or placed pods answers alike for all of them.

With 20,000 pods waiting, a new node must not cost 20,000 questions, nor 20,000
notes that the answer was no. So waiting pods are filed by their hint class; a
group is asked once and keeps one count of what did not wake it. A pod that joins
later remembers how far the counts were by then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scheduler_core.queue.queued_pod import QueuedPod, Skip, SkipTally, count_skips


class GroupKey(NamedTuple):
    """Pods of one key are filed together."""

    hint_class: tuple[str, bytes, tuple[str, ...], tuple[str, ...]]
    # A gated pod hears of nothing but the event of the plugin that holds it.
    gating_plugin: str


class HintGroup:
    """Its pods, oldest first, and the skips counted for all of them since it was made."""

    __slots__ = ("_baselines", "pods", "skips")

    def __init__(self) -> None:
        self.pods: dict[str, QueuedPod] = {}
        self.skips: dict[Skip, SkipTally] = {}
        # uid -> counts when the pod joined, where there were any.
        self._baselines: dict[str, Mapping[Skip, SkipTally]] = {}

    def join(self, queued: QueuedPod) -> None:
        self.pods[queued.uid] = queued
        if self.skips:
            self._baselines[queued.uid] = dict(self.skips)

    def leave(self, uid: str) -> None:
        """The pod takes along what was counted for it."""
        queued = self.pods.pop(uid)
        queued.skips = self.skips_of(queued)
        self._baselines.pop(uid, None)

    def skips_of(self, queued: QueuedPod) -> dict[Skip, SkipTally]:
        """Its own and those of the group since it joined."""
        if not self.skips:
            return queued.skips
        before = self._baselines.get(queued.uid, {})
        merged = dict(queued.skips)
        for skip, tally in self.skips.items():
            count = tally.times - (before[skip].times if skip in before else 0)
            if count:
                own = merged[skip].times if skip in merged else 0
                merged[skip] = SkipTally(own + count, tally.object, tally.at)
        return merged

    def count(self, skips: Iterable[Skip], subject: str, at: float) -> None:
        """An event did not wake them."""
        self.skips = count_skips(self.skips, skips, subject, at)
