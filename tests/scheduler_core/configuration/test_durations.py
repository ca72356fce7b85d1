"""Go's durations."""

from __future__ import annotations

import pytest

from scheduler_core.configuration.durations import parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0", 0), ("15s", 15), ("1m30s", 90), ("2h", 7200), ("100ms", 0.1), ("1.5h", 5400), ("-10s", -10), ("1us", 1e-6)],
)
def test_a_duration_is_read(text: str, seconds: float) -> None:
    assert parse_duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "s", "10", "1x", "1 s", "s1", "1.2.3s", "9" * 100 + "s"])
def test_a_text_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="invalid duration"):
        parse_duration(text)
