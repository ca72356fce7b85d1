"""Plugins written in CEL, in a cycle."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
import pytest

from scheduler_core.configuration import decode_configuration
from scheduler_core.framework.interface import ExtensionPoint, FilterReads, Plugin, QueueingHint, implements
from scheduler_core.framework.status import Code
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.plugins.cel import CelPluginDefinition, cel_plugin_entry, definition_problems
from scheduler_core.plugins.cel.answers import Answers, NodeFailure
from scheduler_core.plugins.cel.language import Purpose, cel_expression
from scheduler_core.plugins.cel.values import NodeReader
from scheduler_core.plugins.cel.variables import POD_FIELDS
from scheduler_core.report import CycleReport
from scheduler_core.scheduler import Scheduler
from scheduler_core.snapshot.snapshot import Snapshot
from scheduler_core.testing import FakeClock, NodeBuilder, PodBuilder, make_node, make_pod
from tests.scheduler_core.plugins.harness import Bench

SSD = 'node.labels[?"disk"].orValue("") == "ssd"'
FREE_CPU = '100 - node.requested["cpu"] * 100 / node.allocatable["cpu"]'


def plugin(bench: Bench | None = None, **fields: str) -> Plugin:
    entry = cel_plugin_entry(CelPluginDefinition(name="Mine", **fields))
    return entry.plugin(entry.args(), bench or Bench())  # type: ignore[arg-type]


def info(builder: PodBuilder) -> PodInfo:
    return PodInfo(builder.pod())


def test_a_plugin_takes_part_where_it_has_an_expression() -> None:
    only_filter = type(plugin(filter=SSD))
    only_score = type(plugin(score=FREE_CPU))

    assert implements(only_filter, ExtensionPoint.FILTER)
    assert not implements(only_filter, ExtensionPoint.SCORE)
    assert implements(only_score, ExtensionPoint.SCORE)
    assert not implements(only_score, ExtensionPoint.FILTER)


def test_filter_rejects_with_the_message_that_was_written() -> None:
    bench = Bench(make_node("fast").label("disk", "ssd"), make_node("slow").label("disk", "hdd"), make_node("none"))

    answers = bench.filter(plugin(bench, filter=SSD, message="node(s) had no SSD"), info(make_pod("p")))

    assert answers["fast"].is_success
    assert answers["slow"].reasons == answers["none"].reasons == ("node(s) had no SSD",)
    assert answers["slow"].code is Code.UNSCHEDULABLE_AND_UNRESOLVABLE


def test_a_rejection_that_depends_on_pods_can_be_resolved_by_preemption() -> None:
    alone = plugin(filter="node.pods.size() == 0")
    bench = Bench(make_node("n1"), make_pod("there").on("n1"))

    status = bench.filter(alone, info(make_pod("p")))["n1"]

    assert status.code is Code.UNSCHEDULABLE
    assert status.reasons == ("node(s) didn't match CEL filter of Mine",)
    assert alone.filter_reads is FilterReads.PODS
    assert plugin(filter=SSD).filter_reads is FilterReads.NODE


def test_everything_an_expression_can_see() -> None:
    node = make_node("n1").cpu("4").memory("8Gi").label("disk", "ssd").taint("gpu", "yes").image("app:1", size=100)
    bench = Bench(node, make_pod("there").labels(app="db").priority(7).requests(cpu="500m").on("n1"))
    pod = info(make_pod("p", "shop").labels(app="web").priority(3).requests(cpu="250m"))
    seen = [
        'pod.name == "p" && pod.namespace == "shop" && pod.priority == 3',
        'pod.labels == {"app": "web"} && pod.requests == {"cpu": 250}',
        'pod.spec.containers[0].resources.requests.cpu == "250m"',
        'node.name == "n1" && node.labels.disk == "ssd" && !node.unschedulable',
        'node.taints[0] == {"key": "gpu", "value": "yes", "effect": "NoSchedule"}',
        'node.allocatable["cpu"] == 4000 && node.allocatable.memory == 8589934592',
        'node.requested.cpu == 500 && node.requested["pods"] == 1 && !("gpu" in node.requested)',
        'node.pods.exists(p, p.name == "there" && p.labels.app == "db" && p.priority == 7 && p.requests.cpu == 500)',
        'node.images.exists(image, image.endsWith("app:1"))',
    ]

    for text in seen:
        assert bench.filter(plugin(bench, filter=text), pod)["n1"].is_success, text


def test_scores_are_worked_out_for_each_node() -> None:
    bench = Bench(make_node("empty").cpu("4"), make_node("half").cpu("4"), make_pod("x").requests(cpu="2").on("half"))

    assert bench.score(plugin(bench, score=FREE_CPU), info(make_pod("p"))) == {"empty": 100, "half": 50}


def test_an_expression_that_fails_for_a_node_names_it() -> None:
    bench = Bench(make_node("good").label("disk", "ssd"), make_node("bad"))
    broken = plugin(bench, filter='node.labels["disk"] == "ssd"')

    for _ in range(3):
        with pytest.raises(
            ValueError, match=r"^filter expression of Mine: node bad: there is no key \"disk\";"
        ) as failed:
            bench.filter(broken, info(make_pod("p")))
        assert "(line 1, column 14)" in str(failed.value)


def test_it_fails_only_for_pods_that_ask_about_that_node() -> None:
    bench = Bench(make_node("good").label("disk", "ssd"), make_node("bad"))
    answers = Answers(cel_expression('node.labels["disk"] == "ssd"', Purpose.FILTER))
    good = np.array([bench.snapshot.row_of("good")])

    for _ in range(3):
        assert answers.get(info(make_pod("p")), bench.snapshot, good).tolist() == [1]
        with pytest.raises(NodeFailure):
            answers.get(info(make_pod("p")), bench.snapshot, slice(0, 2))


WATCHED = [
    (SSD, Purpose.FILTER),
    (FREE_CPU, Purpose.SCORE),
    ("node.pods.size()", Purpose.SCORE),
    ("node.pods.exists(p, p.labels == pod.labels)", Purpose.FILTER),
    ('pod.labels[?"app"].orValue("") == "a" && "disk" in node.labels', Purpose.FILTER),
    ('node.requested["pods"] * 10 + (node.name == pod.name ? 1 : 0)', Purpose.SCORE),
]


@pytest.mark.parametrize(("text", "purpose"), WATCHED)
def test_answers_kept_are_those_of_a_fresh_start(text: str, purpose: Purpose) -> None:
    """Nodes and pods come, change and go in any order; what is kept never differs from what is worked out anew."""
    random = Random(7)
    snapshot, warm = Snapshot(), Answers(cel_expression(text, purpose))
    pods = [info(make_pod(f"p{i}").labels(app=random.choice("ab")).requests(cpu="100m")) for i in range(4)]
    for step in range(250):
        _change_something(snapshot, random, step)
        snapshot.refresh()
        pod, first = random.choice(pods), random.randrange(snapshot.n)
        rows = slice(first, random.randrange(first, snapshot.n) + 1)
        fresh = Answers(cel_expression(text, purpose)).get(pod, snapshot, rows)
        assert warm.get(pod, snapshot, rows).tolist() == fresh.tolist(), step


def _change_something(snapshot: Snapshot, random: Random, step: int) -> None:
    what = random.choice(("node", "label", "gone", "pod", "pod", "pod", "pod gone", "trial"))
    if what == "node" or snapshot.n < 3:
        snapshot.add_node(_node(f"n{step}", random))
        return
    record = random.choice(snapshot.records)
    if what == "label":
        snapshot.update_node(_node(record.name, random))
    elif what == "gone":
        snapshot.remove_node(record.name)
    elif what == "pod":
        snapshot.add_pod(record, info(make_pod(f"on{step}").labels(app=random.choice("ab")).requests(cpu="200m")))
    elif what == "pod gone" and record.pods:
        snapshot.remove_pod(record, random.choice(list(record.pods.values())))


def _node(name: str, random: Random) -> Any:
    built = make_node(name).cpu("8").zone(random.choice(("z1", "z2", "z3")))
    if random.random() < 0.3:
        built = make_node(name).cpu("8")
    if random.random() < 0.2:
        built.resource("nvidia.com/gpu", "1")
    return built.label("disk", random.choice(("ssd", "hdd"))).node() if random.random() < 0.7 else built.node()


@pytest.mark.parametrize(
    "text",
    [
        'node.labels[?"disk"].orValue("") == "ssd" || "topology.kubernetes.io/zone" in node.labels',
        '"cpu" in node.requested && node.requested.cpu >= 200 && !("nvidia.com/gpu" in node.allocatable)',
        'node.requested["pods"] > 1 && node.allocatable.memory > 0',
        "node.pods.exists(p, p.labels.app == 'a' && p.requests.cpu == 200)",
        "node.unschedulable || node.pods.size() == 2",
    ],
)
def test_what_is_left_out_of_the_values_makes_no_difference(text: str) -> None:
    random, snapshot = Random(3), Snapshot()
    for number in range(60):
        snapshot.add_node(_node(f"n{number}", random))
    snapshot.refresh()
    for number in range(80):
        pod = make_pod(f"on{number}").labels(app=random.choice("ab")).requests(cpu=random.choice(("100m", "200m")))
        snapshot.add_pod(random.choice(snapshot.records), info(pod))
    expression, asking = cel_expression(text, Purpose.FILTER), info(make_pod("p"))
    whole = NodeReader(dict.fromkeys(expression.keys), POD_FIELDS)

    answers = Answers(expression).get(asking, snapshot, slice(0, snapshot.n)).tolist()

    assert answers == [expression.evaluate(whole.data(read)) for read in whole.read(snapshot, snapshot.all_rows)]
    assert len(set(answers)) == 2, "the nodes should differ"


def test_too_many_steps_for_one_node_stop_nobody_else() -> None:
    bench = Bench(make_node("empty"), make_node("full"))
    for i in range(101):
        bench.add(make_pod(f"p{i}").on("full"))
    heavy = plugin(bench, filter="node.pods.all(a, node.pods.all(b, a.name != '' && b.name != ''))")
    rows = np.array([bench.snapshot.row_of("empty")])

    for _ in range(3):
        with pytest.raises(ValueError, match="node full: the expression takes more than 10,000 steps"):
            bench.filter(heavy, info(make_pod("p")))
        assert heavy.filter(None, info(make_pod("p")), bench.snapshot, rows).codes is None  # type: ignore[attr-defined]


COSTLY = "node.pods.all(a, node.pods.all(b, a.name != '' && b.name != ''))"


def test_a_question_that_takes_too_long_over_many_nodes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(1_000))
    monkeypatch.setattr("time.thread_time", lambda: next(seconds) * 0.2)
    bench = Bench(*(make_node(f"n{i}") for i in range(20)))
    heavy = plugin(bench, filter=COSTLY)

    with pytest.raises(ValueError, match=r"the expression took more than 1 s for 6 nodes; look at fewer"):
        bench.filter(heavy, info(make_pod("p")))

    used = next(seconds)
    with pytest.raises(ValueError, match=r"took more than 1 s for 6 nodes"):
        bench.filter(heavy, info(make_pod("p")))
    assert next(seconds) - used < 10, "asked again about the same nodes, it takes no time"


def test_a_question_that_was_given_up_is_asked_again_about_other_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(*(make_node(f"n{i}") for i in range(20)))
    heavy = plugin(bench, filter=COSTLY)
    with monkeypatch.context() as slow:
        seconds = iter(range(1_000))
        slow.setattr("time.thread_time", lambda: next(seconds) * 0.2)
        with pytest.raises(ValueError, match="took more than"):
            bench.filter(heavy, info(make_pod("p")))

    bench.add(make_node("new"))

    assert bench.filter(heavy, info(make_pod("p")))["new"].is_success


def test_what_may_take_long_is_not_worked_out_for_every_event() -> None:
    costly = plugin(filter='node.name.matches("^n[0-9]{1,3}$")')

    assert all(registration.hint is None for registration in costly.events_to_register())


# Among the default plugins


def scheduler_with(*definitions: CelPluginDefinition, nodes: list[NodeBuilder]) -> Scheduler:
    registry = {**DEFAULT_REGISTRY, **{each.name: cel_plugin_entry(each) for each in definitions}}
    enabled: list[Mapping[str, Any]] = [{"name": each.name, "weight": 5} for each in definitions]
    document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": "default-scheduler", "plugins": {"multiPoint": {"enabled": enabled}}}],
    }
    scheduler = Scheduler(decode_configuration(document, registry), FakeClock(), seed=1, registry=registry)
    scheduler.restore([node.node() for node in nodes])
    return scheduler


def cycle_of(scheduler: Scheduler, builder: PodBuilder) -> CycleReport:
    scheduler.handle(ObjectChange(event="ADDED", object=builder.pod()))
    report = scheduler.schedule_one()
    assert report is not None
    return report


def test_its_results_are_recorded_like_any_others() -> None:
    mine = CelPluginDefinition(name="Mine", filter=SSD, score=FREE_CPU)
    nodes = [make_node(name).cpu("4").label("disk", "ssd") for name in ("n1", "n2")]

    report = cycle_of(scheduler_with(mine, nodes=nodes), make_pod("p").requests(cpu="1"))

    assert report.outcome == "scheduled"
    assert report.score is not None
    column = next(each for each in report.score.plugins if each.plugin == "Mine")
    assert list(column.raw) == [100, 100]
    assert list(column.weighted) == [500, 500]


def test_a_score_of_101_is_an_error_of_the_pod() -> None:
    mine = CelPluginDefinition(name="Mine", score="101")
    scheduler = scheduler_with(mine, nodes=[make_node("n1").cpu("4"), make_node("n2").cpu("4")])

    report = cycle_of(scheduler, make_pod("p"))

    assert report.outcome == "error"
    assert report.message.endswith(
        'plugin "Mine" returns an invalid score 101, it should in the range of [0, 100] after normalizing'
    )


def test_a_pod_it_rejected_wakes_when_a_node_begins_to_match_and_not_before() -> None:
    mine = CelPluginDefinition(name="Mine", filter=SSD)
    scheduler = scheduler_with(mine, nodes=[make_node("n1").cpu("4")])
    report = cycle_of(scheduler, make_pod("p"))
    assert report.message.startswith("0/1 nodes are available: 1 node(s) didn't match CEL filter of Mine.")

    scheduler.handle(ObjectChange(event="ADDED", object=make_node("n2").cpu("4").label("disk", "hdd").node()))
    assert not scheduler.has_work()
    scheduler.handle(ObjectChange(event="MODIFIED", object=make_node("n2").cpu("4").label("disk", "ssd").node()))

    queued = scheduler.queue.get(make_pod("p").pod().metadata.uid)
    assert queued is not None
    assert queued.queue != "unschedulablePods"


def test_hints_of_a_filter_that_looks_at_pods_leave_it_to_the_next_attempt() -> None:
    registered = plugin(filter="node.pods.size() < 2").events_to_register()

    assert {(each.resource, action) for each in registered for action in each.actions} >= {
        ("Node", "Add"),
        ("Pod", "Delete"),
    }
    assert all(each.hint is None for each in registered)


def test_a_node_on_which_the_filter_fails_is_worth_a_look() -> None:
    registered = plugin(filter='node.labels["disk"] == "ssd"').events_to_register()
    hint = registered[0].hint
    assert hint is not None

    assert hint(info(make_pod("p")), None, make_node("n").node()).hint is QueueingHint.QUEUE


PROBLEMS = [
    ("no name", {"name": "", "filter": "true"}, "name"),
    ("a name with a space", {"name": "my plugin", "filter": "true"}, "name"),
    ("no expression", {"name": "Mine"}, "filter"),
    ("a broken score", {"name": "Mine", "score": "node.labels"}, "score"),
    ("two lines of message", {"name": "Mine", "filter": "true", "message": "a\nb"}, "message"),
]


@pytest.mark.parametrize(("fields", "field"), [case[1:] for case in PROBLEMS], ids=[case[0] for case in PROBLEMS])
def test_a_definition_with(fields: dict[str, str], field: str) -> None:
    assert [each.field for each in definition_problems(CelPluginDefinition(**fields))] == [field]
