"""A report's summary says who won, who was rejected and why, in a few lines."""

from __future__ import annotations

import numpy as np
import pytest

from playground.scheduling.translation.reports import compress_report, decompress_report, report_json
from playground.scheduling.translation.summary import summarize
from scheduler_core.report import (
    CycleReport,
    FilterReport,
    PodRef,
    PreemptionReport,
    ScoreColumn,
    ScoreReport,
    StatusReport,
    encode,
)

POD = PodRef(namespace="default", name="web", uid="u1")
VICTIM = PodRef(namespace="default", name="low", uid="u2")


def cycle(**fields: object) -> CycleReport:
    defaults = {"sequence": 7, "pod": POD, "scheduler_name": "default-scheduler", "attempt": 1, "at": 100.0}
    return CycleReport(**({"outcome": "scheduled"} | defaults | fields))


def filtered(status: list[int], *statuses: StatusReport) -> FilterReport:
    nodes = [f"n{i}" for i in range(len(status))]
    column = np.array(status, dtype=np.int32)
    return FilterReport(nodes=nodes, status=column, statuses=list(statuses), total_nodes=10, evaluated=len(status))


def scored(weighted: dict[str, list[int]], chosen: str, best: list[str]) -> ScoreReport:
    columns = [
        ScoreColumn(plugin=plugin, weight=1, raw=column, normalized=column, weighted=column)
        for plugin, column in ((plugin, np.array(values)) for plugin, values in weighted.items())
    ]
    totals = np.sum([column.weighted for column in columns], axis=0)
    return ScoreReport(
        nodes=[f"n{i}" for i in range(len(totals))], plugins=columns, totals=totals, best=best, chosen=chosen
    )


FIT = StatusReport(code="Unschedulable", plugin="NodeResourcesFit", reasons=["Insufficient cpu", "Insufficient memory"])
TAINT = StatusReport(code="UnschedulableAndUnresolvable", plugin="TaintToleration", reasons=["node(s) had a taint"])


def test_every_reason_is_counted_by_itself_and_the_commonest_comes_first() -> None:
    summary = summarize(cycle(filter=filtered([0, -1, 1, 0, -1], FIT, TAINT)), "kube-scheduler")
    assert [(r.plugin, r.reason, r.count) for r in summary.rejected] == [
        ("NodeResourcesFit", "Insufficient cpu", 2),
        ("NodeResourcesFit", "Insufficient memory", 2),
        ("TaintToleration", "node(s) had a taint", 1),
    ]
    assert (summary.total_nodes, summary.evaluated, summary.feasible) == (10, 5, 2)


def test_a_status_that_rejected_no_node_is_not_counted() -> None:
    assert (
        summarize(cycle(filter=filtered([0, 0], FIT, TAINT)), "kube-scheduler").rejected[-1].plugin
        == "NodeResourcesFit"
    )


def test_the_best_five_nodes_come_highest_first_with_their_scores_by_plugin() -> None:
    report = cycle(score=scored({"A": [1, 5, 3, 2, 4, 0], "B": [0, 1, 1, 1, 1, 1]}, chosen="n1", best=["n1"]))
    summary = summarize(report, "kube-scheduler")
    assert [node.node for node in summary.top] == ["n1", "n4", "n2", "n3", "n0"]
    assert (summary.top[0].total, summary.top[0].scores) == (6, {"A": 5, "B": 1})
    assert summary.tied == 1


def test_the_drawn_node_leads_those_it_tied_with() -> None:
    report = cycle(node="n6", score=scored({"A": [9] * 7}, chosen="n6", best=[f"n{i}" for i in range(7)]))
    summary = summarize(report, "kube-scheduler")
    assert [node.node for node in summary.top] == ["n6", "n0", "n1", "n2", "n3"]
    assert summary.tied == 7


@pytest.mark.parametrize(("node", "tied"), [("n0", 1), ("", 0)])
def test_without_scoring_a_placed_pod_tied_with_nobody(node: str, tied: int) -> None:
    summary = summarize(cycle(node=node), "kube-scheduler")
    assert (summary.tied, summary.top, summary.feasible) == (tied, [], 0)


def test_victims_of_preemption_are_named() -> None:
    preemption = PreemptionReport(status=StatusReport(code="Success"), node="n0", victims=[VICTIM])
    assert summarize(cycle(outcome="unschedulable", preemption=preemption), "kube-scheduler").victims == [VICTIM]


def test_a_report_comes_back_whole_from_its_compressed_form() -> None:
    report = cycle(filter=filtered([-1, 0], FIT), score=scored({"A": [1, 2]}, chosen="n1", best=["n1"]))
    compressed = compress_report(report)
    assert report_json(compressed) == encode(report)
    assert encode(decompress_report(compressed)) == encode(report)
