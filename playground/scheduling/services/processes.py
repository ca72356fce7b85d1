"""The processes of a scheduler: started, stopped in order, killed; and what ends with one.

What a process had in memory is gone with it: its queue with attempts and
backoffs, the pods it assumed, and the bindings it had not sent yet. A binding
that the API server has is carried out. Decisions, conditions and events stay,
they are told already. The next process begins with what the API knows.

A process that is stopped releases its Lease (kube-scheduler sets
ReleaseOnCancel); one that is killed leaves it, so the next one waits until it
has run out.
"""

from __future__ import annotations

from playground.clusters.services.transaction import ClusterTransaction
from playground.common.bulk import rows_update
from playground.scheduling.models import Binding, ClusterScheduler, QueuedPod, SchedulerReplica, SchedulerState
from playground.scheduling.models.binding import IN_FLIGHT
from playground.scheduling.services.lease import lease_revoke
from playground.scheduling.services.lease_object import lease_abandon, lease_release
from playground.scheduling.translation.cards import binding_card
from playground.scheduling.translation.identity import identity_of
from playground.scheduling.translation.queue_messages import queue_messages

PROCESS_ENDED = "the scheduler's process ended before the API server had the binding"


def process_start(tx: ClusterTransaction, *, replica: SchedulerReplica) -> None:
    """A process that runs already goes on."""
    if not replica.is_running:
        _start(tx, replica)


def process_stop(tx: ClusterTransaction, *, replica: SchedulerReplica) -> None:
    """It ends in order and releases its Lease."""
    if replica.is_running:
        lease_release(tx, scheduler=replica.scheduler, identity=replica.identity)
        _end(tx, replica)


def process_kill(tx: ClusterTransaction, *, replica: SchedulerReplica) -> None:
    """It is gone, and its Lease says for a while that it is there."""
    if replica.is_running:
        lease_abandon(tx, scheduler=replica.scheduler, identity=replica.identity)
        _end(tx, replica)


def processes_restart(tx: ClusterTransaction, *, scheduler: ClusterScheduler) -> None:
    """All of its processes end in order and start again, if they have begun. Call before what they read changes."""
    if scheduler.leader or scheduler.standing_by:
        for replica in scheduler.replicas.exclude(identity=""):
            replica.scheduler = scheduler
            process_stop(tx, replica=replica)
            _start(tx, replica)


def process_restart(tx: ClusterTransaction, *, replica: SchedulerReplica) -> None:
    """It lost its Lease, or has to read its configuration anew: its kubelet starts another one at once."""
    _end(tx, replica)
    _start(tx, replica)


def _start(tx: ClusterTransaction, replica: SchedulerReplica) -> None:
    replica.starts += 1
    replica.identity = identity_of(replica)
    replica.since = tx.now
    replica.save(update_fields=["starts", "identity", "since"])
    # Nobody says any more that no process runs.
    ClusterScheduler.objects.filter(pk=replica.scheduler_id, leader="").update(standing_by="")


def _end(tx: ClusterTransaction, replica: SchedulerReplica) -> None:
    scheduler = replica.scheduler
    led = scheduler.leader == replica.identity
    replica.identity = ""
    replica.since = tx.now
    replica.save(update_fields=["identity", "since"])
    if led:
        memory_forget(tx, scheduler=scheduler)


def memory_forget(tx: ClusterTransaction, *, scheduler: ClusterScheduler) -> None:
    """The leading process is gone, with all that only it knew."""
    lease_revoke(scheduler_id=scheduler.pk)
    scheduler.leader, scheduler.standing_by = "", ""
    scheduler.save(update_fields=["leader", "standing_by"])
    SchedulerState.objects.filter(pk=scheduler.pk).update(engine={}, next_wakeup=None, has_work=False)
    _drop_queue(tx, scheduler)
    _give_up_bindings(tx, scheduler)


def _drop_queue(tx: ClusterTransaction, scheduler: ClusterScheduler) -> None:
    queue = QueuedPod.objects.filter(scheduler=scheduler)
    uids = list(queue.order_by("pk").values_list("pod_uid", flat=True))
    queue.delete()
    for message in queue_messages(scheduler.name, (), (), uids):
        tx.record("queue", message)


def _give_up_bindings(tx: ClusterTransaction, scheduler: ClusterScheduler) -> None:
    """Those that the API server does not have; what it has, it carries out."""
    unsent = list(Binding.objects.filter(scheduler=scheduler, phase__in=IN_FLIGHT, due_at=None).order_by("sequence"))
    for row in unsent:
        row.phase, row.message, row.ended_at = "failed", PROCESS_ENDED, tx.now
    rows_update(unsent, update=("phase", "message", "ended_at"))
    if unsent:
        tx.record("bindings", {"bindings": [binding_card(row, scheduler.name) for row in unsent]})
