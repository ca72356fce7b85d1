"""PreFilter: skipping, narrowing and rejecting before any node is looked at."""

from __future__ import annotations

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import ExtensionPoint, PreFilterResult
from scheduler_core.framework.pre_filter import PreFilterOutcome, run_pre_filter
from scheduler_core.framework.status import SKIP, SUCCESS, Code, Status, error, unresolvable, unschedulable
from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.framework.cast import PreFilterWith, framework_of, made, snapshot_of

SNAPSHOT = snapshot_of(make_node("n1"), make_node("n2"))


def outcome_of(*results: PreFilterResult | Exception, state: CycleState | None = None) -> PreFilterOutcome:
    plugins = [made(PreFilterWith, f"P{i}", result=result) for i, result in enumerate(results, start=1)]
    framework = framework_of({ExtensionPoint.PRE_FILTER: plugins})
    return run_pre_filter(framework, state or CycleState(), make_pod("p").pod_info(), SNAPSHOT, None)


def narrowed_to(*names: str) -> PreFilterResult:
    return PreFilterResult(SUCCESS, frozenset(names))


def test_a_plugin_that_skips_is_not_asked_at_filter() -> None:
    state = CycleState()
    assert outcome_of(PreFilterResult(SKIP), PreFilterResult(), state=state).status.is_success
    assert state.skip_filter_plugins == {"P1"}


def test_narrowing_plugins_leave_the_nodes_both_want() -> None:
    outcome = outcome_of(narrowed_to("n1", "n2"), PreFilterResult(), narrowed_to("n2", "n3"))
    assert outcome.node_names == {"n2"}
    assert outcome.narrowing_plugins == ("P1", "P3")


def test_one_plugin_that_wants_no_node_rejects_the_pod() -> None:
    assert outcome_of(narrowed_to()).status == unresolvable("node(s) didn't satisfy plugin P1")


def test_plugins_that_want_different_nodes_reject_the_pod_together() -> None:
    status = outcome_of(narrowed_to("n1"), narrowed_to("n2")).status
    assert status == unresolvable("node(s) didn't satisfy plugin(s) [P1 P2] simultaneously")


def test_an_unresolvable_rejection_ends_it() -> None:
    outcome = outcome_of(PreFilterResult(unresolvable("no")), RuntimeError("not reached"))
    assert outcome.status == Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, ("no",), "P1")


def test_after_an_unschedulable_rejection_the_others_still_run() -> None:
    state = CycleState()
    outcome = outcome_of(PreFilterResult(unschedulable("no")), PreFilterResult(SKIP), state=state)
    assert outcome.status.plugin == "P1"
    assert state.skip_filter_plugins == {"P2"}


def test_a_plugin_that_fails_or_raises_is_named() -> None:
    expected = Status(Code.ERROR, ('running PreFilter plugin "P1": out of order',), "P1")
    assert outcome_of(PreFilterResult(error("out of order"))).status == expected
    assert outcome_of(RuntimeError("out of order")).status == expected
