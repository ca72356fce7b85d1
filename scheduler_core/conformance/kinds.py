"""The kinds of conformance files, told apart by what their cases contain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from scheduler_core.conformance import config, decisions, hints, timelines
from scheduler_core.conformance.mismatch import Mismatch

Case = Mapping[str, Any]


class Kind(NamedTuple):
    name: str
    # Keys that every case of the kind has.
    keys: frozenset[str]
    run_case: Callable[[Case], list[Mismatch]]


KINDS = (
    Kind("decisions", frozenset({"objects", "pods", "expect"}), decisions.run_case),
    Kind("hints", frozenset({"plugin", "pod", "event", "action", "expect"}), hints.run_case),
    Kind("timelines", frozenset({"objects", "steps", "sample", "until", "expect"}), timelines.run_case),
    Kind("configurations", frozenset({"yaml", "expect"}), config.run_case),
    # One table, with a key for each plugin.
    Kind("registered events", frozenset({"NodeResourcesFit", "SchedulingGates"}), hints.run_registered_events),
)


class UnknownKindError(ValueError):
    """No kind has cases like these."""


def kind_of(case: Case) -> Kind:
    for kind in KINDS:
        if kind.keys <= case.keys():
            return kind
    known = "; ".join(f"{kind.name} has {', '.join(sorted(kind.keys))}" for kind in KINDS)
    raise UnknownKindError(f"a case with the keys {', '.join(sorted(case))} is of no known kind ({known})")
