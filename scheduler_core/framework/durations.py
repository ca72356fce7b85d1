"""Durations as Go prints them: `1m0s`, `1.5s`, `250ms`."""

from __future__ import annotations


def go_duration(seconds: float) -> str:
    nanos = round(seconds * 1e9)
    if nanos == 0:
        return "0s"
    sign, nanos = ("-", -nanos) if nanos < 0 else ("", nanos)
    if nanos < 10**9:
        return sign + _small(nanos)
    minutes, rest = divmod(nanos, 60 * 10**9)
    hours, minutes = divmod(minutes, 60)
    text = f"{_fraction(rest, 10**9)}s"
    if hours:
        return f"{sign}{hours}h{minutes}m{text}"
    return f"{sign}{minutes}m{text}" if minutes else sign + text


def _small(nanos: int) -> str:
    for unit, size in (("ms", 10**6), ("µs", 10**3)):
        if nanos >= size:
            return _fraction(nanos, size) + unit
    return f"{nanos}ns"


def _fraction(amount: int, unit: int) -> str:
    whole, rest = divmod(amount, unit)
    digits = str(rest).rjust(len(str(unit)) - 1, "0").rstrip("0")
    return f"{whole}.{digits}" if digits else str(whole)
