from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.objects.quantity import MAX_AMOUNT, NANO, milli_value, parse_quantity, quantity, value

# (text, whole units rounded up, thousandths rounded up)
AMOUNTS = [
    ("0", 0, 0),
    ("100m", 1, 100),
    ("1.5", 2, 1500),
    ("+2", 2, 2000),
    ("-2", -2, -2000),
    (".5", 1, 500),
    ("5.", 5, 5000),
    ("1Ki", 1024, 1024_000),
    ("1.5Gi", 1610612736, 1610612736_000),
    ("1k", 1000, 1_000_000),
    ("1M", 10**6, 10**9),
    ("2E", 2 * 10**18, 2 * 10**21),
    ("1e3", 1000, 1_000_000),
    ("1E3", 1000, 1_000_000),
    ("1e-3", 1, 1),
    ("1u", 1, 1),
    ("1n", 1, 1),
    ("0.1n", 1, 1),
    (3, 3, 3000),
    (0.1, 1, 100),
]


@pytest.mark.parametrize(("text", "units", "millis"), AMOUNTS)
def test_a_quantity_is_exact_and_rounds_up(text: str | int | float, units: int, millis: int) -> None:
    assert (value(text), milli_value(text)) == (units, millis)


@pytest.mark.parametrize("text", ["", "1.5.2", "1K", "abc", "1 Gi", "1e", "1e1.5", "--1", "0x10", "1mm", "٣", "1" * 65])
def test_what_is_no_quantity_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="such as 500m, 2, 1.5Gi or 1e3"):
        quantity(text)


def test_an_amount_beyond_64_bits_is_cut() -> None:
    assert quantity("1e30").nano == MAX_AMOUNT
    assert quantity("-9999999999Ei").nano == -MAX_AMOUNT
    assert quantity("1e999999999").nano == MAX_AMOUNT


def test_equal_amounts_are_equal_however_they_are_written() -> None:
    assert quantity("1024Mi") == quantity("1Gi")
    assert quantity("999m") < quantity("1")


@given(st.integers(-(10**15), 10**15))
def test_nano_units_survive(nano: int) -> None:
    assert parse_quantity(f"{nano}n") == Fraction(nano, NANO)
