"""What got lost is found by what the rows say is due."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from playground.clusters import clock, idle
from playground.clusters.models import Cluster
from playground.clusters.services.clusters import cluster_pause
from playground.clusters.services.transaction import cluster_transaction
from playground.scheduling.models import Binding, SchedulerState
from playground.scheduling.services import idle as idle_service
from playground.scheduling.services.idle import run_until_idle
from playground.scheduling.services.steps import step_request
from playground.scheduling.services.sweep import BINDING_PATIENCE, bindings_resend, clusters_due
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.scheduling.driving import Worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def at_rest(cluster: Cluster) -> Worker:
    """A worker that has looked at everything."""
    worker = Worker(cluster)
    worker.work()
    worker.slice()
    return worker


def test_a_new_cluster_is_due_until_somebody_looked_at_it(cluster: Cluster) -> None:
    assert clusters_due() == [cluster.pk]
    at_rest(cluster)
    assert clusters_due() == []


def test_a_change_that_nobody_followed_is_due(cluster: Cluster) -> None:
    at_rest(cluster)
    created(cluster, a_pod("web"))
    assert clusters_due() == [cluster.pk]


def test_a_wakeup_that_passed_is_due(cluster: Cluster) -> None:
    created(cluster, a_pod("web"))
    at_rest(cluster)
    assert SchedulerState.objects.get().next_wakeup is not None
    assert clusters_due() == []
    SchedulerState.objects.update(next_wakeup=clock.now(cluster) - 1)
    assert clusters_due() == [cluster.pk]


def test_a_paused_cluster_is_due_only_for_its_steps(cluster: Cluster) -> None:
    with cluster_transaction(cluster.pk) as tx:
        cluster_pause(tx)
    created(cluster, a_node("n1"), a_pod("web"))
    at_rest(cluster)
    assert clusters_due() == []
    step_request(cluster=Cluster.objects.get())
    assert clusters_due() == [cluster.pk]


def test_a_binding_that_nobody_finished_is_sent_again_and_only_once_a_while(cluster: Cluster) -> None:
    created(cluster, a_node("n1"), a_pod("web"))
    Worker(cluster, binds=False).work()
    binding = Binding.objects.get()
    assert bindings_resend() == []
    Binding.objects.update(sent_at=timezone.now() - BINDING_PATIENCE - timedelta(seconds=1))
    assert bindings_resend() == [(cluster.pk, [binding.sequence])]
    assert bindings_resend() == []


def test_a_clock_that_was_set_back_keeps_no_binding_from_being_sent_again(cluster: Cluster) -> None:
    created(cluster, a_node("n1"), a_pod("web"))
    Worker(cluster, binds=False).work()
    Binding.objects.update(sent_at=timezone.now() + timedelta(hours=1))
    assert bindings_resend() == [(cluster.pk, [Binding.objects.get().sequence])]
    assert bindings_resend() == []


def test_finished_bindings_are_not_sent_again(cluster: Cluster) -> None:
    created(cluster, a_node("n1"), a_pod("web"))
    at_rest(cluster)
    Binding.objects.update(sent_at=timezone.now() - timedelta(hours=1))
    assert bindings_resend() == []


@pytest.fixture
def only_the_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody runs the controllers and kubelets here."""
    monkeypatch.setattr(idle, "_checks", {"scheduler": idle._checks["scheduler"]})


@pytest.mark.usefixtures("only_the_scheduler")
def test_an_idle_cluster_is_told_with_its_pods_and_why_some_wait(cluster: Cluster) -> None:
    created(cluster, a_node("n1", cpu="1"), a_pod("web"), a_pod("big", cpu="2"))
    at_rest(cluster)
    summary = run_until_idle(slug=cluster.slug, timeout_seconds=0)
    assert (summary.idle, summary.scheduled, summary.pending) == (True, 1, 1)
    assert [(pod.name, pod.message[:40]) for pod in summary.unschedulable] == [
        ("big", "0/1 nodes are available: 1 Insufficient "[:40])
    ]
    assert summary.waiting_for == {}


@pytest.mark.usefixtures("only_the_scheduler")
def test_without_a_worker_the_wait_ends_and_says_what_is_left(cluster: Cluster) -> None:
    created(cluster, a_pod("web"))
    summary = run_until_idle(slug=cluster.slug, timeout_seconds=0)
    assert not summary.idle
    assert summary.waiting_for == {"scheduler": ["changes to look at"]}


@pytest.mark.usefixtures("only_the_scheduler")
def test_a_paused_cluster_at_a_standstill_is_not_waited_for(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle_service, "STANDSTILL_SECONDS", 0.0)
    with cluster_transaction(cluster.pk) as tx:
        cluster_pause(tx)
    created(cluster, a_node("n1"), a_pod("web"))
    at_rest(cluster)
    summary = run_until_idle(slug=cluster.slug, timeout_seconds=60)
    assert (summary.idle, summary.waiting_for) == (False, {"scheduler": ["1 pods in activeQ"]})
    assert summary.seconds < 10
