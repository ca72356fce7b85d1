"""The engine's own answer for every node, without changing anything."""

from __future__ import annotations

from typing import Any

import pytest

from playground.clusters.models import Change, Cluster, Pod
from playground.common.errors import BadRequest, Invalid, NotFound
from playground.scheduling.engine.observer import Observers
from playground.scheduling.selectors.schedulers import scheduler_get
from playground.scheduling.services.profiles import configuration_replace
from playground.scheduling.services.would_fit import Question, manifest_would_fit, pod_would_fit
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.scheduling.driving import Worker

pytestmark = pytest.mark.django_db

TAINT = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}


@pytest.fixture
def cluster() -> Cluster:
    cluster = a_cluster()
    created(cluster, a_node("big"), a_node("small", cpu="1"), a_node("tainted", taints=[TAINT]))
    return cluster


@pytest.fixture
def observers() -> Observers:
    return Observers()


def test_every_node_answers_with_its_score_or_with_the_first_reason(cluster: Cluster, observers: Observers) -> None:
    answer = manifest_would_fit(cluster=cluster, manifest=a_pod(cpu="500m"), observers=observers)
    verdicts = {each.node: each for each in answer.nodes}
    assert {name: each.fits for name, each in verdicts.items()} == {"big": True, "small": True, "tainted": False}
    assert verdicts["big"].score is not None
    assert verdicts["small"].score is not None
    assert verdicts["big"].score > verdicts["small"].score
    assert (verdicts["tainted"].plugin, verdicts["tainted"].code) == (
        "TaintToleration",
        "UnschedulableAndUnresolvable",
    )
    assert verdicts["tainted"].reasons == ["node(s) had untolerated taint {dedicated: gpu}"]


def test_where_nothing_fits_the_message_is_the_schedulers(cluster: Cluster, observers: Observers) -> None:
    answer = manifest_would_fit(cluster=cluster, manifest=a_pod(cpu="8"), observers=observers)
    assert answer.message.startswith(
        "0/3 nodes are available: 1 node(s) had untolerated taint {dedicated: gpu}, 2 Insuff"
    )
    assert not any(each.fits for each in answer.nodes)


def test_explained_a_node_names_every_plugin_that_rejects_the_pod(cluster: Cluster, observers: Observers) -> None:
    answer = manifest_would_fit(
        cluster=cluster, manifest=a_pod(cpu="8"), question=Question(explain=True), observers=observers
    )
    tainted = next(each for each in answer.nodes if each.node == "tainted")
    assert [each.plugin for each in tainted.rejections] == ["TaintToleration", "NodeResourcesFit"]


def test_nodes_that_were_never_looked_at_say_why(cluster: Cluster, observers: Observers) -> None:
    pinned = a_pod(
        affinity={
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {
                    "nodeSelectorTerms": [
                        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["small"]}]}
                    ]
                }
            }
        }
    )
    answer = manifest_would_fit(cluster=cluster, manifest=pinned, observers=observers)
    assert {each.node: each.reasons for each in answer.nodes} == {
        "big": ["node(s) didn't satisfy plugin(s) [NodeAffinity]"],
        "small": [],
        "tainted": ["node(s) didn't satisfy plugin(s) [NodeAffinity]"],
    }


def test_asking_writes_nothing(cluster: Cluster, observers: Observers) -> None:
    before = Change.objects.count()
    manifest_would_fit(cluster=cluster, manifest=a_pod(), observers=observers)
    assert (Change.objects.count(), Pod.objects.count()) == (before, 0)


def test_pods_that_are_assumed_but_not_bound_yet_take_room(cluster: Cluster, observers: Observers) -> None:
    manifest_would_fit(cluster=cluster, manifest=a_pod(), observers=observers)
    created(cluster, a_pod("first", cpu="3500m"))
    Worker(cluster, binds=False).work()
    cluster.refresh_from_db()
    for fresh in (observers, Observers()):
        answer = manifest_would_fit(cluster=cluster, manifest=a_pod(cpu="900m"), observers=fresh)
        assert [each.node for each in answer.nodes if each.fits] == ["small"]


def test_the_answer_follows_the_cluster(cluster: Cluster, observers: Observers) -> None:
    wanted = a_pod(cpu="8")
    assert not any(
        each.fits for each in manifest_would_fit(cluster=cluster, manifest=wanted, observers=observers).nodes
    )
    created(cluster, a_node("huge", cpu="16"))
    cluster.refresh_from_db()
    answer = manifest_would_fit(cluster=cluster, manifest=wanted, observers=observers)
    assert [each.node for each in answer.nodes if each.fits] == ["huge"]
    assert answer.version == cluster.resource_version


def test_an_observer_that_the_feed_left_behind_is_replaced_by_one_that_is_as_exclusive(
    cluster: Cluster, observers: Observers, settings: Any
) -> None:
    settings.PLAYGROUND_FEED_LENGTH = 5
    with observers.looking(cluster, scheduler_get(cluster_id=cluster.pk).pk) as first:
        pass
    created(cluster, *(a_pod(f"web-{number}") for number in range(20)))
    cluster.refresh_from_db()
    with observers.looking(cluster, scheduler_get(cluster_id=cluster.pk).pk) as second:
        assert second is not first
        assert second.version == cluster.resource_version
        assert second.lock.locked()
        assert not first.lock.locked()
    assert not second.lock.locked()


def test_a_changed_profile_is_asked_at_once(cluster: Cluster, observers: Observers) -> None:
    manifest_would_fit(cluster=cluster, manifest=a_pod(), observers=observers)
    configuration_replace(
        cluster=cluster,
        document={
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [{"plugins": {"filter": {"disabled": [{"name": "TaintToleration"}]}}}],
        },
    )
    answer = manifest_would_fit(cluster=cluster, manifest=a_pod(), observers=observers)
    assert all(each.fits for each in answer.nodes)


def test_a_pod_that_is_there_is_asked_about_by_name(cluster: Cluster, observers: Observers) -> None:
    created(cluster, a_pod("web", cpu="2"))
    answer = pod_would_fit(cluster=cluster, namespace="default", name="web", observers=observers)
    assert [each.node for each in answer.nodes if each.fits] == ["big"]
    with pytest.raises(NotFound):
        pod_would_fit(cluster=cluster, namespace="default", name="nobody", observers=observers)


def test_a_bound_pod_does_not_stand_in_its_own_way(cluster: Cluster, observers: Observers) -> None:
    created(cluster, a_pod("bound", cpu="3", nodeName="big"))
    answer = pod_would_fit(
        cluster=cluster, namespace="default", name="bound", question=Question(explain=True), observers=observers
    )
    verdicts = {each.node: each for each in answer.nodes}
    assert verdicts["big"].fits
    assert [each.remedies for each in verdicts["small"].rejections] == [["needs 2 more CPU"]]


@pytest.mark.parametrize(
    ("manifest", "path"),
    [
        ({"spec": {"containers": [{"name": "a", "image": "b", "nonsense": 1}]}}, "spec.containers[0].nonsense"),
        ({"metadata": 5, "spec": {}}, "metadata"),
        (a_pod(cpu="1.5.2"), "spec.containers[0].resources.requests.cpu"),
    ],
)
def test_a_manifest_with_a_mistake_names_the_field(
    cluster: Cluster, observers: Observers, manifest: dict, path: str
) -> None:
    with pytest.raises((BadRequest, Invalid)) as refused:
        manifest_would_fit(cluster=cluster, manifest=manifest, observers=observers)
    assert path.replace("[cpu]", ".cpu") in [cause.path.replace("[cpu]", ".cpu") for cause in refused.value.causes]


def test_a_scheduler_that_no_profile_has_is_named(cluster: Cluster, observers: Observers) -> None:
    with pytest.raises(Invalid, match="somebody-else"):
        manifest_would_fit(cluster=cluster, manifest=a_pod(schedulerName="somebody-else"), observers=observers)


def test_another_configuration_is_tried_without_running_it(cluster: Cluster, observers: Observers) -> None:
    packing = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [
            {
                "plugins": {"filter": {"disabled": [{"name": "TaintToleration"}]}},
                "pluginConfig": [{"name": "NodeResourcesFit", "args": {"scoringStrategy": {"type": "MostAllocated"}}}],
            }
        ],
    }
    manifest = a_pod(cpu="500m")
    running = manifest_would_fit(cluster=cluster, manifest=manifest, observers=observers)
    tried = manifest_would_fit(
        cluster=cluster, manifest=manifest, question=Question(configuration=packing), observers=observers
    )
    assert [each.fits for each in running.nodes] == [True, True, False]
    assert all(each.fits for each in tried.nodes)
    assert (running.best, tried.best) == (["big"], ["small"])
    assert manifest_would_fit(cluster=cluster, manifest=manifest, observers=observers).nodes == running.nodes


def test_a_configuration_to_try_that_cannot_be_run_is_refused(cluster: Cluster, observers: Observers) -> None:
    with pytest.raises(Invalid):
        manifest_would_fit(
            cluster=cluster, manifest=a_pod(), question=Question(configuration={"kind": "x"}), observers=observers
        )
