"""Every reason against one node, and what would have to change: for people who ask.

A scheduling cycle stops at the first plugin that rejects a node. Here all of
them are asked, and those that can tell what would help add their remedies.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scheduler_core.framework.filtering import FilterRun
from scheduler_core.framework.interface import FilterPlugin, RemedyPlugin
from scheduler_core.framework.runtime import raised
from scheduler_core.framework.status import SUCCESS, Status
from scheduler_core.report import RejectionReport


def rejection_report(status: Status, remedies: list[str] | None = None) -> RejectionReport:
    return RejectionReport(
        code=status.code.text, plugin=status.plugin, reasons=list(status.reasons), remedies=remedies or []
    )


def explain_row(run: FilterRun, row: int) -> list[RejectionReport]:
    """Every rejection of one node, in the order of the plugins; empty: it fits."""
    return explain_rows(run, [row])[0]


def explain_rows(run: FilterRun, rows: Sequence[int]) -> list[list[RejectionReport]]:
    """The same of many nodes, each plugin asked about all of them at once."""
    found: list[list[RejectionReport]] = [[] for _ in rows]
    for name, plugin in run.framework.filter:
        if name in run.state.skip_filter_plugins:
            continue
        for rejections, row, status in zip(found, rows, _statuses(run, name, plugin, rows), strict=True):
            if not status.is_success:
                rejections.append(rejection_report(status, _remedies(run, plugin, row)))
    return found


def _statuses(run: FilterRun, name: str, plugin: FilterPlugin, rows: Sequence[int]) -> list[Status]:
    try:
        answer = plugin.filter(run.state, run.pod, run.snapshot, np.array(rows, dtype=np.intp))
    except Exception as exception:  # noqa: BLE001 one broken plugin must not hide what the others say
        if len(rows) == 1:
            return [raised(name, exception)]
        # Nor may one node on which it breaks hide what it says of the others.
        return [status for row in rows for status in _statuses(run, name, plugin, [row])]
    if answer.codes is None:
        return [SUCCESS] * len(rows)
    signed = [SUCCESS, *(status.of(name) for status in answer.statuses)]
    return [signed[code] for code in answer.codes.tolist()]


def _remedies(run: FilterRun, plugin: FilterPlugin, row: int) -> list[str]:
    return list(plugin.remedies(run.pod, run.snapshot, row)) if isinstance(plugin, RemedyPlugin) else []
