"""A clock that stands still until a test moves it."""

from __future__ import annotations

# 2026-01-01T00:00:00Z
START = 1767225600.0


class FakeClock:
    """Cluster time in seconds since the epoch."""

    def __init__(self, start: float = START) -> None:
        self._now = start

    def now(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        self._now += seconds

    def set(self, now: float) -> None:
        self._now = now
