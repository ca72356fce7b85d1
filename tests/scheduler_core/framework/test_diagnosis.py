"""The FailedScheduling text, and what PostFilter plugins ask."""

from __future__ import annotations

import numpy as np

from scheduler_core.framework.diagnosis import Diagnosis, fit_error
from scheduler_core.framework.status import Code, Status, pending, unresolvable, unschedulable


def diagnosis(node_count: int, *rejections: Status) -> Diagnosis:
    """The first nodes are rejected with these; the others were not looked at."""
    statuses = list(dict.fromkeys(rejections))
    made = Diagnosis(node_count)
    codes = np.array([statuses.index(status) for status in rejections], dtype=np.int16)
    made.set_rejections(np.arange(len(rejections), dtype=np.int32), codes, statuses)
    return made


CPU = unschedulable("Insufficient cpu").of("NodeResourcesFit")
TAINT = unresolvable("node(s) had untolerated taint {a: b}").of("TaintToleration")


def test_reasons_are_counted_and_sorted_as_text() -> None:
    text = fit_error(diagnosis(12, *[CPU] * 10, *[TAINT] * 2))
    assert text == "0/12 nodes are available: 10 Insufficient cpu, 2 node(s) had untolerated taint {a: b}."


def test_a_node_counts_for_each_of_its_reasons() -> None:
    both = unschedulable("Insufficient cpu", "Insufficient memory")
    text = fit_error(diagnosis(2, both, CPU))
    assert text == "0/2 nodes are available: 1 Insufficient memory, 2 Insufficient cpu."


def test_nodes_left_out_by_pre_filter_share_one_reason() -> None:
    made = diagnosis(9, CPU)
    made.absent = unresolvable("node(s) didn't satisfy plugin(s) [NodeAffinity]")
    assert fit_error(made) == (
        "0/9 nodes are available: 1 Insufficient cpu, 8 node(s) didn't satisfy plugin(s) [NodeAffinity]."
    )


def test_a_pre_filter_rejection_is_told_without_a_count() -> None:
    made = Diagnosis(3)
    made.set_all(unresolvable("pod affinity terms conflict").of("NodeAffinity"))
    made.post_filter_message = "preemption: not helpful"
    assert fit_error(made) == "0/3 nodes are available: pod affinity terms conflict. preemption: not helpful"
    assert list(made.unschedulable_plugins) == ["NodeAffinity"]


def test_a_rejection_after_the_choice_counts_one_node() -> None:
    assert fit_error(Diagnosis.of_one_node(unschedulable("no"))) == "0/1 nodes are available: 1 no."


def test_plugins_that_rejected_are_remembered() -> None:
    made = diagnosis(3, CPU, TAINT, pending("claim").of("DynamicResources"))
    assert list(made.unschedulable_plugins) == ["NodeResourcesFit", "TaintToleration", "DynamicResources"]
    assert list(made.pending_plugins) == ["DynamicResources"]


def test_rows_are_found_by_code() -> None:
    made = diagnosis(5, CPU, TAINT, CPU)
    assert made.rows_with(Code.UNSCHEDULABLE).tolist() == [0, 2]
    # Nodes that were not looked at cannot be helped either.
    assert made.rows_with(Code.UNSCHEDULABLE_AND_UNRESOLVABLE).tolist() == [1, 3, 4]
    assert made.status_of(1) == TAINT
    assert made.status_of(4).code is Code.UNSCHEDULABLE_AND_UNRESOLVABLE
