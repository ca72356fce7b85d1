"""Every reason against one node, and what would have to change: for people who ask.

A scheduling cycle stops at the first plugin that rejects a node. Here all of
them are asked, and those that can tell what would help add their remedies.
"""

from __future__ import annotations

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
    found: list[RejectionReport] = []
    for name, plugin in run.framework.filter:
        if name in run.state.skip_filter_plugins:
            continue
        status = _status(run, name, plugin, row)
        if not status.is_success:
            found.append(rejection_report(status, _remedies(run, plugin, row)))
    return found


def _status(run: FilterRun, name: str, plugin: FilterPlugin, row: int) -> Status:
    try:
        answer = plugin.filter(run.state, run.pod, run.snapshot, np.array([row], dtype=np.intp))
    except Exception as exception:  # noqa: BLE001 one broken plugin must not hide what the others say
        return raised(name, exception)
    if answer.codes is None or not answer.codes[0]:
        return SUCCESS
    status: Status = answer.statuses[int(answer.codes[0]) - 1]
    return status.of(name)


def _remedies(run: FilterRun, plugin: FilterPlugin, row: int) -> list[str]:
    return list(plugin.remedies(run.pod, run.snapshot, row)) if isinstance(plugin, RemedyPlugin) else []
