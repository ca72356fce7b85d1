"""Filter of the extenders, in the terms of a search: names become rows, answers become statuses.

What an extender says of a node stands for the node, even where a plugin spoke
first. A node that it neither passes nor names counts like one that was not
looked at, and so does its status.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.diagnosis import Diagnosis
from scheduler_core.framework.extenders import EXTENDER, ExtenderError, Extenders, Passed
from scheduler_core.framework.filtering import FilterRun, PluginError
from scheduler_core.framework.search import Found
from scheduler_core.framework.status import Code, Status
from scheduler_core.snapshot.snapshot import Snapshot


class Asked(NamedTuple):
    """What is left of a search once the extenders have spoken."""

    found: Found
    # What they said of nodes that this search did not look at: by row, and of nodes nobody knows.
    elsewhere: Mapping[int, Status] = {}
    strangers: tuple[Status, ...] = ()

    def add_to(self, diagnosis: Diagnosis) -> None:
        if self.elsewhere:
            rows = np.concatenate((diagnosis.rows, np.fromiter(self.elsewhere, dtype=np.intp)))
            codes = np.arange(len(self.elsewhere)) + len(diagnosis.statuses)
            diagnosis.set_rejections(
                rows,
                np.concatenate((diagnosis.codes, codes)).astype(np.int16),
                [*diagnosis.statuses, *self.elsewhere.values()],
            )
        diagnosis.strangers += self.strangers


def ask_extenders(extenders: Extenders, run: FilterRun, found: Found, absent: Status) -> Asked:
    """`absent`: the status of nodes that were not looked at. Raises PluginError."""
    snapshot = run.snapshot
    names = list(snapshot.names_of(snapshot.all_rows[found.feasible]))
    passed, said = _recorded(extenders, run, names)
    if passed == names and not said:
        return Asked(found)
    rows = np.array([snapshot.row_of(name) for name in passed], dtype=np.intp)
    known = {record.row: status for name, status in said.items() if (record := snapshot.record_of(name)) is not None}
    strangers = tuple(status for name, status in said.items() if snapshot.record_of(name) is None)
    evaluated = set(snapshot.all_rows[found.evaluated].tolist())
    return Asked(
        found=_narrowed(snapshot, found, rows, known, Status(absent.code, absent.reasons, EXTENDER)),
        elsewhere={row: status for row, status in known.items() if row not in evaluated},
        strangers=strangers,
    )


def _recorded(extenders: Extenders, run: FilterRun, names: list[str]) -> Passed:
    """In the report they are one more plugin that filters. Raises PluginError."""
    recorder = run.recorder if extenders.filters(run.pod) else None
    if recorder is not None:
        recorder.start()
    try:
        passed = extenders.filter(run.pod, run.snapshot, names)
    except ExtenderError as failure:
        status = Status(Code.ERROR, (str(failure),))
        if recorder is not None:
            recorder.ran(EXTENDER, status)
        raise PluginError(status) from None
    if recorder is not None:
        recorder.ran_again(EXTENDER, len(names) - len(passed.names))
    return passed


def ask_extenders_about_one(extenders: Extenders, run: FilterRun, rows: NDArray[np.intp]) -> bool:
    """Of the nominated node: whether all let it pass. Raises PluginError."""
    return bool(ask_extenders(extenders, run, Found(rows, 1, rows, 1, None, []), Status()).found.feasible_count)


def _narrowed(
    snapshot: Snapshot, found: Found, passed: NDArray[np.intp], said: Mapping[int, Status], silent: Status
) -> Found:
    """The search as if the extenders' words had been a plugin's."""
    evaluated = snapshot.all_rows[found.evaluated]
    feasible = snapshot.all_rows[found.feasible]
    codes = np.zeros(len(evaluated), dtype=np.int16) if found.codes is None else found.codes.copy()
    statuses = list(found.statuses)
    known: dict[Status, int] = {}
    asked_about = np.isin(evaluated, feasible) & ~np.isin(evaluated, passed)
    named = np.isin(evaluated, np.fromiter(said, dtype=np.intp, count=len(said))) & ~np.isin(evaluated, passed)
    for place in np.flatnonzero(asked_about | named).tolist():
        status = said.get(int(evaluated[place]), silent)
        if status not in known:
            statuses.append(status)
            known[status] = len(statuses)
        codes[place] = known[status]
    return Found(passed, len(passed), found.evaluated, found.evaluated_count, codes if codes.any() else None, statuses)
