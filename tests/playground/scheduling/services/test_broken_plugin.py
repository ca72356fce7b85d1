"""A plugin that raises fails one pod's attempt: it is named, the pod backs off, and the others go on."""

from __future__ import annotations

import pytest

from playground.clusters.models import Cluster, Pod
from playground.scheduling.models import Decision, QueuedPod
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import ALL_FIT, Rows, Verdicts
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.node_name import NodeName
from scheduler_core.snapshot.snapshot import Snapshot
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.scheduling.driving import Worker, nodes_of_pods

pytestmark = pytest.mark.django_db

MESSAGE = 'running "NodeName" filter plugin: no such atlas'


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Cluster:
    def broken(plugin: NodeName, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        if pod.name == "unlucky":
            raise RuntimeError("no such atlas")
        return ALL_FIT

    monkeypatch.setattr(NodeName, "filter", broken)
    cluster = a_cluster()
    created(cluster, a_node("n1"), a_pod("unlucky"), a_pod("web"))
    Worker(cluster).work()
    return cluster


def test_only_the_pod_it_broke_on_is_left(cluster: Cluster) -> None:
    assert nodes_of_pods(cluster) == {"unlucky": "", "web": "n1"}


def test_the_pod_goes_to_backoff_and_says_which_plugin_broke_and_how(cluster: Cluster) -> None:
    assert QueuedPod.objects.get().queue == "backoffQ"
    decision = Decision.objects.get(name="unlucky")
    assert decision.outcome == "error"
    (condition,) = Pod.objects.get(name="unlucky").manifest["status"]["conditions"]
    assert (condition["status"], condition["reason"], condition["message"]) == ("False", "SchedulerError", MESSAGE)
