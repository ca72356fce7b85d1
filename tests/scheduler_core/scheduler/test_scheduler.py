"""From object changes to reports: one pod after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scheduler_core.configuration import Configuration, decode_configuration, default_configuration
from scheduler_core.framework.interface import PermitResult, Plugin
from scheduler_core.framework.registry import RegistryEntry
from scheduler_core.framework.status import SUCCESS, Code, Status, error, unschedulable
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.model import KubernetesObject
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.plugins.args import NoArgs
from scheduler_core.report import CycleReport, encode
from scheduler_core.scheduler import Scheduler
from scheduler_core.testing import FakeClock, NodeBuilder, PodBuilder, make_node, make_pod
from tests.scheduler_core.framework.cast import Holding, PreFilterWith, RejectNames

HEAD = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


class World:
    """A scheduler with a clock, fed by a test."""

    def __init__(self, *objects: NodeBuilder | PodBuilder, plugin: type[Plugin] | None = None, seed: int = 1) -> None:
        self.clock = FakeClock()
        registry = DEFAULT_REGISTRY | ({plugin.name: RegistryEntry(plugin, NoArgs)} if plugin else {})
        self.scheduler = Scheduler(_configuration(plugin, registry), self.clock, seed, registry=registry)
        self.add(*objects)

    def add(self, *objects: NodeBuilder | PodBuilder) -> None:
        for each in objects:
            self.tell("ADDED", _decoded(each))

    def change(self, *objects: NodeBuilder | PodBuilder) -> None:
        for each in objects:
            self.tell("MODIFIED", _decoded(each))

    def remove(self, *objects: NodeBuilder | PodBuilder) -> None:
        for each in objects:
            self.tell("DELETED", _decoded(each))

    def tell(self, event: Any, thing: KubernetesObject) -> None:
        self.scheduler.handle(ObjectChange(event=event, object=thing))

    def one(self) -> CycleReport:
        report = self.scheduler.schedule_one()
        assert report is not None, "there is no pod to try"
        return report

    def all(self) -> list[CycleReport]:
        reports = []
        while (report := self.scheduler.schedule_one()) is not None:
            reports.append(report)
        return reports

    def queue_of(self, pod: PodBuilder) -> str:
        state = self.scheduler.queued_pod_state(pod.pod_info().uid)
        return state.queue if state else ""

    def requested(self) -> dict[str, int]:
        snapshot = self.scheduler.cache.snapshot
        return dict(zip(snapshot.names, snapshot.requested[0].tolist(), strict=True))


def _configuration(plugin: type[Plugin] | None, registry: Any) -> Configuration:
    if plugin is None:
        return default_configuration()
    profile = {"schedulerName": "default-scheduler", "plugins": {"multiPoint": {"enabled": [{"name": plugin.name}]}}}
    return decode_configuration({**HEAD, "profiles": [profile]}, registry=registry)


def _decoded(thing: NodeBuilder | PodBuilder) -> KubernetesObject:
    return thing.node() if isinstance(thing, NodeBuilder) else thing.pod()


def plugin_with(base: type[Plugin], **attributes: Any) -> type[Plugin]:
    return type(base.name, (base,), attributes)


# --- a pod that fits ---


def test_a_pod_is_assumed_on_the_node_it_fits() -> None:
    world = World(make_node("small").cpu("1"), make_node("large").cpu("8"), make_pod("p").requests(cpu="2"))
    report = world.one()
    assert (report.outcome, report.node, report.message, report.reason) == ("scheduled", "large", "", "")
    assert world.requested() == {"small": 0, "large": 2000}
    assert world.queue_of(make_pod("p")) == "binding"
    assert world.scheduler.schedule_one() is None


def test_the_next_pod_sees_the_room_that_was_taken() -> None:
    world = World(make_node("n").cpu("2"), *(make_pod(f"p{i}").requests(cpu="1") for i in range(3)))
    assert [report.outcome for report in world.all()] == ["scheduled", "scheduled", "unschedulable"]


def test_with_one_feasible_node_nothing_is_scored() -> None:
    world = World(make_node("n"), make_pod("p"))
    assert world.one().score is None


def test_the_report_tells_every_verdict_and_score() -> None:
    world = World(
        make_node("a"), make_node("b").taint("gpu"), make_node("c").cpu("1"), make_pod("p").requests(cpu="500m")
    )
    report = world.one()
    assert report.filter is not None
    assert report.score is not None
    verdicts = dict(zip(report.filter.nodes, report.filter.status.tolist(), strict=True))
    assert verdicts == {"a": -1, "b": 0, "c": -1}
    assert report.filter.statuses[0].reasons == ["node(s) had untolerated taint {gpu: }"]
    assert list(report.score.nodes) == ["a", "c"]
    totals = sum(column.weighted for column in report.score.plugins)
    assert totals.tolist() == report.score.totals.tolist()
    assert (list(report.score.best), report.score.chosen) == (["a"], "a")
    points = {point.point: [run.name for run in point.plugins] for point in report.points}
    assert points["filter"][0] == "NodeUnschedulable"
    assert "NodeResourcesFit" in points["score"]


def test_a_report_becomes_json() -> None:
    world = World(make_node("a"), make_node("b"), make_pod("p"))
    assert b'"nodes":["a","b"]' in encode(world.one())


def test_a_bound_pod_leaves_the_queue_and_is_confirmed_by_the_feed() -> None:
    world = World(make_node("n"), make_pod("p").requests(cpu="1"))
    report = world.one()
    world.scheduler.binding_finished(report.pod.uid, "n", SUCCESS)
    assert world.queue_of(make_pod("p")) == ""
    world.change(make_pod("p").requests(cpu="1").on("n"))
    assert world.requested() == {"n": 1000}
    assert not world.scheduler.cache.is_assumed(report.pod.uid)
    assert world.scheduler.assumed_pods() == {}


# --- a pod that fits nowhere ---


def test_a_pod_that_fits_nowhere_waits_with_the_reason() -> None:
    world = World(make_node("n").cpu("1"), make_pod("p").requests(cpu="2"))
    report = world.one()
    assert (report.outcome, report.reason) == ("unschedulable", "Unschedulable")
    assert report.message.startswith("0/1 nodes are available: 1 Insufficient cpu.")
    assert report.unschedulable_plugins == ["NodeResourcesFit"]
    assert world.queue_of(make_pod("p")) == "unschedulablePods"


def test_without_nodes_the_pod_backs_off() -> None:
    world = World(make_pod("p"))
    report = world.one()
    assert (report.outcome, report.message) == ("error", "no nodes available to schedule pods")
    assert report.reason == "Unschedulable"
    assert world.queue_of(make_pod("p")) == "backoffQ"


def test_a_node_that_is_not_there_is_named_by_pre_filter() -> None:
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["gone"]}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    world = World(make_node("a"), make_node("b"), make_pod("p").affinity(nodeAffinity=required))
    report = world.one()
    assert report.message.startswith("0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [NodeAffinity].")
    assert report.filter is not None
    assert report.filter.absent is not None


def test_room_that_is_made_brings_the_pod_back() -> None:
    blocker = make_pod("blocker").requests(cpu="4").on("n")
    world = World(make_node("n").cpu("4"), blocker, make_pod("p").requests(cpu="2"))
    assert world.one().outcome == "unschedulable"
    world.remove(blocker)
    world.clock.advance(2)
    world.scheduler.tick()
    assert world.one().node == "n"


def test_a_finished_pod_makes_room() -> None:
    blocker = make_pod("blocker").requests(cpu="4").on("n")
    world = World(make_node("n").cpu("4"), blocker)
    world.change(blocker.status(phase="Succeeded"))
    assert world.requested() == {"n": 0}


def test_a_pod_of_an_unknown_profile_is_left_alone() -> None:
    world = World(make_node("n"), make_pod("p").scheduler("somebody-else"))
    assert world.scheduler.schedule_one() is None


def test_a_deleting_pod_is_not_tried() -> None:
    world = World(make_node("n"), make_pod("p"))
    world.change(make_pod("p").deleted())
    report = world.one()
    assert (report.outcome, report.message) == ("skipped", "skip schedule deleting pod: default/p")
    assert world.queue_of(make_pod("p")) == ""


def test_a_pod_that_was_taken_off_its_node_is_placed_anew() -> None:
    world = World(make_node("n"), make_pod("p").requests(cpu="1").on("n"))
    world.change(make_pod("p").requests(cpu="1"))
    assert world.requested() == {"n": 0}
    report = world.one()
    assert (report.outcome, report.node) == ("scheduled", "n")
    assert world.requested() == {"n": 1000}


def test_a_pod_bound_by_hand_leaves_the_queue() -> None:
    world = World(make_node("n"), make_pod("p").requests(cpu="1"))
    world.change(make_pod("p").requests(cpu="1").on("n"))
    assert world.scheduler.schedule_one() is None
    assert world.requested() == {"n": 1000}


# --- plugins that break ---


@pytest.mark.parametrize(
    ("plugin", "message"),
    [
        (plugin_with(RejectNames, broken=("n",)), 'running "RejectNames" filter plugin: cannot read n'),
        (
            plugin_with(PreFilterWith, result=RuntimeError("no luck")),
            'running PreFilter plugin "PreFilterWith": no luck',
        ),
        (plugin_with(Holding, reserve_status=error("disk is full")), 'running Reserve plugin "Holding": disk is full'),
    ],
)
def test_a_plugin_that_breaks_fails_this_cycle_only(plugin: type[Plugin], message: str) -> None:
    world = World(make_node("n"), make_pod("p"), plugin=plugin)
    report = world.one()
    assert (report.outcome, report.message, report.reason) == ("error", message, "SchedulerError")
    assert world.queue_of(make_pod("p")) == "backoffQ"
    assert world.requested() == {"n": 0}


# --- Reserve, Permit, binding ---


def holding(world: World) -> Any:
    (plugin,) = (each for each in world.scheduler.profiles["default-scheduler"].all_plugins() if each.name == "Holding")
    return plugin


def test_a_rejection_at_reserve_is_undone_and_reads_like_one_node() -> None:
    world = World(make_node("n"), make_pod("p"), plugin=plugin_with(Holding, reserve_status=unschedulable("taken")))
    report = world.one()
    assert (report.outcome, report.message) == ("unschedulable", "0/1 nodes are available: 1 taken.")
    assert report.unschedulable_plugins == ["Holding"]
    assert holding(world).calls == ["reserve", "unreserve"]
    assert world.queue_of(make_pod("p")) == "unschedulablePods"


def test_a_rejection_at_permit_is_undone_too() -> None:
    rejection = PermitResult(unschedulable("not now"))
    world = World(make_node("n"), make_pod("p").requests(cpu="1"), plugin=plugin_with(Holding, permit_result=rejection))
    assert world.one().message == "0/1 nodes are available: 1 not now."
    assert holding(world).calls == ["reserve", "permit", "unreserve"]
    assert world.requested() == {"n": 0}


class TestWaitingAtPermit:
    @pytest.fixture
    def world(self) -> World:
        wait = PermitResult(Status(Code.WAIT), timeout=60.0)
        return World(make_node("n"), make_pod("p").requests(cpu="1"), plugin=plugin_with(Holding, permit_result=wait))

    def test_the_pod_holds_its_place_until_the_deadline(self, world: World) -> None:
        report = world.one()
        assert (report.outcome, report.node) == ("waiting", "n")
        assert report.permit_deadline == world.clock.now() + 60
        assert world.requested() == {"n": 1000}
        assert world.queue_of(make_pod("p")) == "waiting"
        assert world.scheduler.next_wakeup() == report.permit_deadline

    def test_once_allowed_it_goes_on_to_be_bound(self, world: World) -> None:
        report = world.one()
        for waiting in world.scheduler.waiting_pods:
            waiting.allow("Holding")
        (result,) = world.scheduler.drain_permit_results()
        assert (result.pod, result.node, result.sequence) == (report.pod, "n", report.sequence)
        assert result.status.code == "Success"
        assert world.queue_of(make_pod("p")) == "binding"
        assert world.scheduler.drain_permit_results() == []

    def test_at_the_deadline_it_goes_back(self, world: World) -> None:
        world.one()
        world.clock.advance(60)
        world.scheduler.tick()
        (result,) = world.scheduler.drain_permit_results()
        expected = "0/1 nodes are available: 1 rejected due to timeout after waiting 1m0s at plugin Holding."
        assert (result.message, result.reason) == (expected, "Unschedulable")
        assert world.requested() == {"n": 0}
        assert world.queue_of(make_pod("p")) == "unschedulablePods"
        assert holding(world).calls == ["reserve", "permit", "unreserve"]

    def test_a_waiting_pod_that_is_deleted_frees_its_place(self, world: World) -> None:
        world.one()
        world.remove(make_pod("p").requests(cpu="1"))
        assert world.requested() == {"n": 0}
        assert world.queue_of(make_pod("p")) == ""
        assert world.scheduler.drain_permit_results() == []

    def test_it_goes_on_waiting_at_another_worker(self, world: World) -> None:
        report = world.one()
        later = taken_over(world, [make_node("n").node(), make_pod("p").requests(cpu="1").pod()])
        assert later.scheduler.next_wakeup() == report.permit_deadline
        assert later.requested() == {"n": 1000}
        later.clock.advance(60)
        (result,) = later.scheduler.drain_permit_results()
        assert result.reason == "Unschedulable"


def test_a_failed_binding_frees_the_room_and_the_pod_backs_off() -> None:
    world = World(make_node("n"), make_pod("p").requests(cpu="1"), plugin=plugin_with(Holding))
    report = world.one()
    world.scheduler.binding_finished(report.pod.uid, "n", error("the API is away"))
    assert world.requested() == {"n": 0}
    assert world.queue_of(make_pod("p")) == "backoffQ"
    assert holding(world).calls == ["reserve", "permit", "unreserve"]


def test_a_plugin_that_breaks_while_undoing_is_told_and_stops_nobody() -> None:
    def broken(plugin: Any, state: Any, pod: Any, node_name: str) -> None:
        raise RuntimeError("lost the disk")

    plugin = plugin_with(Holding, unreserve=broken)
    world = World(make_node("n"), make_pod("p").requests(cpu="1"), plugin=plugin)
    report = world.one()
    world.scheduler.binding_finished(report.pod.uid, "n", error("the API is away"))
    assert world.requested() == {"n": 0}
    (problem,) = world.scheduler.drain_plugin_errors()
    assert problem.reasons == ['running Unreserve plugin "Holding": lost the disk']
    assert world.scheduler.drain_plugin_errors() == []


def test_a_failed_binding_wakes_those_who_wait_for_the_room() -> None:
    world = World(make_node("n").cpu("4"), make_pod("first").requests(cpu="4"), make_pod("second").requests(cpu="4"))
    first, second = world.all()
    assert (first.outcome, second.outcome) == ("scheduled", "unschedulable")
    world.scheduler.binding_finished(first.pod.uid, "n", error("the API is away"))
    assert world.queue_of(make_pod("second")) in ("backoffQ", "activeQ")


# --- hypothetical pods ---


def test_would_it_fit_is_answered_for_every_node_and_changes_nothing() -> None:
    world = World(*(make_node(f"n{i:03}").cpu("1" if i % 2 else "8") for i in range(150)), make_pod("p"))
    report = world.scheduler.schedule_pod(make_pod("q").requests(cpu="2").pod_info())
    assert report.filter is not None
    assert report.score is not None
    assert (report.filter.evaluated, len(report.score.nodes)) == (150, 75)
    assert set(world.requested().values()) == {0}
    assert world.scheduler.next_start == 0
    assert world.queue_of(make_pod("p")) == "activeQ"


def test_every_reason_against_a_node_is_told_on_demand() -> None:
    world = World(make_node("n").cpu("1").taint("gpu").cordoned())
    statuses = world.scheduler.explain(make_pod("p").requests(cpu="2").pod_info(), "n")
    assert [(each.plugin, each.remedies) for each in statuses] == [
        ("NodeUnschedulable", ["uncordon the node", "tolerate node.kubernetes.io/unschedulable:NoSchedule"]),
        ("TaintToleration", ["tolerate gpu:NoSchedule"]),
        ("NodeResourcesFit", ["needs 1 more CPU"]),
    ]


@pytest.mark.parametrize(
    ("pod", "remedies"),
    [
        (make_pod("p").requests(cpu="4500m", memory="20Gi"), ["needs 500m more CPU", "needs 4Gi more memory"]),
        (make_pod("p").request("nvidia.com/gpu", "3"), ["needs 3 more nvidia.com/gpu"]),
        (make_pod("p").node_selector(disk="ssd"), ["a node with disk=ssd"]),
        (make_pod("p").host_port(80), ["free the host ports of pod default/web"]),
    ],
)
def test_what_would_have_to_change_is_told(pod: PodBuilder, remedies: list[str]) -> None:
    world = World(make_node("n").cpu("4").memory("16Gi"), make_pod("web").host_port(80).on("n"))
    (rejection,) = world.scheduler.explain(pod.pod_info(), "n")
    assert rejection.remedies == remedies


def test_many_nodes_are_explained_as_one_by_one() -> None:
    world = World(make_node("small").cpu("1"), make_node("tainted").taint("gpu"), make_node("fits"))
    pod = make_pod("p").requests(cpu="2").pod_info()
    names = ["fits", "small", "tainted"]
    together = world.scheduler.explain_nodes(pod, names)
    assert together == [world.scheduler.explain(pod, name) for name in names]
    assert [[each.plugin for each in told] for told in together] == [[], ["NodeResourcesFit"], ["TaintToleration"]]


def test_a_pod_asked_about_as_if_unplaced_does_not_take_up_its_own_room() -> None:
    bound = make_pod("p").requests(cpu="3").on("n")
    world = World(make_node("n").cpu("4"), bound)
    (rejection,) = world.scheduler.explain(bound.pod_info(), "n")
    with world.scheduler.as_if_unplaced(bound.pod_info()):
        assert world.scheduler.explain(bound.pod_info(), "n") == []
    assert world.scheduler.explain(bound.pod_info(), "n") == [rejection]


def test_alternatives_of_an_affinity_are_all_told() -> None:
    terms = [
        {"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd", "nvme"]}]},
        {"matchExpressions": [{"key": "gpu", "operator": "Exists"}, {"key": "gen", "operator": "Gt", "values": ["4"]}]},
    ]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    world = World(make_node("n").labels(gen="5"))
    (rejection,) = world.scheduler.explain(make_pod("p").affinity(nodeAffinity=required).pod_info(), "n")
    assert rejection.remedies == ["a node with disk in (nvme, ssd)", "a node with label gpu"]


def test_a_hypothetical_pod_needs_a_profile() -> None:
    world = World(make_node("n"))
    with pytest.raises(ValueError, match="no profile has the scheduler name 'nobody'; there is default-scheduler"):
        world.scheduler.schedule_pod(make_pod("p").scheduler("nobody").pod_info())


# --- sampling ---


def test_a_large_cluster_is_searched_in_turns() -> None:
    world = World(*(make_node(f"n{i:03}") for i in range(300)), *(make_pod(f"p{i}") for i in range(4)))
    starts = []
    for _ in range(4):
        starts.append(world.scheduler.next_start)
        report = world.one()
        assert report.filter is not None
        # 50 - 300/125 percent of 300 nodes
        assert report.filter.evaluated == 144
    assert starts == [0, 144, 288, 132]


# --- the same again ---


def trace(seed: int) -> list[bytes]:
    nodes = [make_node(f"n{i}").zone("abc"[i % 3]).cpu("4") for i in range(12)]
    pods = [make_pod(f"p{i}").requests(cpu=f"{300 + 100 * (i % 4)}m") for i in range(60)]
    world = World(*nodes, *pods, seed=seed)
    reports = [encode(report) for report in world.all()]
    return reports + [encode(move) for move in world.scheduler.drain_moves()]


def test_the_same_seed_gives_the_same_trace() -> None:
    assert trace(7) == trace(7)


def test_another_seed_draws_other_nodes() -> None:
    assert trace(7) != trace(8)


def taken_over(world: World, objects: list[KubernetesObject]) -> World:
    """Another worker goes on with what this one left."""
    later = World.__new__(World)
    old = world.scheduler
    later.clock = world.clock
    later.scheduler = Scheduler(
        old._configuration,
        world.clock,
        seed=1,
        registry=DEFAULT_REGISTRY | {"Holding": RegistryEntry(plugin_with(Holding), NoArgs)},
    )
    later.scheduler.restore(objects, old.queue_state(), old.assumed_pods(), old.sequence, old.next_start)
    return later


def test_another_worker_goes_on_where_this_one_stopped() -> None:
    nodes = [make_node(f"n{i:03}") for i in range(200)]
    pods = [make_pod(f"p{i}").requests(cpu="100m") for i in range(40)]

    def decided(change_worker: Callable[[World], World]) -> list[tuple[int, str, str]]:
        world = World(*nodes, *pods)
        first = [world.one() for _ in range(20)]
        world = change_worker(world)
        return [(each.sequence, each.pod.name, each.node) for each in [*first, *world.all()]]

    stored: list[KubernetesObject] = [*(node.node() for node in nodes), *(pod.pod() for pod in pods)]
    assert decided(lambda world: taken_over(world, stored)) == decided(lambda world: world)


def test_pods_that_nobody_queued_yet_are_queued_on_take_over() -> None:
    world = taken_over(World(), [make_node("n").node(), make_pod("p").pod()])
    assert world.one().node == "n"


def test_a_gone_pod_is_not_taken_over() -> None:
    world = World(make_node("n"), make_pod("p"), make_pod("q"))
    later = taken_over(world, [make_node("n").node(), make_pod("q").pod()])
    assert [report.pod.name for report in later.all()] == ["q"]


def test_pod_infos_of_equal_pods_share_their_class() -> None:
    first, second = PodInfo(make_pod("a").pod()), PodInfo(make_pod("b").pod())
    assert first.class_key is second.class_key
