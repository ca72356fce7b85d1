"""A fork goes on from a moment of another cluster: same objects, own future, nothing shared."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.db import models

from playground.clusters.models import Change, Cluster, HistoryBase, KubernetesObject, Node, Pod
from playground.clusters.services.clusters import cluster_create, cluster_resume, cluster_speed
from playground.clusters.services.fork import cluster_fork
from playground.clusters.services.transaction import cluster_transaction
from playground.common.errors import AlreadyExists, Expired, NotFound
from playground.controllers.models import ControllerState, KubeletStep
from playground.scheduling.models import (
    Binding,
    CelPlugin,
    ClusterEventRecord,
    ClusterNumbers,
    ClusterScheduler,
    Decision,
    PodHistory,
    Profile,
    QueuedPod,
    SchedulerConfiguration,
    SchedulerLease,
    SchedulerMetrics,
    SchedulerReplica,
    SchedulerState,
)
from playground.scheduling.services.profiles import configuration_replace
from tests.playground.controllers.town import Town, deployment, job, node, pod
from tests.playground.freshness import LiveWatch, past_state
from tests.playground.scheduling.driving import Worker, nodes_of_pods

Json = dict[str, Any]

# What every cluster starts with, or makes itself.
STARTS_ANEW = {
    Change,
    ControllerState,
    KubeletStep,
    Binding,
    ClusterEventRecord,
    Decision,
    PodHistory,
    QueuedPod,
    ClusterNumbers,
    SchedulerLease,
    SchedulerMetrics,
    SchedulerState,
}
TAKEN_ALONG = {
    HistoryBase,
    KubernetesObject,
    Node,
    Pod,
    ClusterScheduler,
    SchedulerConfiguration,
    SchedulerReplica,
    CelPlugin,
}


def of(fork: Cluster) -> Town:
    """The fork with its workers in the test's hands."""
    town = Town.__new__(Town)
    town.cluster, town.id = fork, fork.pk
    with town.tx() as tx:
        cluster_speed(tx, speed=0.01)
        cluster_resume(tx)
    return town


def test_every_table_of_a_cluster_is_taken_along_or_meant_to_start_anew() -> None:
    """A new table: register a copy with `clusters.forking`, or say here why it starts anew."""
    tables = {
        model
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, models.ForeignKey) and field.related_model in (Cluster, ClusterScheduler)
    }
    assert tables == STARTS_ANEW | TAKEN_ALONG


def test_a_fork_has_the_objects_of_that_moment_with_their_uids(town: Town) -> None:
    town.create(pod("web"))
    town.bind("web")
    town.run()
    then = past_state(town.id, version(town))
    town.create(pod("later"))
    town.delete("Pod", "web")
    fork = cluster_fork(source=town.cluster, version=then["version"])
    objects = past_state(fork.pk, then["version"])["objects"]
    assert objects == then["objects"]
    assert {each["metadata"]["uid"] for each in of(fork).pods()} == {
        uid for uid, card in then["objects"].items() if card["kind"] == "Pod"
    }


def version(town: Town) -> int:
    town.cluster.refresh_from_db()
    return town.cluster.resource_version


def test_its_clock_stands_at_that_moment(town: Town) -> None:
    town.create(pod("web"))
    then = Change.objects.filter(cluster=town.id).latest("version")
    town.pass_time(600)
    fork = cluster_fork(source=town.cluster, version=then.version)
    assert (fork.clock_state, fork.anchor_cluster) == ("paused", then.at)


def test_a_fork_of_now_needs_no_history(town: Town) -> None:
    HistoryBase.objects.filter(cluster=town.id).delete()
    then = version(town)
    fork = cluster_fork(source=town.cluster)
    assert fork.oldest_change_version == then
    assert past_state(fork.pk, then)["objects"].keys() == past_state(fork.pk, fork.resource_version)["objects"].keys()


def test_the_fork_and_its_source_go_their_own_ways(town: Town) -> None:
    town.create(pod("web"))
    fork = of(cluster_fork(source=town.cluster, name="what if"))
    watch = LiveWatch(fork.cluster)
    fork.delete("Pod", "web")
    fork.create(node("n2"))
    watch.assert_fresh()
    assert [each["metadata"]["name"] for each in town.pods()] == ["web"]
    assert fork.pods() == []
    assert fork.cluster.slug == "what-if"


def test_bound_pods_stay_and_pending_ones_are_scheduled_anew(town: Town) -> None:
    town.create(pod("bound"))
    town.create(pod("big", cpu="64"))
    scheduler = Worker(town.cluster)
    scheduler.work()
    fork = of(cluster_fork(source=town.cluster))
    fork.create(node("huge", cpu="128"))
    Worker(fork.cluster).work()
    assert nodes_of_pods(fork.cluster) == {"bound": "n1", "big": "huge"}
    assert Decision.objects.filter(cluster=fork.id).count() == 1


def test_pods_on_their_way_and_jobs_that_run_come_to_their_ends(town: Town) -> None:
    town.create(pod("starting"))
    town.bind("starting")
    town.create(job("sum"))
    town.run()
    town.bind_all()
    town.run()
    town.pass_time(2.2)
    town.pass_time(1)
    town.create(pod("late"))
    town.bind("late")
    town.run()
    assert town.phases() == {"Running": 2, "Pending": 1}
    fork = of(cluster_fork(source=town.cluster))
    fork.run()
    fork.pass_time(4)
    fork.pass_time(4)
    assert fork.phases() == {"Running": 3}
    fork.pass_time(10)
    assert fork.phases() == {"Running": 2, "Succeeded": 1}


def test_controllers_go_on_with_what_they_own(town: Town) -> None:
    town.create(deployment("web", replicas=2))
    town.run()
    fork = of(cluster_fork(source=town.cluster))
    fork.change_spec("Deployment", "web", replicas=3)
    fork.run()
    assert len(fork.pods()) == 3
    assert {each["metadata"]["uid"] for each in town.pods()} < {each["metadata"]["uid"] for each in fork.pods()}


def test_the_configuration_is_taken_along(town: Town) -> None:
    document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": "packing"}],
    }
    configuration_replace(cluster=town.cluster, document=document)
    fork = cluster_fork(source=town.cluster)
    (profile,) = Profile.objects.filter(configuration__scheduler__cluster=fork)
    assert profile.scheduler_name == "packing"
    assert Profile.objects.filter(configuration__scheduler__cluster=town.cluster).count() == 1


def test_own_plugins_are_taken_along(town: Town) -> None:
    CelPlugin.objects.create(cluster=town.cluster, name="NotHere", filter="false")
    fork = cluster_fork(source=town.cluster)
    assert CelPlugin.objects.get(cluster=fork).filter == "false"
    assert CelPlugin.objects.get(cluster=town.cluster).filter == "false"


def test_forks_without_a_name_are_numbered(town: Town) -> None:
    assert [cluster_fork(source=town.cluster).slug for _ in range(3)] == ["town-fork", "town-fork-2", "town-fork-3"]


def test_a_taken_name_is_refused_and_leaves_nothing_behind(town: Town) -> None:
    cluster_create(name="other", seed=1)
    with pytest.raises(AlreadyExists):
        cluster_fork(source=town.cluster, name="Other")
    assert Cluster.objects.count() == 2


def test_a_version_that_cannot_be_told_is_refused(town: Town) -> None:
    with pytest.raises(NotFound):
        cluster_fork(source=town.cluster, version=10_000)
    with cluster_transaction(town.id) as tx:
        tx.cluster.oldest_change_version = 3
        tx.cluster.save(update_fields=["oldest_change_version"])
    with pytest.raises(Expired):
        cluster_fork(source=town.cluster, version=2)
