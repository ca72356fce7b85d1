"""The bodies that kube-scheduler v1.34.1 sent to an extender, whole, and what it made of the answers.

The same clusters are built here, every call is answered as it was answered
then, and each of the recorded bodies must come again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scheduler_core.framework.binding_cycle import BindingCycle
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.extenders import ExtenderAnswer, ExtenderSpec, binder_of
from scheduler_core.framework.recorder import no_stopwatch
from scheduler_core.objects.decode import decode
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.testing import NodeBuilder, PodBuilder, make_node, make_pod
from tests.scheduler_core.acceptance.running_cluster import RunningCluster

LINES = [json.loads(line) for line in (Path(__file__).parent / "extender-wire.jsonl").read_text().splitlines()]
RECORDED = {line["path"]: line for line in LINES}
GPU = "nvidia.com/gpu"


class Recorded:
    """Answers as then."""

    def __init__(self) -> None:
        # Path -> body.
        self.bodies: dict[str, Any] = {}

    def post(self, extender: ExtenderSpec, url: str, body: bytes) -> ExtenderAnswer:
        path = url.removeprefix("http://extender")
        self.bodies[path] = json.loads(body)
        return ExtenderAnswer(200, json.dumps(RECORDED[path]["response"]).encode())


def cluster(caller: Recorded, name: str, **extender: Any) -> RunningCluster:
    verbs = {"filterVerb": "filter", "prioritizeVerb": "prioritize", "weight": 1}
    return RunningCluster({"extenders": [{"urlPrefix": f"http://extender/{name}", **verbs, **extender}]}, caller=caller)


def three_nodes() -> list[NodeBuilder]:
    return [make_node(name) for name in ("n1", "n2", "n3")]


def stored(pod: PodBuilder, version: str, created: str) -> dict[str, Any]:
    """As the API server had it."""
    manifest = pod.labels(app="web").created(created).build()
    manifest["metadata"] |= {
        "namespace": "default",
        "uid": f"default-{manifest['metadata']['name']}",
        "resourceVersion": version,
    }
    manifest["spec"] |= {"schedulerName": "default-scheduler"}
    manifest["spec"].setdefault("priority", 0)
    manifest["status"] = {}
    return manifest


def pod_a() -> dict[str, Any]:
    container = {"name": "c", "image": "nginx", "resources": {"requests": {"cpu": "1", "memory": "64Mi"}}}
    return stored(make_pod("a").spec(containers=[container]), "1000", "2026-11-29T20:14:01Z")


def gpu_pod() -> dict[str, Any]:
    resources = {"limits": {GPU: "1"}, "requests": {"cpu": "1", GPU: "1"}}
    containers = [{"name": "c", "image": "i", "resources": resources}]
    return stored(make_pod("a").spec(containers=containers), "1001", "2026-11-29T20:14:02Z")


def two_cpu(priority: int) -> dict[str, Any]:
    container = {"name": "c", "image": "nginx", "resources": {"requests": {"cpu": "2", "memory": "64Mi"}}}
    return {"containers": [container], "priority": priority}


def matches(caller: Recorded, *paths: str) -> None:
    for path in paths:
        assert caller.bodies[path] == RECORDED[path]["request"], path


def test_names_are_enough_for_an_extender_that_knows_the_nodes() -> None:
    caller = Recorded()
    running = cluster(caller, "cap", nodeCacheCapable=True)
    running.add(*three_nodes(), pod_a())
    report = running.attempt()
    matches(caller, "/cap/filter", "/cap/prioritize")
    assert report.node == "n3"


def test_any_other_gets_whole_nodes_and_binds_what_it_was_asked_to() -> None:
    caller = Recorded()
    running = cluster(caller, "full", bindVerb="bind")
    running.add(*three_nodes(), pod_a())
    report = running.attempt()
    pod = decode(pod_a())
    assert isinstance(pod, Pod)
    extender = binder_of(running.extenders, PodInfo(pod))
    assert extender is not None
    binding = BindingCycle(
        running.scheduler.profiles["default-scheduler"], PodInfo(pod), report.node, CycleState(), None
    )  # type: ignore[arg-type]
    assert binding.bind_by_extender(extender, caller, no_stopwatch).is_success
    matches(caller, "/full/filter", "/full/prioritize", "/full/bind")


def test_a_managed_resource_is_the_extenders_affair_where_the_scheduler_ignores_it() -> None:
    caller = Recorded()
    managed = [{"name": GPU, "ignoredByScheduler": True}]
    running = cluster(caller, "managed", managedResources=managed)
    # The pod before this one took the search to another beginning.
    running.scheduler.restore([], next_start=1)
    running.add(*three_nodes(), gpu_pod())
    assert running.attempt().node == "n3"
    matches(caller, "/managed/filter", "/managed/prioritize")


@pytest.mark.parametrize(("name", "knows_nodes"), [("preempt", False), ("preempt-cap", True)])
def test_candidates_for_preemption_are_shown_with_their_victims(name: str, knows_nodes: bool) -> None:
    caller = Recorded()
    running = cluster(caller, name, preemptVerb="preempt", nodeCacheCapable=knows_nodes)
    low = stored(make_pod("low").spec(**two_cpu(0), nodeName="n2"), "", "")
    low["status"] = {"phase": "Running"}
    low["metadata"] = {key: value for key, value in low["metadata"].items() if value}
    del low["spec"]["schedulerName"]
    high = stored(make_pod("high").spec(**two_cpu(100)), "1000", "2026-11-29T20:14:01Z")
    running.add(make_node("n2").cpu("2"), low, high)
    refused = running.attempt()
    assert refused.preemption is not None
    assert (refused.preemption.node, [victim.name for victim in refused.preemption.victims]) == ("n2", ["low"])
    matches(caller, f"/{name}/preempt")
    # Once the victim is gone.
    later = cluster(caller, name, preemptVerb="preempt", nodeCacheCapable=knows_nodes)
    later.add(make_node("n2").cpu("2"), high)
    assert later.attempt().node == "n2"
    matches(caller, f"/{name}/filter")


def test_every_recorded_body_has_a_test() -> None:
    assert {path.split("/")[1] for path in RECORDED} == {"cap", "full", "managed", "preempt", "preempt-cap"}
    assert len(LINES) == len(RECORDED) == 11
