"""`check_plugin` finds what the scheduler would stumble over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core.framework.events import on
from scheduler_core.framework.interface import PerNodePlugin, Plugin, Verdicts
from scheduler_core.framework.status import SUCCESS, error, unschedulable
from scheduler_core.testing import check_plugin

NO = unschedulable("no")


class Fine(PerNodePlugin):
    name = "Fine"

    def filter_node(self, pod: Any, node: Any) -> Any:
        return SUCCESS if node.free("cpu") >= 0 and node.free("example.com/unheard-of") == 0 else NO

    def score_node(self, pod: Any, node: Any) -> int:
        return min(100, len(node.pods))

    def events_to_register(self) -> Any:
        return (on("Node", "Add", "UpdateNodeLabel"), on("Pod", "Delete"))


def test_a_plugin_without_faults_passes() -> None:
    check_plugin(Fine)


def _one_too_many(self: Any, state: Any, pod: Any, snapshot: Any, rows: Any) -> Any:
    return Verdicts(np.zeros(len(snapshot.all_rows[rows]) + 1, dtype=np.int16), ())


def _the_first_only(self: Any, state: Any, pod: Any, snapshot: Any, rows: Any) -> Any:
    codes = np.ones(len(snapshot.all_rows[rows]), dtype=np.int16)
    codes[:1] = 0
    return Verdicts(codes, (NO,))


def _moody(self: Any, state: Any, pod: Any, snapshot: Any, rows: Any) -> Any:
    self.calls = getattr(self, "calls", 0) + 1
    return np.full(len(snapshot.all_rows[rows]), self.calls, dtype=np.int64)


FAULTS = [
    ("another shape", {"filter": _one_too_many}, "expected (0,), one for each node"),
    ("neighbours that matter", {"filter": _the_first_only}, "depends on which others are asked about"),
    ("an Error as a rejection", {"filter_node": lambda *_: error("broken")}, "has the code Error"),
    ("a rejection without words", {"filter_node": lambda *_: unschedulable()}, "has no reason"),
    ("a score of 101", {"score_node": lambda *_: 101}, "not in 0..100"),
    ("moods", {"score": _moody}, "differently the second time"),
    (
        "an event nobody knows",
        {"score_node": lambda *_: 1, "events_to_register": lambda _: (on("Node", "Moved"),)},
        "Moved",
    ),
    ("nothing at all", {}, "has no method of any extension point"),
    ("no name", {"name": "", "score_node": lambda *_: 1}, "has no name"),
]


@pytest.mark.parametrize(("methods", "told"), [case[1:] for case in FAULTS], ids=[case[0] for case in FAULTS])
def test_finds(methods: dict[str, Any], told: str) -> None:
    base: type[Plugin] = PerNodePlugin if any("_node" in name for name in methods) else Plugin
    faulty = type("Faulty", (base,), {"name": "Faulty", **methods})

    with pytest.raises((AssertionError, TypeError, ValueError)) as found:
        check_plugin(faulty)

    assert told in str(found.value)
