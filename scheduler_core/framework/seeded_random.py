"""The scheduler's only source of chance: numbers that follow from the seed and the cycle.

Each cycle starts its own sequence, so a scheduler that another worker takes
over draws what the first one would have drawn. SplitMix64 is enough for fair
ties and costs no set-up.
"""

from __future__ import annotations

from random import Random

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15


def _mix(state: int) -> int:
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
    return state ^ (state >> 31)


class SeededRandom(Random):
    """A `Random` with 64 bits of state."""

    def __init__(self, seed: int) -> None:
        self._base = _mix(seed & _MASK)
        self._state = self._base
        super().__init__(seed)

    def begin(self, sequence: int) -> None:
        """What is drawn from here on belongs to this cycle."""
        self._state = _mix((self._base + sequence * _GOLDEN) & _MASK)

    def _next(self) -> int:
        self._state = (self._state + _GOLDEN) & _MASK
        return _mix(self._state)

    def random(self) -> float:
        return (self._next() >> 11) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        if k <= 64:
            return self._next() >> (64 - k)
        bits = 0
        for _ in range(0, k, 64):
            bits = (bits << 64) | self._next()
        return bits >> (-k % 64)
