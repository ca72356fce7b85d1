"""Reading a report: what a plugin said, node by node."""

from __future__ import annotations

from scheduler_core.report import CycleReport


def score_of(report: CycleReport, plugin: str, part: str = "weighted") -> dict[str, int]:
    """Node -> score of one plugin: `raw`, `normalized` or `weighted`. Empty: it did not score."""
    assert report.score is not None, "only one node was feasible, nothing was scored"
    for column in report.score.plugins:
        if column.plugin == plugin:
            return dict(zip(report.score.nodes, map(int, getattr(column, part)), strict=True))
    return {}


def feasible(report: CycleReport) -> set[str]:
    """The nodes that passed Filter."""
    assert report.filter is not None
    return {node for node, status in zip(report.filter.nodes, report.filter.status, strict=True) if status < 0}


def rejections(report: CycleReport) -> dict[str, tuple[str, str, list[str]]]:
    """Node -> (plugin, code, reasons) of the first rejection."""
    assert report.filter is not None
    found = report.filter
    return {
        node: (found.statuses[status].plugin, found.statuses[status].code, list(found.statuses[status].reasons))
        for node, status in zip(found.nodes, found.status, strict=True)
        if status >= 0
    }


def reasons(report: CycleReport) -> dict[str, list[str]]:
    """Node -> reasons of the first rejection."""
    return {node: rejected[2] for node, rejected in rejections(report).items()}
