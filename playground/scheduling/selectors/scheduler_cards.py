"""A cluster's schedulers for people: who of their processes leads, and why the others wait."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from django.db.models import Count

from playground.clusters.selectors import object_get
from playground.scheduling.models import ClusterScheduler, SchedulerConfiguration, SchedulerReplica
from playground.scheduling.selectors.schedulers import schedulers_of
from playground.scheduling.translation.configuration import DEFAULT_SCHEDULER
from playground.scheduling.translation.leader_election import leader_election
from scheduler_core.configuration import LeaderElection


class ReplicaCard(msgspec.Struct, kw_only=True):
    """One process of a scheduler."""

    number: int
    name: str
    running: bool
    # It is the one that schedules.
    leads: bool
    # As it calls itself in a Lease; "" while it is not running.
    identity: str
    # Cluster time of its last start or end.
    since: float


class LeaseCard(msgspec.Struct, kw_only=True):
    """The Lease object that the processes of a scheduler compete for."""

    namespace: str
    name: str
    # "": nobody holds it.
    holder: str
    # Seconds it is good for without a renewal.
    duration: float
    # RFC 3339; "" where it was never taken. A holder that runs renews it without writing it.
    acquired_at: str
    renewed_at: str
    transitions: int


class SchedulerCard(msgspec.Struct, kw_only=True):
    name: str
    # Scheduler names of its profiles: the pods it works for.
    profiles: list[str]
    # Of its configuration; 0: the defaults.
    revision: int
    # Name of the process that schedules; "": none does.
    leader: str
    # Why none does.
    standing_by: str
    # Cluster time at which a process takes over unless the holder of the Lease comes back; None: nothing is expected.
    takes_over_at: float | None
    # None: without leader election.
    lease: LeaseCard | None
    replicas: list[ReplicaCard]
    # Pods in its queue by the queue's name; only those with some.
    queued: dict[str, int]


def scheduler_cards(*, cluster_id: int) -> list[SchedulerCard]:
    """In order of deployment."""
    return [scheduler_card(row) for row in schedulers_of(cluster_id=cluster_id).select_related("state")]


def scheduler_card(row: ClusterScheduler) -> SchedulerCard:
    written = SchedulerConfiguration.objects.filter(scheduler=row).first()
    election = leader_election(written.document if written else {})
    names = written.profiles.values_list("scheduler_name", flat=True) if written else ()
    state = getattr(row, "state", None)
    replicas = list(row.replicas.order_by("number"))
    return SchedulerCard(
        name=row.name,
        profiles=list(names) or [DEFAULT_SCHEDULER],
        revision=written.revision if written else 0,
        leader=_leader(row, replicas),
        standing_by=row.standing_by,
        takes_over_at=state.next_wakeup if state and row.standing_by else None,
        lease=_lease_card(row.cluster_id, election) if election.leader_elect else None,
        replicas=[_replica_card(row, replica) for replica in replicas],
        queued=_queued(row),
    )


def _leader(row: ClusterScheduler, replicas: Iterable[SchedulerReplica]) -> str:
    return next((f"{row.name}-{each.number}" for each in replicas if each.identity and each.identity == row.leader), "")


def _replica_card(row: ClusterScheduler, replica: SchedulerReplica) -> ReplicaCard:
    return ReplicaCard(
        number=replica.number,
        name=f"{row.name}-{replica.number}",
        running=replica.is_running,
        leads=replica.is_running and replica.identity == row.leader,
        identity=replica.identity,
        since=replica.since,
    )


def _lease_card(cluster_id: int, election: LeaderElection) -> LeaseCard:
    manifest = object_get(cluster_id, "Lease", election.resource_namespace, election.resource_name)
    spec = (manifest or {}).get("spec") or {}
    return LeaseCard(
        namespace=election.resource_namespace,
        name=election.resource_name,
        holder=spec.get("holderIdentity") or "",
        duration=float(spec.get("leaseDurationSeconds") or election.lease_duration),
        acquired_at=spec.get("acquireTime") or "",
        renewed_at=spec.get("renewTime") or "",
        transitions=int(spec.get("leaseTransitions") or 0),
    )


def _queued(row: ClusterScheduler) -> dict[str, int]:
    return dict(row.queued_pods.values_list("queue").annotate(pods=Count("pk")).order_by("queue"))
