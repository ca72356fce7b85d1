"""Cluster time that moves only when told to."""

from __future__ import annotations


class SimulatedClock:
    """Seconds since the epoch."""

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    def now(self) -> float:
        return self._now

    def advance_to(self, now: float) -> None:
        """Time does not run backwards."""
        self._now = max(self._now, now)
