"""What the plugin remembers of groups from cycle to cycle.

All of it may be lost: another worker checks the resources of a group once more,
tries a group before its backoff is over, and sorts it by its creation. What
counts, who waits at Permit and until when, is not kept here.
"""

from __future__ import annotations

from collections.abc import Callable


class ExpiringNames:
    """Names that are forgotten when their time is over."""

    def __init__(self, now: Callable[[], float]) -> None:
        # Cluster time.
        self._now = now
        # name -> when it is forgotten
        self._until: dict[str, float] = {}

    def __contains__(self, name: str) -> bool:
        return self._until.get(name, float("-inf")) > self._now()

    def add(self, name: str, seconds: float) -> None:
        """A name that is there keeps the time it has."""
        now = self._now()
        self._until = {each: until for each, until in self._until.items() if until > now}
        self._until.setdefault(name, now + seconds)

    def discard(self, name: str) -> None:
        self._until.pop(name, None)


class GroupMemory:
    """By "namespace/name" of the group."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        # Groups whose minResources the cluster had.
        self.permitted = ExpiringNames(now)
        # Groups that were rejected lately.
        self.backed_off = ExpiringNames(now)
        # group -> cluster time of its last rejection; it sorts behind the groups that came until then.
        self.failed_at: dict[str, float] = {}

    def mark_failure(self, group: str) -> None:
        self.permitted.discard(group)
        self.failed_at[group] = self._now()

    def clear_failure(self, group: str) -> bool:
        """Whether there was one."""
        return self.failed_at.pop(group, None) is not None

    def forget_failures(self, is_gone: Callable[[str], bool]) -> None:
        """Of groups that are no more."""
        for group in [each for each in self.failed_at if is_gone(each)]:
            del self.failed_at[group]
