"""Garbage is looked for less often, and found nevertheless."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from playground.common.garbage import YOUNG, collect_less_often


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


class Knot:
    def __init__(self) -> None:
        self.itself = self


def test_what_is_there_at_the_start_is_not_looked_at_any_more() -> None:
    collect_less_often()
    assert gc.get_freeze_count() > 0
    assert gc.get_threshold()[0] == YOUNG


def test_a_cycle_made_later_is_found() -> None:
    collect_less_often()
    knot = Knot()
    gone = weakref.ref(knot)
    del knot
    made: list[list[int]] = [[] for _ in range(2 * YOUNG)]
    assert gone() is None, f"not collected after {len(made)} new containers"
