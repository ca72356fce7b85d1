"""Pods that Permit plugins keep waiting: allowed by all of them, rejected by one, or timed out.

A waiting pod is assumed on its node. Plugins find it through their handle and
say `allow` or `reject`; the scheduler then asks for what was decided. Deadlines
are cluster time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scheduler_core.framework.durations import go_duration
from scheduler_core.framework.status import SUCCESS, Status, plain, unschedulable
from scheduler_core.objects.pod_info import PodInfo


class WaitingPod:
    """One of them."""

    __slots__ = ("_deadlines", "node_name", "pod", "since", "status")

    def __init__(self, pod: PodInfo, node_name: str, deadlines: Mapping[str, float], since: float) -> None:
        self.pod = pod
        self.node_name = node_name
        # Cluster time at which it began to wait.
        self.since = since
        # Plugins that have not allowed it yet.
        self._deadlines = dict(deadlines)
        # None while it waits.
        self.status: Status | None = None

    @property
    def deadlines(self) -> dict[str, float]:
        """Of the plugins that have not allowed it yet."""
        return dict(self._deadlines)

    @property
    def deadline(self) -> float:
        """The first plugin to lose patience."""
        return min(self._deadlines.values())

    def allow(self, plugin: str) -> None:
        if self.status is None:
            self._deadlines.pop(plugin, None)
            if not self._deadlines:
                self.status = SUCCESS

    def reject(self, plugin: str, message: str) -> None:
        if self.status is None:
            self.status = unschedulable(plain(str(message))).of(plugin)

    def expire(self, now: float) -> None:
        for plugin, deadline in self._deadlines.items():
            if deadline <= now:
                waited = go_duration(deadline - self.since)
                self.reject(plugin, f"rejected due to timeout after waiting {waited} at plugin {plugin}")


class Decided(NamedTuple):
    waiting: WaitingPod
    status: Status


class WaitingPods:
    """By uid."""

    def __init__(self) -> None:
        self._by_uid: dict[str, WaitingPod] = {}

    def __iter__(self) -> Iterator[WaitingPod]:
        return iter(list(self._by_uid.values()))

    def add(self, waiting: WaitingPod) -> None:
        self._by_uid[waiting.pod.uid] = waiting

    def get(self, uid: str) -> WaitingPod | None:
        return self._by_uid.get(uid)

    def remove(self, uid: str) -> WaitingPod | None:
        return self._by_uid.pop(uid, None)

    @property
    def any_decided(self) -> bool:
        """Whether a plugin allowed or rejected any of them; cheap while nobody waits."""
        return any(waiting.status is not None for waiting in self._by_uid.values())

    def next_deadline(self) -> float | None:
        return min((each.deadline for each in self._by_uid.values() if each.status is None), default=None)

    def take_decided(self, now: float) -> list[Decided]:
        """Pods that need not wait any longer, in the order in which they began to wait."""
        decided = []
        for waiting in self:
            if waiting.status is None:
                waiting.expire(now)
            if waiting.status is not None:
                del self._by_uid[waiting.pod.uid]
                decided.append(Decided(waiting, waiting.status))
        return decided
