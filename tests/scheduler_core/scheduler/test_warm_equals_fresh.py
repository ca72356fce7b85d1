"""A scheduler that has run for a while answers as one that was started just now.

Everything kept between cycles (columns, memos, counted views, domain totals)
is only for speed: whatever happened, a question about a pod gets the answer
that a fresh scheduler, given the same objects, works out from nothing.
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler_core.configuration import default_configuration
from scheduler_core.framework.status import SUCCESS, error
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.decode import decode
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.report import CycleReport
from scheduler_core.scheduler import Scheduler
from scheduler_core.testing import FakeClock, NodeBuilder, PodBuilder, make_node, make_pod

HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
NODES = tuple(f"n{i}" for i in range(6))
PODS = tuple(f"p{i}" for i in range(10))


def a_node(name: str, variant: int) -> NodeBuilder:
    builder = make_node(name).cpu(str(2 + variant % 3)).memory("8Gi").pods(4 + variant % 3)
    if variant % 4:
        builder.zone("abc"[variant % 3])
    if variant % 5 == 1:
        builder.taint("gpu", "true").resource("nvidia.com/gpu", "2")
    if variant % 5 == 2:
        builder.taint("old", "", "PreferNoSchedule").image("app:v1", size=500 * 2**20)
    if variant % 7 == 3:
        builder.cordoned()
    return builder


def a_pod(name: str, variant: int) -> PodBuilder:
    app = ("web", "db")[variant % 2]
    builder = make_pod(name).labels(app=app).requests(cpu=f"{200 * (1 + variant % 3)}m", memory="256Mi")
    term = {"topologyKey": (HOSTNAME, ZONE)[variant % 2], "labelSelector": {"matchLabels": {"app": app}}}
    weighted = {"weight": 10, "podAffinityTerm": term}
    match variant % 9:
        case 1:
            builder.spread(ZONE, max_skew=1)
        case 2:
            builder.spread(HOSTNAME, max_skew=1, hard=False).spread(ZONE, hard=False)
        case 3:
            builder.affinity(podAntiAffinity={"requiredDuringSchedulingIgnoredDuringExecution": [term]})
        case 4:
            builder.affinity(podAffinity={"requiredDuringSchedulingIgnoredDuringExecution": [term]})
        case 5:
            builder.affinity(podAffinity={"preferredDuringSchedulingIgnoredDuringExecution": [weighted]})
        case 6:
            builder.affinity(podAntiAffinity={"preferredDuringSchedulingIgnoredDuringExecution": [weighted]})
        case 7:
            builder.host_port(8080).toleration(key="gpu", operator="Exists")
        case 8:
            builder.request("nvidia.com/gpu", "1").toleration(operator="Exists").image("app:v1")
    return builder.priority(variant % 2)


steps = st.lists(
    st.one_of(
        st.tuples(st.just("node"), st.sampled_from(NODES), st.integers(0, 20)),
        st.tuples(st.just("no node"), st.sampled_from(NODES)),
        st.tuples(st.just("pod"), st.sampled_from(PODS), st.integers(0, 17)),
        st.tuples(st.just("no pod"), st.sampled_from(PODS)),
        st.tuples(st.just("schedule"), st.booleans()),
        st.tuples(st.just("ask"), st.integers(0, 17)),
    ),
    min_size=5,
    max_size=40,
)


class World:
    """A warm scheduler, and the objects that are there."""

    def __init__(self) -> None:
        self.scheduler = Scheduler(default_configuration(), FakeClock(), seed=1)
        self.objects: dict[tuple[str, str], dict[str, Any]] = {}

    def tell(self, event: Any, manifest: dict[str, Any]) -> None:
        key = manifest["kind"], manifest["metadata"]["name"]
        if event == "DELETED":
            del self.objects[key]
        else:
            self.objects[key] = manifest
        self.scheduler.handle(ObjectChange(event=event, object=decode(manifest)))

    def apply(self, step: Any) -> None:
        match step:
            case ("node", name, variant):
                self.tell("MODIFIED" if ("Node", name) in self.objects else "ADDED", a_node(name, variant).build())
            case ("pod", name, variant) if ("Pod", name) not in self.objects:
                self.tell("ADDED", a_pod(name, variant).build())
            case ("no node", name) if ("Node", name) in self.objects:
                self.tell("DELETED", self.objects["Node", name])
            case ("no pod", name) if ("Pod", name) in self.objects:
                self.tell("DELETED", self.objects["Pod", name])
            case ("schedule", succeeds):
                self.schedule(succeeds)
            case ("ask", variant):
                self.ask(variant)

    def schedule(self, succeeds: bool) -> None:
        report = self.scheduler.schedule_one()
        if report is None or report.outcome != "scheduled":
            return
        self.scheduler.binding_finished(report.pod.uid, report.node, SUCCESS if succeeds else error("no luck"))
        manifest = self.objects["Pod", report.pod.name]
        if succeeds:
            self.tell("MODIFIED", {**manifest, "spec": {**manifest["spec"], "nodeName": report.node}})

    def ask(self, variant: int) -> dict[str, Any]:
        return described(self.scheduler.schedule_pod(probe(variant)))

    def fresh(self) -> Scheduler:
        scheduler = Scheduler(default_configuration(), FakeClock(), seed=1)
        scheduler.restore(decode(manifest) for manifest in self.objects.values())
        return scheduler


def probe(variant: int) -> PodInfo:
    return a_pod("probe", variant).pod_info()


def described(report: CycleReport) -> dict[str, Any]:
    """The answer by node, in no order."""
    verdicts: dict[str, Any] = {}
    if report.filter is not None:
        for node, code in zip(report.filter.nodes, report.filter.status, strict=True):
            verdicts[node] = None if code < 0 else report.filter.statuses[code]
    scores: dict[str, Any] = {}
    if report.score is not None:
        for i, node in enumerate(report.score.nodes):
            scores[node] = {column.plugin: int(column.weighted[i]) for column in report.score.plugins}
    best = sorted(report.score.best) if report.score else []
    return {"outcome": report.outcome, "message": report.message, "verdicts": verdicts, "scores": scores, "best": best}


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_a_warm_scheduler_answers_like_a_fresh_one(taken: list[Any]) -> None:
    world = World()
    for step in taken:
        world.apply(step)
    fresh = world.fresh()
    for variant in range(18):
        assert world.ask(variant) == described(fresh.schedule_pod(probe(variant)))
        # Asked twice: now out of what was kept.
        assert world.ask(variant) == described(fresh.schedule_pod(probe(variant)))


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_asking_changes_nothing(taken: list[Any]) -> None:
    asked, plain = World(), World()
    for step in taken:
        asked.apply(step)
        for variant in (3, 8, 15):
            asked.ask(variant)
        if step[0] != "ask":
            plain.apply(step)
    for variant in range(18):
        assert asked.ask(variant) == plain.ask(variant)
    assert [move.target for move in asked.scheduler.drain_moves()] == [
        move.target for move in plain.scheduler.drain_moves()
    ]
