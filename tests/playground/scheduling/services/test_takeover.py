"""A worker that dies leaves everything the next one needs; one that comes back late can write nothing."""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import partial

import pytest
from django.utils import timezone

from playground.clusters.models import Cluster, Pod
from playground.clusters.services.transaction import cluster_transaction
from playground.common.errors import FenceLost
from playground.scheduling.engine.session import EngineSession
from playground.scheduling.engine.warm import WarmSessions
from playground.scheduling.models import Binding, Decision, QueuedPod, SchedulerLease, SchedulerState
from playground.scheduling.selectors.schedulers import scheduler_get
from playground.scheduling.services.bindings import bindings_run
from playground.scheduling.services.lease import LEASE, fence, is_gone, lease_acquire, leases_release, this_process
from playground.scheduling.services.record import slice_record
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import LiveWatch
from tests.playground.scheduling.driving import Worker, advance, nodes_of_pods

pytestmark = pytest.mark.django_db

FIRST, SECOND = "elsewhere/1/first", "elsewhere/2/second"


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def expire() -> None:
    SchedulerLease.objects.update(expires_at=timezone.now() - LEASE)


def test_the_lease_goes_to_one_holder_and_stays_with_it(cluster: Cluster) -> None:
    lease = lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=FIRST)
    assert lease is not None
    assert lease.generation == 1
    assert lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=SECOND) is None
    assert lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=FIRST) == lease


def test_an_expired_or_released_lease_is_taken_over_under_a_new_generation(cluster: Cluster) -> None:
    lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=FIRST)
    expire()
    second = lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=SECOND)
    assert second is not None
    assert second.generation == 2
    leases_release(holder=SECOND)
    third = lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=FIRST)
    assert third is not None
    assert third.generation == 3


def test_a_lease_is_renewed_before_it_expires(cluster: Cluster) -> None:
    lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=FIRST)
    nearly_over = timezone.now() + LEASE / 10
    SchedulerLease.objects.update(expires_at=nearly_over)
    lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=FIRST)
    assert SchedulerLease.objects.get().expires_at > nearly_over


def test_a_holder_on_this_machine_whose_process_is_gone_is_not_waited_for(cluster: Cluster) -> None:
    # No process has a number beyond the kernel's limit.
    dead = f"{socket.gethostname()}/4194305/x"
    assert is_gone(dead)
    assert not is_gone(this_process())
    assert not is_gone("another-machine/4194305/x")
    lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=dead)
    taken = lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=SECOND)
    assert taken is not None
    assert taken.generation == 2


def test_the_write_of_a_stale_holder_is_refused_whole(cluster: Cluster) -> None:
    created(cluster, a_node("n1"), a_pod("web"))
    stale = lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=FIRST)
    assert stale is not None
    done = EngineSession.build(stale.scheduler_id, stale.generation).run()
    assert done.bindings
    expire()
    Worker(cluster, SECOND).work()
    before = cluster_version(cluster)
    with pytest.raises(FenceLost, match="generation 1, was taken over"):
        slice_record(lease=stale, done=done)
    assert cluster_version(cluster) == before
    assert (Binding.objects.count(), Decision.objects.count()) == (1, 1)


def test_the_fence_lets_the_holder_write_and_nobody_else(cluster: Cluster) -> None:
    lease = lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=FIRST)
    assert lease is not None
    with cluster_transaction(cluster.pk, fence=fence(lease)) as tx:
        assert tx.cluster == cluster
    expire()
    lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=SECOND)
    with pytest.raises(FenceLost), cluster_transaction(cluster.pk, fence=fence(lease)):
        raise AssertionError("the block must not be entered")


def test_k12_a_second_holder_never_acts_while_the_first_renews(cluster: Cluster) -> None:
    created(cluster, a_node("n1"))
    first, second = Worker(cluster, FIRST), Worker(cluster, SECOND)
    for number in range(3):
        # So late that only a renewal can keep it.
        SchedulerLease.objects.update(expires_at=timezone.now() + LEASE / 20)
        first.work()
        assert SchedulerLease.objects.filter(expires_at__gt=timezone.now() + LEASE / 2).exists()
        created(cluster, a_pod(f"web-{number}"))
        before = cluster_version(cluster)
        assert second.slice() is None
        assert cluster_version(cluster) == before
        assert nodes_of_pods(cluster)[f"web-{number}"] == ""
    first.work()
    assert set(nodes_of_pods(cluster).values()) == {"n1"}
    assert set(Binding.objects.values_list("generation", flat=True)) == {1}


@pytest.mark.parametrize("stop", [expire, partial(leases_release, holder=FIRST)], ids=["vanished", "in order"])
def test_k12_it_takes_over_when_the_first_stops_which_then_waits_in_its_turn(
    cluster: Cluster, stop: Callable[[], None]
) -> None:
    created(cluster, a_node("n1"), a_pod("web"))
    first, second = Worker(cluster, FIRST), Worker(cluster, SECOND)
    first.work()
    created(cluster, a_pod("next"))
    assert second.slice() is None
    stop()
    second.work()
    assert nodes_of_pods(cluster) == {"web": "n1", "next": "n1"}
    assert list(Binding.objects.order_by("sequence").values_list("name", "generation")) == [("web", 1), ("next", 2)]
    created(cluster, a_pod("last"))
    assert first.slice() is None
    assert nodes_of_pods(cluster)["last"] == ""


def test_k12_a_holder_that_lost_the_lease_cannot_even_store_how_far_it_followed(cluster: Cluster) -> None:
    stale = lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=FIRST)
    assert stale is not None
    done = EngineSession.build(stale.scheduler_id, stale.generation).run()
    assert done.is_empty
    expire()
    assert lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder=SECOND) is not None
    with pytest.raises(FenceLost, match="generation 1, was taken over"):
        slice_record(lease=stale, done=done)
    assert not SchedulerState.objects.exists()


def test_two_threads_of_one_process_never_schedule_the_same_cluster(cluster: Cluster) -> None:
    sessions, scheduler = WarmSessions(), scheduler_get(cluster_id=cluster.pk)
    refused = pytest.raises(FenceLost, match="another thread")
    with sessions.borrowed(scheduler, 0, 1) as session, refused, sessions.borrowed(scheduler, 0, 1):
        raise AssertionError("the block must not be entered")
    with sessions.borrowed(scheduler, 0, 1) as again:
        assert again is session


def test_a_successor_goes_on_with_attempts_backoff_and_reasons(cluster: Cluster) -> None:
    created(cluster, a_node("n1", cpu="1"), a_pod("big", cpu="2"))
    first = Worker(cluster, FIRST)
    first.work()
    # Looks at what it wrote itself, as it is woken to do.
    first.slice()
    before = QueuedPod.objects.get()
    expire()
    watch = LiveWatch(cluster)
    Worker(cluster, SECOND).work()
    watch.assert_fresh()
    after = QueuedPod.objects.get()
    assert (after.queue, after.attempts, after.unschedulable_plugins) == (
        before.queue,
        before.attempts,
        before.unschedulable_plugins,
    )
    assert Decision.objects.count() == 1


def test_a_successor_tries_waiting_pods_again_if_objects_changed_meanwhile(cluster: Cluster) -> None:
    created(cluster, a_node("n1", cpu="1"), a_pod("big", cpu="2"))
    Worker(cluster, FIRST).work()
    expire()
    created(cluster, a_node("n2", cpu="4"))
    advance(cluster, 20)
    Worker(cluster, SECOND).work()
    assert nodes_of_pods(cluster) == {"big": "n2"}
    assert [row.sequence for row in Decision.objects.order_by("sequence")] == [1, 2]


def test_pods_in_flight_to_their_nodes_keep_their_room_under_a_successor(cluster: Cluster) -> None:
    created(cluster, a_node("n1", cpu="1"), a_pod("first", cpu="800m"))
    outcome = Worker(cluster, FIRST, binds=False).slice()
    assert outcome is not None
    expire()
    created(cluster, a_pod("second", cpu="800m"))
    successor = Worker(cluster, SECOND, binds=False)
    successor.work()
    assert {row.name: row.queue for row in QueuedPod.objects.all()} == {
        "first": "binding",
        "second": "unschedulablePods",
    }
    bindings_run(cluster_id=cluster.pk, sequences=outcome.binding_sequences)
    watch = LiveWatch(cluster)
    successor.work()
    watch.assert_fresh()
    assert nodes_of_pods(cluster) == {"first": "n1", "second": ""}


def test_a_binding_that_failed_while_nobody_scheduled_sends_its_pod_back_to_the_queue(cluster: Cluster) -> None:
    created(cluster, a_node("n1"), a_pod("web"))
    Worker(cluster, FIRST, binds=False).slice()
    Binding.objects.update(phase="failed", message='running Bind plugin "DefaultBinder": no luck')
    expire()
    watch = LiveWatch(cluster)
    successor = Worker(cluster, SECOND)
    successor.slice()
    watch.assert_fresh()
    row = QueuedPod.objects.get()
    assert (row.queue, row.message) == ("backoffQ", 'running Bind plugin "DefaultBinder": no luck')
    reason = Pod.objects.get().manifest["status"]["conditions"][-1]["reason"]
    assert reason == "SchedulerError"
    advance(cluster, 20)
    successor.work()
    assert nodes_of_pods(cluster) == {"web": "n1"}


def test_rows_of_pods_that_are_gone_are_cleared_away_by_a_successor(cluster: Cluster) -> None:
    created(cluster, a_pod("web"))
    Worker(cluster, FIRST).work()
    Pod.objects.all().delete()
    expire()
    Worker(cluster, SECOND).work()
    assert not QueuedPod.objects.exists()


def cluster_version(cluster: Cluster) -> int:
    return Cluster.objects.get(pk=cluster.pk).resource_version
