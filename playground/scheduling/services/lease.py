"""Taking, keeping and proving the lease of a cluster's scheduler.

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

from django.db.models import Q
from django.utils import timezone

from playground.clusters.services.transaction import ClusterTransaction, Fence, cluster_transaction
from playground.common.errors import FenceLost
from playground.scheduling.models import SchedulerLease

LEASE = timedelta(seconds=10)
# Renewed once this much of it is gone, so that not every slice writes.
RENEW_AFTER = LEASE / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to schedule one cluster, as it was when it was taken."""

    cluster_id: int
    generation: int
    holder: str


def this_process() -> str:
    """The holder's name; asked for anew after a fork."""
    return _name_of_process(os.getpid())


@cache
def _name_of_process(pid: int) -> str:
    return f"{socket.gethostname()}/{pid}/{secrets.token_hex(4)}"


def lease_acquire(*, cluster_id: int, holder: str, row: SchedulerLease | None = None) -> Lease | None:
    """The lease for `holder`, renewed or taken over; None while somebody else has it.

    `row`: the lease as it was just read, to spare a query. Raises NotFound for a deleted cluster.
    """
    if row is None:
        # Under the lock, so that the cluster cannot be deleted meanwhile.
        with cluster_transaction(cluster_id):
            row, _ = SchedulerLease.objects.get_or_create(cluster_id=cluster_id)
    now = timezone.now()
    if row.holder == holder:
        return _renewed(row) if row.expires_at is None or row.expires_at - now < LEASE - RENEW_AFTER else _lease(row)
    if row.holder and row.expires_at and row.expires_at > now and not is_gone(row.holder):
        return None
    return _taken_over(row, holder)


def lease_renew(lease: Lease) -> bool:
    """Hold it for another while; False: somebody else has it."""
    return bool(SchedulerLease.objects.filter(_held(lease)).update(expires_at=timezone.now() + LEASE))


def leases_release(*, holder: str) -> None:
    """The holder stops: let others in at once instead of after the expiry."""
    SchedulerLease.objects.filter(holder=holder).update(holder="", expires_at=None)


def fence(lease: Lease) -> Fence:
    """The check that a writing transaction runs first.

    It locks the lease's row until the commit: who takes the lease over in the meantime waits, and then sees
    all that was written under the old generation.
    """

    def check(tx: ClusterTransaction) -> None:
        if not SchedulerLease.objects.select_for_update().filter(_held(lease)).exists():
            raise FenceLost(f"the lease of cluster {tx.cluster.slug!r}, generation {lease.generation}, was taken over")

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


def _held(lease: Lease) -> Q:
    return Q(cluster_id=lease.cluster_id, generation=lease.generation, holder=lease.holder)


def _lease(row: SchedulerLease) -> Lease:
    return Lease(cluster_id=row.cluster_id, generation=row.generation, holder=row.holder)


def _renewed(row: SchedulerLease) -> Lease | None:
    lease = _lease(row)
    return lease if lease_renew(lease) else None


def _taken_over(row: SchedulerLease, holder: str) -> Lease | None:
    generation = row.generation + 1
    taken = SchedulerLease.objects.filter(_held(_lease(row))).update(
        generation=generation, holder=holder, expires_at=timezone.now() + LEASE
    )
    return Lease(cluster_id=row.cluster_id, generation=generation, holder=holder) if taken else None
