"""Filter plugins, one after the other, over many nodes."""

from __future__ import annotations

import numpy as np
import pytest

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.explaining import explain_row, explain_rows
from scheduler_core.framework.filtering import FilterRun, PluginError, filter_rows
from scheduler_core.framework.interface import ExtensionPoint, Plugin
from scheduler_core.framework.recorder import CycleRecorder, no_stopwatch
from scheduler_core.framework.status import SUCCESS, pending, unresolvable, unschedulable
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.queue.nominator import Nominator
from scheduler_core.snapshot.snapshot import Snapshot
from scheduler_core.testing import PodBuilder, make_node, make_pod
from tests.scheduler_core.framework.cast import RejectNames, framework_of, made, rejecting, snapshot_of

ALL = slice(0, 4)


@pytest.fixture
def snapshot() -> Snapshot:
    return snapshot_of(*(make_node(f"n{i}") for i in range(4)))


def run(
    snapshot: Snapshot,
    *plugins: Plugin,
    pod: PodBuilder | None = None,
    nominated: Nominator | None = None,
    recorder: CycleRecorder | None = None,
) -> FilterRun:
    framework = framework_of({ExtensionPoint.FILTER: plugins})
    info = (pod or make_pod("p")).pod_info()
    return FilterRun(framework, CycleState(), info, snapshot, nominated or Nominator(), recorder)


def told(run: FilterRun, rows: slice = ALL) -> dict[str, str]:
    """Rejected nodes with `plugin: reasons`."""
    verdicts = filter_rows(run, rows)
    if verdicts.codes is None:
        return {}
    statuses = {row: verdicts.statuses[code - 1] for row, code in enumerate(verdicts.codes.tolist()) if code}
    return {run.snapshot.names[rows.start + row]: f"{each.plugin}: {each.message}" for row, each in statuses.items()}


def test_a_node_that_nobody_rejects_fits(snapshot: Snapshot) -> None:
    assert filter_rows(run(snapshot, rejecting()), ALL).codes is None


def test_only_the_first_rejection_of_a_node_is_told(snapshot: Snapshot) -> None:
    first = made(RejectNames, "First", rejected={"n1": unschedulable("a")})
    second = made(RejectNames, "Second", rejected={"n1": unschedulable("b"), "n2": unresolvable("c")})
    assert told(run(snapshot, first, second)) == {"n1": "First: a", "n2": "Second: c"}


def test_plugins_behind_are_asked_only_about_nodes_that_are_left(snapshot: Snapshot) -> None:
    first = rejecting("n0", "n1", "n2")
    second = made(RejectNames, "Second", broken=["n0", "n1", "n2"])
    assert set(told(run(snapshot, first, second))) == {"n0", "n1", "n2"}


def test_once_no_node_is_left_nobody_is_asked(snapshot: Snapshot) -> None:
    second = made(RejectNames, "Second", broken=["n0"])
    assert len(told(run(snapshot, rejecting("n0", "n1", "n2", "n3"), second))) == 4


def test_a_plugin_that_skipped_is_not_asked(snapshot: Snapshot) -> None:
    filter_run = run(snapshot, rejecting("n0"))
    filter_run.state.skip_filter_plugins.add("RejectNames")
    assert told(filter_run) == {}


def test_a_part_of_the_nodes_can_be_asked_about(snapshot: Snapshot) -> None:
    assert told(run(snapshot, rejecting("n0", "n2")), slice(1, 3)) == {"n2": "RejectNames: not here"}


def test_a_plugin_that_raises_is_named(snapshot: Snapshot) -> None:
    with pytest.raises(PluginError, match='running "RejectNames" filter plugin: cannot read n2') as failure:
        filter_rows(run(snapshot, made(RejectNames, broken=["n2"])), ALL)
    assert failure.value.status.plugin == "RejectNames"


def test_a_pending_rejection_is_a_rejection(snapshot: Snapshot) -> None:
    plugin = made(RejectNames, rejected={"n3": pending("claim is being made")})
    assert told(run(snapshot, plugin)) == {"n3": "RejectNames: claim is being made"}


def test_the_report_counts_what_each_plugin_rejected(snapshot: Snapshot) -> None:
    recorder = CycleRecorder(no_stopwatch)
    recorder.point(ExtensionPoint.FILTER)
    second = made(RejectNames, "Second", rejected={"n1": unschedulable("b"), "n2": unschedulable("b")})
    filter_run = run(snapshot, rejecting("n1"), second, recorder=recorder)
    filter_rows(filter_run, slice(0, 2))
    filter_rows(filter_run, slice(2, 4))
    (point,) = recorder.points
    assert [(each.name, each.rejected) for each in point.plugins] == [("RejectNames", 1), ("Second", 1)]


def test_every_rejection_of_a_node_is_told_on_demand(snapshot: Snapshot) -> None:
    broken = made(RejectNames, "Broken", broken=["n1"])
    second = made(RejectNames, "Second", rejected={"n1": unresolvable("b")})
    rejections = explain_row(run(snapshot, rejecting("n1"), broken, second), 1)
    assert [(each.plugin, each.code, each.reasons) for each in rejections] == [
        ("RejectNames", "Unschedulable", ["not here"]),
        ("Broken", "Error", ["cannot read n1"]),
        ("Second", "UnschedulableAndUnresolvable", ["b"]),
    ]


def test_a_node_on_which_a_plugin_breaks_does_not_hide_what_it_says_of_the_others(snapshot: Snapshot) -> None:
    plugin = made(RejectNames, "Broken", broken=["n1"], rejected={"n2": unschedulable("b")})
    told = explain_rows(run(snapshot, plugin), [0, 1, 2])
    by_node = {snapshot.names[row]: [each.code for each in told[row]] for row in range(3)}
    assert by_node["n1"] == ["Error"]
    assert by_node["n2"] == ["Unschedulable"]


class TestNominatedPods:
    """A pod that preempted others has its room kept."""

    @pytest.fixture
    def fit(self) -> Plugin:
        entry = DEFAULT_REGISTRY["NodeResourcesFit"]
        return entry.plugin(entry.args(), None)  # type: ignore[arg-type]

    def nominated(self, priority: int) -> Nominator:
        nominator = Nominator()
        nominator.add(make_pod("preemptor").requests(cpu="3").priority(priority).pod_info(), "n1")
        return nominator

    @pytest.mark.parametrize(("priority", "fits"), [(5, False), (10, False), (11, True)])
    def test_the_room_is_kept_from_pods_of_no_higher_priority(
        self, snapshot: Snapshot, fit: Plugin, priority: int, fits: bool
    ) -> None:
        pod = make_pod("p").requests(cpu="2").priority(priority)
        rejected = told(run(snapshot, fit, pod=pod, nominated=self.nominated(10)))
        assert rejected == ({} if fits else {"n1": "NodeResourcesFit: Insufficient cpu"})

    def test_the_pod_itself_does_not_stand_in_its_own_way(self, snapshot: Snapshot, fit: Plugin) -> None:
        pod = make_pod("preemptor").requests(cpu="3").priority(10)
        assert told(run(snapshot, fit, pod=pod, nominated=self.nominated(10))) == {}

    def test_nothing_of_it_is_left_in_the_snapshot(self, snapshot: Snapshot, fit: Plugin) -> None:
        told(run(snapshot, fit, pod=make_pod("p").requests(cpu="2"), nominated=self.nominated(10)))
        assert not np.any(snapshot.requested)
        assert snapshot.pods_on(1) == []

    def test_a_node_that_fits_only_with_the_nominated_pod_does_not_fit(self, snapshot: Snapshot) -> None:
        wants_company = made(RejectNames, "WantsCompany")
        wants_company.filter_node = lambda pod, node: SUCCESS if node.pods else unschedulable("alone")  # type: ignore[method-assign]
        pod = make_pod("p")
        assert set(told(run(snapshot, wants_company, pod=pod, nominated=self.nominated(0)))) == {"n0", "n1", "n2", "n3"}
