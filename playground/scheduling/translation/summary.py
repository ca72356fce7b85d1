"""A whole cycle report cut down to what is streamed for every pod."""

from __future__ import annotations

from collections import Counter

import numpy as np

from scheduler_core.report import CycleReport, DecisionSummary, FilterReport, ReasonCount, ScoreReport, TopNode

TOP_NODES = 5


def summarize(report: CycleReport, scheduler: str) -> DecisionSummary:
    """`scheduler`: the name of the deployed scheduler whose cycle it was."""
    filtered, scored = report.filter, report.score
    return DecisionSummary(
        sequence=report.sequence,
        pod=report.pod,
        attempt=report.attempt,
        at=report.at,
        outcome=report.outcome,
        scheduler=scheduler,
        scheduler_name=report.scheduler_name,
        node=report.node,
        message=report.message,
        total_nodes=filtered.total_nodes if filtered else 0,
        evaluated=filtered.evaluated if filtered else 0,
        feasible=_feasible(filtered),
        rejected=_rejections(filtered),
        top=_top_nodes(scored),
        tied=len(scored.best) if scored else int(bool(report.node)),
        nominated_node_name=report.nominated_node_name,
        victims=list(report.preemption.victims) if report.preemption else [],
        duration_us=report.duration_us,
    )


def _feasible(filtered: FilterReport | None) -> int:
    return int(np.count_nonzero(np.asarray(filtered.status) < 0)) if filtered else 0


def _rejections(filtered: FilterReport | None) -> list[ReasonCount]:
    """Each reason counted by itself, as a FitError counts them; the commonest first."""
    if filtered is None or not filtered.statuses:
        return []
    status = np.asarray(filtered.status)
    nodes_by_status = np.bincount(status[status >= 0], minlength=len(filtered.statuses))
    counts: Counter[tuple[str, str]] = Counter()
    for rejection, nodes in zip(filtered.statuses, nodes_by_status.tolist(), strict=True):
        for reason in rejection.reasons if nodes else ():
            counts[rejection.plugin, reason] += nodes
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [ReasonCount(plugin=plugin, reason=reason, count=count) for (plugin, reason), count in ordered]


def _top_nodes(scored: ScoreReport | None) -> list[TopNode]:
    if scored is None:
        return []
    totals = np.asarray(scored.totals)
    best_first = np.argsort(-totals, kind="stable")[:TOP_NODES].tolist()
    # The chosen node leads, whatever its place among those that tie with it.
    chosen = scored.nodes.index(scored.chosen) if scored.chosen in scored.nodes else None
    if chosen is not None:
        best_first = [chosen, *(i for i in best_first if i != chosen)][:TOP_NODES]
    return [_top_node(scored, i, int(totals[i])) for i in best_first]


def _top_node(scored: ScoreReport, index: int, total: int) -> TopNode:
    scores = {column.plugin: int(column.weighted[index]) for column in scored.plugins}
    return TopNode(node=scored.nodes[index], total=total, scores=scores)
