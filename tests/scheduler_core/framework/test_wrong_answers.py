"""A plugin that answers rubbish is the error of one pod's cycle; the scheduler goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from scheduler_core.configuration import decode_configuration
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on
from scheduler_core.framework.interface import (
    ALL_FIT,
    HintAnswer,
    PermitResult,
    PerNodePlugin,
    Plugin,
    PostFilterResult,
    PreFilterResult,
    QueueingHint,
    Verdicts,
)
from scheduler_core.framework.registry import RegistryEntry
from scheduler_core.framework.status import SUCCESS, Code, Status, unschedulable
from scheduler_core.framework.verdicts import reject_where
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.plugins.args import NoArgs
from scheduler_core.report import CycleReport, encode
from scheduler_core.scheduler import Scheduler
from scheduler_core.testing import FakeClock, make_node, make_pod

NO = unschedulable("no")
TROUBLEMAKER = "troublemaker"


def answering(method: str, answer: Any, base: type[Plugin] = Plugin) -> type[Plugin]:
    """A plugin whose `method` gives this answer, whatever it is asked."""

    def asked(self: Plugin, *args: Any) -> Any:
        return answer(*args) if callable(answer) else answer

    return type("Odd", (base,), {"name": "Odd", method: asked})


def scheduler_with(plugin: type[Plugin]) -> Scheduler:
    registry = {**DEFAULT_REGISTRY, plugin.name: RegistryEntry(plugin, NoArgs)}
    profiles: list[Mapping[str, Any]] = [
        {"schedulerName": "default-scheduler"},
        {"schedulerName": TROUBLEMAKER, "plugins": {"multiPoint": {"enabled": [{"name": plugin.name}]}}},
    ]
    document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": profiles,
    }
    scheduler = Scheduler(decode_configuration(document, registry), FakeClock(), seed=1, registry=registry)
    scheduler.restore([make_node(f"n{i}").cpu("4").node() for i in range(3)])
    return scheduler


def cycle_of(scheduler: Scheduler, name: str, profile: str, cpu: str = "1") -> CycleReport | None:
    pod = make_pod(name).requests(cpu=cpu).scheduler(profile).pod()
    scheduler.handle(ObjectChange(event="ADDED", object=pod))
    return scheduler.schedule_one()


def raises(*_: Any) -> Any:
    raise ValueError("the moon is full")


VERDICTS = [
    ("nothing", None, "answered None, expected Verdicts"),
    ("an array without statuses", np.zeros(3, dtype=np.int16), "expected Verdicts"),
    ("too few nodes", Verdicts(np.zeros(2, dtype=np.int16), ()), "codes of shape (2,), expected (3,)"),
    ("a table", Verdicts(np.zeros((3, 1), dtype=np.int16), ()), "codes of shape (3, 1), expected (3,)"),
    ("floats", Verdicts(np.array([0.0, np.nan, 1.0]), (NO,)), "codes of type float64"),
    ("a list", Verdicts([0, 0, 0], ()), "codes as [0, 0, 0] (list)"),  # type: ignore[arg-type]
    ("a negative code", Verdicts(np.array([0, -1, 0], dtype=np.int16), (NO,)), "answered the code -1"),
    ("a code that points nowhere", Verdicts(np.array([0, 2, 0], dtype=np.int16), (NO,)), "codes go from 0 to 1"),
    ("a status that is none", Verdicts(np.array([0, 1, 0], dtype=np.int16), ("no",)), "answered 'no' (str)"),  # type: ignore[arg-type]
    ("an exception", raises, "the moon is full"),
]


@pytest.mark.parametrize(("answer", "told"), [case[1:] for case in VERDICTS], ids=[case[0] for case in VERDICTS])
def test_filter_that_answers(answer: Any, told: str) -> None:
    scheduler = scheduler_with(answering("filter", answer))

    report = cycle_of(scheduler, "odd", TROUBLEMAKER)

    assert report is not None
    assert report.outcome == "error"
    assert report.message.startswith('running "Odd" filter plugin: ')
    assert told in report.message
    assert_others_go_on(scheduler)


SCORES = [
    ("nothing", None, "scores as None, expected a NumPy array of shape (3,)"),
    ("too few nodes", np.zeros(2, dtype=np.int64), "scores of shape (2,), expected (3,)"),
    ("not a number", np.array([1.0, np.nan, 2.0]), "scores of type float64, expected whole numbers"),
    ("truth values", np.array([True, False, True]), "scores of type bool"),
    ("an exception", raises, "the moon is full"),
]


@pytest.mark.parametrize(("answer", "told"), [case[1:] for case in SCORES], ids=[case[0] for case in SCORES])
def test_score_that_answers(answer: Any, told: str) -> None:
    scheduler = scheduler_with(answering("score", answer))

    report = cycle_of(scheduler, "odd", TROUBLEMAKER)

    assert report is not None
    assert report.outcome == "error"
    assert report.message.startswith('running Score plugin "Odd": ')
    assert told in report.message
    assert_others_go_on(scheduler)


@pytest.mark.parametrize("score", [101, -1])
def test_a_score_out_of_range_is_an_error_with_kube_schedulers_words(score: int) -> None:
    scheduler = scheduler_with(answering("score", np.full(3, score, dtype=np.int64)))

    report = cycle_of(scheduler, "odd", TROUBLEMAKER)

    assert report is not None
    assert report.message.endswith(
        f'plugin "Odd" returns an invalid score {score}, it should in the range of [0, 100] after normalizing'
    )
    assert_others_go_on(scheduler)


OTHERS = [
    ("pre_filter", None, "expected a PreFilterResult"),
    ("pre_filter", (None, None), "expected a PreFilterResult"),
    ("pre_filter", PreFilterResult(SUCCESS, ["n1"]), "expected a frozenset"),  # type: ignore[arg-type]
    ("pre_score", None, "expected a Status"),
    ("reserve", None, "expected a Status"),
    ("permit", SUCCESS, "expected a PermitResult"),
    ("permit", PermitResult(SUCCESS, -1.0), "expected seconds"),
]


@pytest.mark.parametrize(("method", "answer", "told"), OTHERS)
def test_a_wrong_answer_elsewhere(method: str, answer: Any, told: str) -> None:
    plugin = answering(method, answer)
    if method == "pre_score":
        plugin.score = lambda *_: np.zeros(3, dtype=np.int64)  # type: ignore[attr-defined]
    if method == "reserve":
        plugin.unreserve = lambda *_: None  # type: ignore[attr-defined]
    scheduler = scheduler_with(plugin)

    report = cycle_of(scheduler, "odd", TROUBLEMAKER)

    assert report is not None
    assert report.outcome == "error"
    assert told in report.message
    assert_others_go_on(scheduler)


STATUSES = [
    ("reasons that are numbers", Status(Code.UNSCHEDULABLE, (1, 2)), "expected reasons that are texts"),  # type: ignore[arg-type]
    ("a list of reasons", Status(Code.UNSCHEDULABLE, ["no"]), "a Code and a tuple of reasons"),  # type: ignore[arg-type]
    ("one text as reasons", Status(Code.UNSCHEDULABLE, "no"), "a Code and a tuple of reasons"),  # type: ignore[arg-type]
    ("no reasons at all", Status(Code.UNSCHEDULABLE, None), "a Code and a tuple of reasons"),  # type: ignore[arg-type]
    ("a number for a code", Status(2, ("no",)), "a Code and a tuple of reasons"),  # type: ignore[arg-type]
    ("a number for a plugin", Status(Code.UNSCHEDULABLE, ("no",), 5), "a Code and a tuple of reasons"),  # type: ignore[arg-type]
]
POINTS: dict[str, Callable[[Status], Any]] = {
    "pre_filter": PreFilterResult,
    "filter": lambda status: Verdicts(np.ones(3, dtype=np.int16), (status,)),
    "reserve": lambda status: status,
    "permit": PermitResult,
}


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(("status", "told"), [case[1:] for case in STATUSES], ids=[case[0] for case in STATUSES])
def test_a_status_with(point: str, status: Status, told: str) -> None:
    plugin = answering(point, POINTS[point](status))
    plugin.unreserve = lambda *_: None  # type: ignore[attr-defined]
    scheduler = scheduler_with(plugin)

    report = cycle_of(scheduler, "odd", TROUBLEMAKER)

    assert report is not None
    assert report.outcome == "error"
    assert told in report.message
    assert_others_go_on(scheduler)


@pytest.mark.parametrize("point", POINTS)
def test_words_that_no_database_stores_are_told_as_far_as_they_can_be(point: str) -> None:
    plugin = answering(point, POINTS[point](unschedulable("a\0b\ud800c" + "d" * 1_000_000)))
    plugin.unreserve = lambda *_: None  # type: ignore[attr-defined]

    report = cycle_of(scheduler_with(plugin), "odd", TROUBLEMAKER)

    assert report is not None
    assert "a\ufffdb\ufffdcddd" in report.message
    assert len(encode(report)) < 50_000


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def does_not_say_why(*_: Any) -> Any:
    raise Unspeakable


@pytest.mark.parametrize("point", POINTS)
def test_an_exception_that_breaks_when_asked_for_its_words_is_named(point: str) -> None:
    plugin = answering(point, does_not_say_why)
    plugin.unreserve = does_not_say_why  # type: ignore[attr-defined]
    scheduler = scheduler_with(plugin)

    report = cycle_of(scheduler, "odd", TROUBLEMAKER)

    assert report is not None
    assert report.message.endswith(": Unspeakable")
    assert_others_go_on(scheduler)


def test_data_that_cannot_be_sent_to_the_binding_cycle_is_the_plugins_error() -> None:
    def reserve(state: CycleState, *_: Any) -> Status:
        state.binding_data["Odd"] = object()
        return SUCCESS

    plugin = answering("reserve", reserve)
    plugin.unreserve = lambda *_: None  # type: ignore[attr-defined]
    scheduler = scheduler_with(plugin)

    report = cycle_of(scheduler, "odd", TROUBLEMAKER)

    assert report is not None
    assert report.outcome == "error"
    assert report.message.startswith('binding data of plugin "Odd" must be JSON: ')
    assert_others_go_on(scheduler)


def test_a_node_that_is_no_name_is_not_nominated() -> None:
    scheduler = scheduler_with(answering("post_filter", PostFilterResult(SUCCESS, 5)))  # type: ignore[arg-type]

    report = cycle_of(scheduler, "large", TROUBLEMAKER, cpu="64")

    assert report is not None
    assert not report.nominated_node_name
    assert_others_go_on(scheduler)


HINTS = [None, True, "queue", ("Queue",), HintAnswer("Queue", ""), HintAnswer(QueueingHint.QUEUE, None)]  # type: ignore[arg-type]


@pytest.mark.parametrize("answer", HINTS)
def test_a_hint_that_answers_rubbish_wakes_the_pod_and_nobody_is_stopped(answer: Any) -> None:
    plugin = answering("filter", lambda state, pod, snapshot, rows: reject_where(np.ones(3, dtype=bool), NO))
    plugin.events_to_register = lambda self: [on("Node", "Add", hint=lambda *_: answer)]  # type: ignore[method-assign]
    scheduler = scheduler_with(plugin)
    cycle_of(scheduler, "odd", TROUBLEMAKER)
    scheduler.drain_moves()

    scheduler.handle(ObjectChange(event="ADDED", object=make_node("new").cpu("4").node()))

    assert [move.pod.name for move in scheduler.drain_moves()] == ["odd"]


def test_a_wrong_answer_of_post_filter_is_told_in_the_report() -> None:
    scheduler = scheduler_with(answering("post_filter", lambda *_: PostFilterResult(None)))  # type: ignore[arg-type]

    report = cycle_of(scheduler, "large", TROUBLEMAKER, cpu="64")

    assert report is not None
    assert report.node == ""
    assert_others_go_on(scheduler)


def test_a_pod_whose_pre_enqueue_breaks_is_gated_and_says_why() -> None:
    scheduler = scheduler_with(answering("pre_enqueue", raises))

    assert cycle_of(scheduler, "odd", TROUBLEMAKER) is None

    queued = scheduler.queue.get(make_pod("odd").pod().metadata.uid)
    assert queued is not None
    assert queued.is_gated
    assert queued.message == 'running PreEnqueue plugin "Odd": the moon is full'
    assert_others_go_on(scheduler)


def test_a_pod_whose_place_in_the_queue_cannot_be_told_goes_last() -> None:
    def sort_key(pod: PodInfo, enqueued_at: float, first_active_at: float) -> tuple[float, ...]:
        if pod.name == "odd":
            raise ValueError("odd")
        return (enqueued_at,)

    plugin = answering("sort_key", sort_key)
    registry = {**DEFAULT_REGISTRY, plugin.name: RegistryEntry(plugin, NoArgs)}
    sets = {"queueSort": {"enabled": [{"name": plugin.name}], "disabled": [{"name": "*"}]}}
    document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": "default-scheduler", "plugins": sets}],
    }
    scheduler = Scheduler(decode_configuration(document, registry), FakeClock(), seed=1, registry=registry)
    scheduler.restore([make_node("n1").cpu("4").node()])
    for name in ("odd", "first", "second"):
        scheduler.handle(ObjectChange(event="ADDED", object=make_pod(name).pod()))

    reports = [scheduler.schedule_one() for _ in range(3)]

    assert [report.pod.name for report in reports if report] == ["first", "second", "odd"]


KEYS: list[Callable[[str], Any]] = [
    lambda name: (name,) if name < "m" else (1,),
    lambda name: (float("nan"),),
    lambda name: (object(),),
    lambda name: (None,),
    lambda name: None,
    lambda name: ((name, 1), 2) if name < "m" else ("x", None),
]


@pytest.mark.parametrize("key", KEYS)
def test_keys_that_cannot_be_compared_stop_nobody(key: Callable[[str], Any]) -> None:
    plugin = answering("sort_key", lambda pod, *_: key(pod.name))
    registry = {**DEFAULT_REGISTRY, plugin.name: RegistryEntry(plugin, NoArgs)}
    sets = {"queueSort": {"enabled": [{"name": plugin.name}], "disabled": [{"name": "*"}]}}
    document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": "default-scheduler", "plugins": sets}],
    }
    scheduler = Scheduler(decode_configuration(document, registry), FakeClock(), seed=1, registry=registry)
    scheduler.restore([make_node("n1").cpu("4").node()])
    for name in ("a", "z", "b", "y"):
        scheduler.handle(ObjectChange(event="ADDED", object=make_pod(name).pod()))
    scheduler.handle(ObjectChange(event="DELETED", object=make_pod("b").pod()))

    scheduled = {report.pod.name for _ in range(3) if (report := scheduler.schedule_one())}

    assert scheduled == {"a", "z", "y"}


def test_nodes_are_named_where_a_plugin_written_node_by_node_answers_wrongly() -> None:
    scheduler = scheduler_with(answering("score_node", 0.5, PerNodePlugin))
    report = cycle_of(scheduler, "odd", TROUBLEMAKER)
    assert report is not None
    assert "score_node answered 0.5 for node n0, expected a whole number" in report.message

    scheduler = scheduler_with(answering("filter_node", None, PerNodePlugin))
    report = cycle_of(scheduler, "odd", TROUBLEMAKER)
    assert report is not None
    assert "filter_node answered None for node n0, expected a Status" in report.message


def test_narrower_whole_numbers_are_as_good() -> None:
    scheduler = scheduler_with(answering("score", np.array([1, 2, 3], dtype=np.int32)))

    report = cycle_of(scheduler, "fine", TROUBLEMAKER)

    assert report is not None
    assert report.outcome == "scheduled"


def test_a_plugin_that_lets_all_pass_may_say_so_in_short() -> None:
    report = cycle_of(scheduler_with(answering("filter", ALL_FIT)), "fine", TROUBLEMAKER)

    assert report is not None
    assert report.outcome == "scheduled"


def assert_others_go_on(scheduler: Scheduler) -> None:
    report = cycle_of(scheduler, "other", "default-scheduler")
    assert report is not None
    assert report.outcome == "scheduled"
