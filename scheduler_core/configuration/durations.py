"""Durations as Go writes them: `1m30s`, `100ms`."""

from __future__ import annotations

import re
from fractions import Fraction

_UNITS = {
    "ns": Fraction(1, 10**9),
    "us": Fraction(1, 10**6),
    "µs": Fraction(1, 10**6),
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "m": Fraction(60),
    "h": Fraction(3600),
}
_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)", re.ASCII)
# "2562047h47m16.854775807s" is the longest Go can hold.
_MAX_LENGTH = 64


def parse_duration(text: str) -> float:
    """Seconds. Raises ValueError."""
    body = text.removeprefix("-").removeprefix("+") if len(text) <= _MAX_LENGTH else ""
    if body == "0":
        return 0.0
    parts = _PART.findall(body)
    if not parts or "".join(number + unit for number, unit in parts) != body:
        raise ValueError(f'time: invalid duration "{text}"')
    seconds = float(sum((Fraction(number) * _UNITS[unit] for number, unit in parts), Fraction(0)))
    return -seconds if text.startswith("-") else seconds
