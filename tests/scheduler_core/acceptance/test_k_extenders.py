"""Questions people had about extenders, asked of a real HTTP server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from playground.scheduling.engine.extender_calls import HttpCaller
from scheduler_core.report import CycleReport
from scheduler_core.testing import make_node, make_pod
from tests.answering_server import AnsweringServer, Handler, Raw
from tests.scheduler_core.acceptance.running_cluster import RunningCluster

NODES = ("n1", "n2", "n3")
FOO = "example.com/foo"
# What DynamicResources says of every pod.
NO_CLAIMS = "no new claims to deallocate, "
Serve = Callable[..., AnsweringServer]


@pytest.fixture
def never() -> Iterator[threading.Event]:
    """What a server waits for that is not meant to answer; set when the test is over."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def serve() -> Iterator[Serve]:
    servers: list[AnsweringServer] = []

    def start(handlers: dict[str, Handler]) -> AnsweringServer:
        servers.append(AnsweringServer(handlers).__enter__())
        return servers[-1]

    yield start
    for server in servers:
        server.__exit__()


def running(*extenders: dict[str, Any], nodes: tuple[str, ...] = NODES, **config: Any) -> RunningCluster:
    cluster = RunningCluster({"extenders": list(extenders), **config}, caller=HttpCaller())
    cluster.add(*[make_node(name) for name in nodes])
    return cluster


def extender(server: AnsweringServer, *verbs: str, **fields: Any) -> dict[str, Any]:
    """One that knows the nodes, with these verbs."""
    named = {f"{verb}Verb": verb for verb in verbs}
    weight = {"weight": 1} if "prioritize" in verbs else {}
    return {"urlPrefix": server.url(), "nodeCacheCapable": True, **named, **weight, **fields}


def passes(*names: str, **answer: Any) -> Handler:
    return lambda _: {"NodeNames": list(names), **answer}


def passes_all(body: Any) -> Any:
    return {"NodeNames": body["NodeNames"]}


def attempt(cluster: RunningCluster, **requests: str) -> CycleReport:
    cluster.add(make_pod("web").requests(**(requests or {"cpu": "1"})))
    return cluster.attempt()


# K7: an extender that times out


def test_k7_an_ignorable_extender_that_is_too_slow_is_passed_over(serve: Serve, never: threading.Event) -> None:
    server = serve({"/filter": lambda _: never.wait(30)})
    report = attempt(running(extender(server, "filter", httpTimeout="100ms", ignorable=True)))
    assert report.outcome == "scheduled"
    (call,) = report.extender_calls
    assert (call.status, call.ignorable) == (0, True)
    assert "context deadline exceeded" in call.error


def test_k7_any_other_fails_the_attempt_and_the_pod_backs_off(serve: Serve, never: threading.Event) -> None:
    server = serve({"/filter": lambda _: never.wait(30)})
    cluster = running(extender(server, "filter", httpTimeout="100ms"))
    report = attempt(cluster)
    assert (report.outcome, report.reason) == ("error", "SchedulerError")
    assert report.message == (
        f'Post "{server.url("/filter")}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
    )
    assert cluster.place_of("web") == "backoffQ"


# K8: nodes that removing pods cannot help


def test_k8_a_node_in_both_maps_is_unresolvable_and_preemption_leaves_it_alone(serve: Serve) -> None:
    failed = {"FailedNodes": {"n1": "later", "n2": "later"}, "FailedAndUnresolvableNodes": {"n1": "never"}}
    server = serve({"/filter": passes(**failed)})
    cluster = running(extender(server, "filter"), nodes=("n1", "n2"))
    report = attempt(cluster)
    assert report.filter is not None
    codes = {status.reasons[0]: status.code for status in report.filter.statuses}
    assert codes == {"never": "UnschedulableAndUnresolvable", "later": "Unschedulable"}
    assert report.message.startswith(
        f"0/2 nodes are available: 1 later, 1 never. {NO_CLAIMS}preemption: 0/2 nodes are available:"
    )
    assert "1 Preemption is not helpful for scheduling" in report.message
    assert report.unschedulable_plugins == ["Extender"]


# K11: managed resources


def test_k11_it_is_asked_only_about_pods_that_request_what_it_manages(serve: Serve) -> None:
    server = serve({"/filter": passes_all})
    cluster = running(extender(server, "filter", managedResources=[{"name": FOO, "ignoredByScheduler": True}]))
    assert attempt(cluster).outcome == "scheduled"
    assert not server.calls
    cluster.add(make_pod("foo").requests(**{FOO: "1"}))
    assert cluster.attempt().outcome == "scheduled"
    assert len(server.calls) == 1


def test_k11_an_init_container_counts_and_so_does_a_limit(serve: Serve) -> None:
    server = serve({"/filter": passes_all})
    cluster = running(extender(server, "filter", managedResources=[{"name": FOO, "ignoredByScheduler": True}]))
    init = {"name": "i", "image": "i", "resources": {"limits": {FOO: "1"}}}
    cluster.add(make_pod("foo").spec(initContainers=[init]))
    cluster.attempt()
    assert len(server.calls) == 1


def test_k11_without_ignored_by_scheduler_the_nodes_must_have_it(serve: Serve) -> None:
    server = serve({"/filter": passes_all})
    cluster = running(extender(server, "filter", managedResources=[{"name": FOO}]))
    cluster.add(make_pod("foo").requests(**{FOO: "1"}))
    assert f"3 Insufficient {FOO}" in cluster.attempt().message
    assert not server.calls


# Filter


def test_each_extender_gets_what_the_one_before_let_pass(serve: Serve) -> None:
    first, second = serve({"/filter": passes("n3", "n1")}), serve({"/filter": passes("n1")})
    report = attempt(running(extender(first, "filter"), extender(second, "filter")))
    assert second.calls[0].body["NodeNames"] == ["n3", "n1"]
    assert report.node == "n1"
    assert [call.nodes_passed for call in report.extender_calls] == [2, 1]
    (filtering,) = [point for point in report.points if point.point == "filter"]
    assert (filtering.plugins[-1].name, filtering.plugins[-1].rejected) == ("Extender", 2)


def test_who_must_be_heard_is_asked_before_those_that_may_be_ignored(serve: Serve) -> None:
    first, second = serve({"/filter": passes("n1", "n2")}), serve({"/filter": passes("n2")})
    report = attempt(running(extender(first, "filter", ignorable=True), extender(second, "filter")))
    assert [call.extender for call in report.extender_calls] == [second.url(), first.url()]
    assert first.calls[0].body["NodeNames"] == ["n2"]


def test_reasons_of_extenders_are_counted_like_any_others(serve: Serve) -> None:
    server = serve({"/filter": passes(FailedNodes={"n1": "no licence", "n2": "no licence"})})
    cluster = running(extender(server, "filter"))
    cluster.add(make_node("n4").cordoned())
    message = attempt(cluster).message
    assert message.startswith("0/4 nodes are available: 1 node(s) were unschedulable, 2 no licence. ")


def test_nodes_that_an_extender_drops_in_silence_have_no_reason(serve: Serve) -> None:
    cluster = running(extender(serve({"/filter": passes()}), "filter"))
    report = attempt(cluster)
    assert report.message.startswith(
        f"0/3 nodes are available: {NO_CLAIMS}preemption: 0/3 nodes are available: 3 Preemption is"
    )
    assert report.unschedulable_plugins == ["Extender"]


def test_a_pod_that_an_extender_rejected_is_woken_by_any_event(serve: Serve) -> None:
    cluster = running(extender(serve({"/filter": passes()}), "filter"))
    cluster.add(make_pod("web"))
    cluster.scheduler.schedule_one()
    assert cluster.place_of("web") == "unschedulablePods"
    cluster.add(make_pod("other").on("n1"))
    assert cluster.place_of("web") == "backoffQ"


def test_keys_of_an_answer_may_be_written_in_any_case(serve: Serve) -> None:
    server = serve({"/filter": lambda _: {"nodenames": ["n2"], "failednodes": {"n1": "no"}, "unknown": 1}})
    assert attempt(running(extender(server, "filter"))).node == "n2"


def test_the_nominated_node_must_please_the_extenders_too(serve: Serve) -> None:
    asked: list[list[str]] = []

    def not_n1(body: Any) -> Any:
        asked.append(body["NodeNames"])
        return {"NodeNames": [name for name in body["NodeNames"] if name != "n1"]}

    cluster = running(extender(serve({"/filter": not_n1}), "filter"))
    cluster.scheduler.queue.nominator.add(make_pod("web").requests(cpu="1").pod_info(), "n1")
    pod = make_pod("web").requests(cpu="1")
    cluster.add(pod)
    cluster.scheduler.queue.nominator.add(pod.pod_info(), "n1")
    assert cluster.attempt().node in ("n2", "n3")
    assert asked == [["n1"], ["n1", "n2", "n3"]]


def test_an_extender_that_fails_over_the_nominated_node_is_asked_again_about_all(serve: Serve) -> None:
    asked: list[list[str]] = []

    def fails_first(body: Any) -> Any:
        asked.append(body["NodeNames"])
        return {"Error": "not ready"} if len(asked) == 1 else {"NodeNames": body["NodeNames"]}

    cluster = running(extender(serve({"/filter": fails_first}), "filter"))
    pod = make_pod("web").requests(cpu="1")
    cluster.add(pod)
    cluster.scheduler.queue.nominator.add(pod.pod_info(), "n1")
    report = cluster.attempt()
    assert report.outcome == "scheduled"
    assert asked == [["n1"], ["n1", "n2", "n3"]]
    assert [call.error for call in report.extender_calls] == ["not ready", ""]


def test_with_an_extender_the_search_does_not_end_at_the_first_node_that_fits(serve: Serve) -> None:
    server = serve({"/filter": passes_all})
    unscored = [{"schedulerName": "default-scheduler", "plugins": {"multiPoint": {"disabled": [{"name": "*"}]}}}]
    unscored[0]["plugins"] = {"score": {"disabled": [{"name": "*"}]}}
    attempt(running(extender(server, "filter"), profiles=unscored))
    assert len(server.calls[0].body["NodeNames"]) == 3


# Prioritize


def test_scores_count_ten_times_their_weight_beside_those_of_plugins(serve: Serve) -> None:
    scores = [{"Host": "n2", "Score": 7}, {"Host": "elsewhere", "Score": 10}]
    server = serve({"/prioritize": lambda _: scores})
    report = attempt(running(extender(server, "prioritize", weight=3)))
    assert report.node == "n2"
    assert report.score is not None
    column = report.score.plugins[-1]
    assert (column.plugin, column.weight) == (server.url(), 3)
    by_node = dict(zip(report.score.nodes, zip(column.raw, column.weighted, strict=True), strict=True))
    assert by_node == {"n1": (0, 0), "n2": (7, 210), "n3": (0, 0)}


def test_an_extender_that_cannot_score_is_passed_over_whether_ignorable_or_not(serve: Serve) -> None:
    server = serve({"/prioritize": lambda _: Raw(status=500)})
    report = attempt(running(extender(server, "prioritize")))
    assert report.outcome == "scheduled"
    assert (
        report.extender_calls[0].error
        == f"failed prioritize with extender at URL {server.url('/prioritize')}, code 500"
    )


# Preempt


def crowded(*extenders: dict[str, Any]) -> RunningCluster:
    """A pod of low priority on each of two full nodes."""
    cluster = RunningCluster({"extenders": list(extenders)}, caller=HttpCaller())
    for node in ("n1", "n2"):
        cluster.add(make_node(node).cpu("1"), make_pod(f"low-{node}").requests(cpu="1").on(node))
    cluster.add(make_pod("high").requests(cpu="1").priority(100))
    return cluster


def keeps(*nodes: str) -> Handler:
    return lambda body: {"NodeNameToMetaVictims": {node: body["NodeNameToMetaVictims"][node] for node in nodes}}


def test_an_extender_chooses_among_the_candidates(serve: Serve) -> None:
    cluster = crowded(extender(serve({"/preempt": keeps("n2")}), "preempt"))
    report = cluster.attempt()
    assert report.preemption is not None
    assert (report.nominated_node_name, [each.name for each in report.preemption.victims]) == ("n2", ["low-n2"])


def test_no_candidate_left_is_said_so(serve: Serve) -> None:
    cluster = crowded(extender(serve({"/preempt": keeps()}), "preempt"))
    assert cluster.attempt().message == (
        f"0/2 nodes are available: 2 Insufficient cpu. {NO_CLAIMS}preemption: no candidate node for preemption"
    )


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ({"n9": {"Pods": [{"UID": "x"}]}}, 'nodeinfo not found for node name "n9"'),
        (
            {"n1": {"Pods": [{"UID": "x"}]}},
            "claims to preempt pod (UID: &{x}) on node: n1, but the pod is not found on that node",
        ),
        ({"n1": {"Pods": []}}, 'expected at least one victim pod on node "n1"'),
    ],
    ids=["unknown node", "unknown victim", "no victim"],
)
def test_impossible_victims_are_an_error_unless_ignorable(answer: Any, error: str, serve: Serve) -> None:
    server = serve({"/preempt": lambda _: {"NodeNameToMetaVictims": answer}})
    refused = crowded(extender(server, "preempt")).attempt()
    assert error in refused.message
    assert not refused.nominated_node_name
    ignored = crowded(extender(server, "preempt", ignorable=True)).attempt()
    assert error in ignored.extender_calls[0].error


def test_removing_pods_does_not_change_an_extenders_mind(serve: Serve) -> None:
    """The pod fits with everybody still there as far as the plugins can tell: kube-scheduler calls that an error."""
    server = serve({"/filter": passes(FailedNodes={"n1": "no licence", "n2": "no licence"})})
    cluster = running(extender(server, "filter"), nodes=("n1", "n2"))
    cluster.add(*[make_pod(f"low-{node}").requests(cpu="1").on(node) for node in ("n1", "n2")])
    cluster.add(make_pod("high").requests(cpu="1").priority(100))
    head, _, errors = cluster.attempt().message.partition("preemption: ")
    assert head == "0/2 nodes are available: 2 no licence. "
    of_each = {f'expected at least one victim pod on node "{node}"' for node in ("n1", "n2")}
    assert (errors[0], errors[-1]) == ("[", "]")
    assert set(errors[1:-1].split(", ")) == of_each


# What else an extender may answer


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Raw(status=500, parts=(b"oops",)), "failed filter with extender at URL {url}/filter, code 500"),
        (Raw(status=302, headers={"Location": "/x"}), "failed filter with extender at URL {url}/filter, code 302"),
        (Raw(parts=(b"not json",)), "the answer is not JSON"),
        (Raw(parts=(b"[" * 100_000,)), "the answer is not JSON"),
        ({"Error": "out of licences"}, "out of licences"),
        (
            {"NodeNames": ["n9"]},
            'extender "{url}" claims a filtered node "n9" which is not found in the input node list',
        ),
        ({"NodeNames": "n1"}, "NodeNames should be a list, not a text"),
        ({"NodeNames": [1]}, "NodeNames[0] should be a text, not 1"),
        ({"FailedNodes": ["n1"]}, "FailedNodes should be an object, not a list"),
        ([], "the answer should be an object, not a list"),
    ],
    ids=["500", "redirect", "rubbish", "deep", "error", "unknown node", "text", "number", "list", "no object"],
)
def test_a_bad_answer_is_the_pods_error_in_words(answer: Any, error: str, serve: Serve) -> None:
    server = serve({"/filter": lambda _: answer})
    report = attempt(running(extender(server, "filter")))
    assert report.outcome == "error"
    assert error.format(url=server.url()) in report.message
    assert report.extender_calls[0].error == report.message


def test_what_is_said_of_nodes_nobody_knows_is_counted_and_harms_nobody(serve: Serve) -> None:
    server = serve({"/filter": passes(FailedNodes={"n9": "no such place"})})
    assert "1 no such place." in attempt(running(extender(server, "filter"))).message


def test_a_call_is_recorded_with_its_request_and_answer(serve: Serve) -> None:
    server = serve({"/filter": passes_all})
    (call,) = attempt(running(extender(server, "filter"))).extender_calls
    assert (call.extender, call.verb, call.url) == (server.url(), "filter", server.url("/filter"))
    assert (call.status, call.nodes, call.nodes_passed, call.error) == (200, 3, 3, "")
    assert call.request.startswith('{"Pod":{"kind":"Pod"')
    assert call.response == '{"NodeNames": ["n1", "n2", "n3"]}'
    assert call.request_bytes > len(call.response) == call.response_bytes


def test_five_thousand_whole_nodes_can_be_sent(serve: Serve) -> None:
    server = serve({"/filter": lambda body: {"Nodes": {"items": body["Nodes"]["items"][:1]}}})
    cluster = running(
        extender(server, "filter", nodeCacheCapable=False),
        nodes=tuple(f"n{i:04}" for i in range(5_000)),
        percentageOfNodesToScore=100,
    )
    report = attempt(cluster)
    assert report.outcome == "scheduled"
    assert report.extender_calls[0].nodes == 5_000


def test_a_mere_question_is_not_passed_on(serve: Serve) -> None:
    server = serve({"/filter": passes()})
    cluster = running(extender(server, "filter", "prioritize"))
    report = cluster.scheduler.schedule_pod(make_pod("web").pod_info())
    assert report.outcome == "scheduled"
    assert not server.calls


# Whatever else it may say


def test_words_of_an_extender_that_no_database_stores_are_told_as_far_as_they_can_be(serve: Serve) -> None:
    server = serve({"/filter": lambda _: {"Error": "a\0b" + "c" * 1_000_000}})

    report = attempt(running(extender(server, "filter")))

    assert report.outcome == "error"
    assert report.message.startswith("a\ufffdbccc")
    assert len(report.message) < 5_000


def test_reasons_of_an_extender_are_stored_without_nul(serve: Serve) -> None:
    server = serve({"/filter": lambda _: {"FailedNodes": dict.fromkeys(NODES, "x\0y")}})

    report = attempt(running(extender(server, "filter")))

    assert "3 x\ufffdy." in report.message


def test_an_answer_about_more_nodes_than_any_cluster_has_is_an_error(serve: Serve) -> None:
    server = serve({"/filter": lambda _: {"FailedNodes": {f"z{i}": f"r{i}" for i in range(10_001)}}})

    report = attempt(running(extender(server, "filter")))

    assert report.message == "FailedNodes has 10001 entries; at most 10000 are read"


def test_a_reason_a_node_makes_no_endless_message(serve: Serve) -> None:
    server = serve({"/filter": lambda _: {"FailedNodes": {f"z{i}": f"r{i}" * 100 for i in range(1_000)}}})

    report = attempt(running(extender(server, "filter")))

    assert report.outcome == "unschedulable"
    assert len(report.message) < 40_000
