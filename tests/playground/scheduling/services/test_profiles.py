"""A configuration is read strictly, takes effect with the next slice, and keeps the queue."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from playground.clusters.models import Cluster
from playground.common.errors import Invalid
from playground.scheduling.models import Decision, Profile, QueuedPod
from playground.scheduling.services.profiles import configuration_get, configuration_replace
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import LiveWatch
from tests.playground.scheduling.driving import Worker, nodes_of_pods

pytestmark = pytest.mark.django_db

Json = dict[str, Any]


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def document(*profiles: Json, **fields: Any) -> Json:
    head = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    return {**head, **fields, "profiles": list(profiles)}


def a_profile(name: str = "default-scheduler", **fields: Any) -> Json:
    return {"schedulerName": name, **fields}


WITHOUT_TAINTS = a_profile(plugins={"multiPoint": {"disabled": [{"name": "TaintToleration"}]}})
TAINT = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}


def test_a_cluster_begins_with_the_defaults(cluster: Cluster) -> None:
    written = configuration_get(cluster=cluster)
    assert (written.revision, written.document, written.feature_gates) == (0, document(a_profile()), {})


def test_what_was_written_comes_back_as_it_was_written(cluster: Cluster) -> None:
    wanted = document(
        a_profile(percentageOfNodesToScore=50, pluginConfig=[{"name": "NodeResourcesFit", "args": {}}]),
        a_profile("other", plugins={"score": {"disabled": [{"name": "*"}]}}),
        podMaxBackoffSeconds=20,
    )
    written, _ = configuration_replace(cluster=cluster, document=wanted)
    assert (written.revision, written.document, written.feature_gates) == (1, wanted, {})
    assert [profile.scheduler_name for profile in Profile.objects.all()] == ["default-scheduler", "other"]


def test_a_document_that_cannot_be_run_names_the_field_and_changes_nothing(cluster: Cluster) -> None:
    configuration_replace(cluster=cluster, document=document(a_profile()))
    with pytest.raises(Invalid) as refused:
        configuration_replace(cluster=cluster, document=document(a_profile(), percentageOfNodesToScore=101))
    assert [cause.path for cause in refused.value.causes] == ["percentageOfNodesToScore"]
    assert configuration_get(cluster=cluster).revision == 1


@pytest.mark.parametrize(
    ("gates", "path"), [({"Nonsense": True}, "Nonsense"), ({"SchedulerQueueingHints": "yes"}, "SchedulerQueueingHints")]
)
def test_a_wrong_feature_gate_is_named(cluster: Cluster, gates: Json, path: str) -> None:
    with pytest.raises(Invalid) as refused:
        configuration_replace(cluster=cluster, document=document(a_profile()), feature_gates=gates)
    assert [cause.path for cause in refused.value.causes] == [f"feature_gates.{path}"]


def test_feature_gates_stay_unless_they_are_given(cluster: Cluster) -> None:
    gates = {"SchedulerPopFromBackoffQ": True}
    configuration_replace(cluster=cluster, document=document(a_profile()), feature_gates=gates)
    written, _ = configuration_replace(cluster=cluster, document=document(a_profile()))
    assert written.feature_gates == gates


def test_what_becomes_different_is_told_defaults_included(cluster: Cluster) -> None:
    heavy = a_profile(
        plugins={"score": {"enabled": [{"name": "NodeResourcesFit", "weight": 7}]}},
        pluginConfig=[{"name": "NodeResourcesFit", "args": {"scoringStrategy": {"type": "MostAllocated"}}}],
    )
    wanted = document(heavy, podMaxBackoffSeconds=20)
    written, changes = configuration_replace(cluster=cluster, document=wanted, dry_run=True)
    told = {change.path: (change.before, change.after) for change in changes}
    assert told["podMaxBackoffSeconds"] == (10, 20)
    assert told["profiles[default-scheduler].weights.NodeResourcesFit"] == (1, 7)
    assert any(path.startswith("profiles[default-scheduler].pluginConfig.NodeResourcesFit") for path in told)
    assert not any("TaintToleration" in path for path in told)
    assert (written.revision, configuration_get(cluster=cluster).revision) == (0, 0)
    _, changes = configuration_replace(cluster=cluster, document=wanted)
    assert {change.path for change in changes} == set(told)
    assert configuration_replace(cluster=cluster, document=wanted)[1] == []


def test_a_profile_that_comes_or_goes_is_told_whole(cluster: Cluster) -> None:
    _, changes = configuration_replace(cluster=cluster, document=document(a_profile(), a_profile("other")))
    assert {change.path.partition(".")[0] for change in changes} == {"profiles[other]"}
    assert all(change.before is None for change in changes)


def test_a_new_configuration_decides_from_the_next_cycle_on_and_keeps_the_queue(cluster: Cluster) -> None:
    created(cluster, a_node("n1", taints=[TAINT]), a_pod("web"))
    worker = Worker(cluster)
    worker.work()
    assert QueuedPod.objects.get().queue == "unschedulablePods"
    watch = LiveWatch(cluster)
    configuration_replace(cluster=cluster, document=document(WITHOUT_TAINTS))
    worker.slice()
    watch.assert_fresh()
    row = QueuedPod.objects.get()
    assert (row.queue, row.attempts) == ("backoffQ", 1)


def test_a_new_profile_takes_the_pods_that_name_it(cluster: Cluster) -> None:
    created(cluster, a_node("n1"), a_pod("web", schedulerName="other"))
    worker = Worker(cluster)
    worker.work()
    assert not Decision.objects.exists()
    configuration_replace(cluster=cluster, document=document(a_profile(), a_profile("other")))
    worker.work()
    assert nodes_of_pods(cluster) == {"web": "n1"}


def test_the_database_keeps_scheduler_names_unique(cluster: Cluster) -> None:
    configuration_replace(cluster=cluster, document=document(a_profile()))
    first = Profile.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Profile.objects.create(configuration=first.configuration, position=1, scheduler_name=first.scheduler_name)
