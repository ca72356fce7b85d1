"""Taking, keeping and proving the lease by which one worker at a time runs a scheduler.

Taking it is one conditional UPDATE, so two workers that want it at the same
moment cannot both get it. A holder on this machine whose process is gone is
replaced at once; any other is waited for until its lease expires.
"""

from __future__ import annotations

import os
import secrets
import socket
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

from django.db.models import F, Q
from django.utils import timezone

from playground.clusters.services.transaction import ClusterTransaction, Fence, cluster_transaction
from playground.common.errors import FenceLost, NotFound
from playground.scheduling.models import ClusterScheduler, SchedulerLease

LEASE = timedelta(seconds=10)
# Renewed once this much of it is gone, so that not every slice writes.
RENEW_AFTER = LEASE / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to run one scheduler, as it was when it was taken."""

    scheduler_id: int
    cluster_id: int
    # The scheduler's name.
    name: str
    generation: int
    holder: str


def this_process() -> str:
    """The holder's name; asked for anew after a fork."""
    return _name_of_process(os.getpid())


@cache
def _name_of_process(pid: int) -> str:
    return f"{socket.gethostname()}/{pid}/{secrets.token_hex(4)}"


def lease_acquire(*, scheduler: ClusterScheduler, holder: str, row: SchedulerLease | None = None) -> Lease | None:
    """The lease for `holder`, renewed or taken over; None while somebody else has it.

    `row`: the lease as it was just read, to spare a query. Raises NotFound for a deleted cluster or scheduler.
    """
    if row is None:
        # Under the lock, so that neither can be deleted meanwhile.
        with cluster_transaction(scheduler.cluster_id):
            if not ClusterScheduler.objects.filter(pk=scheduler.pk).exists():
                raise NotFound(f"scheduler {scheduler.name!r} does not exist (any more)")
            row, _ = SchedulerLease.objects.get_or_create(scheduler=scheduler)
    now = timezone.now()
    if row.holder == holder:
        fresh = row.expires_at is not None and row.expires_at - now >= LEASE - RENEW_AFTER
        generation = row.generation if fresh else _renewed(row)
    elif row.holder and row.expires_at and row.expires_at > now and not is_gone(row.holder):
        return None
    else:
        generation = _taken_over(row, holder)
    if generation is None:
        return None
    return Lease(
        scheduler_id=scheduler.pk,
        cluster_id=scheduler.cluster_id,
        name=scheduler.name,
        generation=generation,
        holder=holder,
    )


def lease_revoke(*, scheduler_id: int) -> None:
    """Whatever a worker is doing for this scheduler will not be stored. Call under the cluster's lock."""
    SchedulerLease.objects.filter(pk=scheduler_id).update(generation=F("generation") + 1, holder="", expires_at=None)


def lease_renew(lease: Lease) -> bool:
    """Hold it for another while; False: somebody else has it."""
    held = _held(lease.scheduler_id, lease.generation, lease.holder)
    return bool(SchedulerLease.objects.filter(held).update(expires_at=timezone.now() + LEASE))


def leases_release(*, holder: str) -> None:
    """The holder stops: let others in at once instead of after the expiry."""
    SchedulerLease.objects.filter(holder=holder).update(holder="", expires_at=None)


def fence(lease: Lease) -> Fence:
    """The check that a writing transaction runs first.

    It locks the lease's row until the commit: who takes the lease over in the meantime waits, and then sees
    all that was written under the old generation.
    """

    def check(tx: ClusterTransaction) -> None:
        held = _held(lease.scheduler_id, lease.generation, lease.holder)
        if not SchedulerLease.objects.select_for_update().filter(held).exists():
            whose = f"{lease.name} of cluster {tx.cluster.slug!r}"
            raise FenceLost(f"the lease of {whose}, generation {lease.generation}, was taken over")

    return check


def is_gone(holder: str) -> bool:
    """True for a holder that was a process of this machine and no longer is."""
    host, pid, _ = holder.split("/", 2)
    if host != socket.gethostname() or holder == this_process():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    # Alive, unless it is this very process under an older name: then its bearer is gone.
    return int(pid) == os.getpid()


def _held(scheduler_id: int, generation: int, holder: str) -> Q:
    return Q(scheduler_id=scheduler_id, generation=generation, holder=holder)


def _renewed(row: SchedulerLease) -> int | None:
    """Its generation; None where it was lost in the meantime."""
    held = SchedulerLease.objects.filter(_held(row.pk, row.generation, row.holder))
    return row.generation if held.update(expires_at=timezone.now() + LEASE) else None


def _taken_over(row: SchedulerLease, holder: str) -> int | None:
    """The new generation; None where somebody else was first."""
    generation = row.generation + 1
    taken = SchedulerLease.objects.filter(_held(row.pk, row.generation, row.holder)).update(
        generation=generation, holder=holder, expires_at=timezone.now() + LEASE
    )
    return generation if taken else None
