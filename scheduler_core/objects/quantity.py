"""Kubernetes quantities, exactly: `100m`, `1.5Gi`, `1e3`, `-2`.

An amount is kept as a whole number of nano-units, the finest Kubernetes keeps:
anything finer is rounded away from zero, as are the conversions to millis and
to whole units. Amounts beyond 2**63 - 1 units are cut to it. Parsing is
memoised: a cluster has few distinct quantities and many containers.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

NANO = 10**9
MAX_AMOUNT = (2**63 - 1) * NANO
# Two amounts can be added in 64 bits.
MAX_CANONICAL = 2**62
# Enough for any quantity a person means; longer text is refused.
MAX_LENGTH = 64

_PATTERN = re.compile(
    r"(?P<sign>[+-]?)(?P<number>\d+(?:\.\d*)?|\.\d+)(?:(?P<suffix>Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]?)|[eE](?P<exponent>[+-]?\d+))",
    re.ASCII,
)
_BINARY = {suffix: Fraction(1024 ** (power + 1)) for power, suffix in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"))}
_DECIMAL = {"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_SCALE = _BINARY | {suffix: Fraction(10) ** power for suffix, power in _DECIMAL.items()}
# 10**±64 is beyond both ends of what can be represented.
_MAX_EXPONENT = 64


class Quantity:
    """A parsed quantity. Ordered and compared by amount."""

    __slots__ = ("milli_value", "nano", "text", "value")

    def __init__(self, text: str, nano: int) -> None:
        # As it was written.
        self.text = text
        # Nano-units.
        self.nano = nano
        # Rounded up (away from zero) to thousandths and to whole units.
        self.milli_value = divide_up(nano, NANO // 1000)
        self.value = divide_up(nano, NANO)

    def __repr__(self) -> str:
        return f"Quantity({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self.nano == other.nano

    def __hash__(self) -> int:
        return hash(self.nano)

    def __lt__(self, other: Quantity) -> bool:
        return self.nano < other.nano


def canonical(resource: str, nano: int) -> int:
    """Nano-units of a resource as the engine counts it: millicores of cpu, whole units of anything else."""
    amount = divide_up(nano, NANO // 1000 if resource == "cpu" else NANO)
    return max(-MAX_CANONICAL, min(MAX_CANONICAL, amount))


def divide_up(amount: int, by: int) -> int:
    """`amount / by`, rounded away from zero."""
    return -(-amount // by) if amount >= 0 else amount // by


@lru_cache(maxsize=16384)
def quantity(text: str | int | float) -> Quantity:
    """The quantity written as `text`. Raises ValueError with what is expected."""
    written = str(text)
    return Quantity(written, _nano(_fraction(written)))


def parse_quantity(text: str | int | float) -> Fraction:
    """The amount written as `text`."""
    return Fraction(quantity(text).nano, NANO)


def milli_value(text: str | int | float) -> int:
    """Thousandths of a unit, rounded up."""
    return quantity(text).milli_value


def value(text: str | int | float) -> int:
    """Whole units, rounded up."""
    return quantity(text).value


def _fraction(text: str) -> Fraction:
    match = _PATTERN.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if match is None:
        raise ValueError(
            f"{text[:MAX_LENGTH]!r} is not a quantity: expected a number with an optional suffix, "
            "such as 500m, 2, 1.5Gi or 1e3"
        )
    number = Fraction(match["sign"] + match["number"].removesuffix("."))
    if match["exponent"] is None:
        return number * _SCALE[match["suffix"]]
    exponent = max(-_MAX_EXPONENT, min(_MAX_EXPONENT, int(match["exponent"])))
    return number * Fraction(10) ** exponent


def _nano(amount: Fraction) -> int:
    scaled = amount * NANO
    nano = divide_up(scaled.numerator, scaled.denominator)
    return max(-MAX_AMOUNT, min(MAX_AMOUNT, nano))
