"""The Lease object of a scheduler's leader election, as everybody sees it over the Kubernetes API.

It is written when it changes hands: taken, released, or left behind by a process
that was killed. In between its holder renews it without a word (see
`engine.leader_election`).
"""

from __future__ import annotations

from math import floor
from typing import Any

from playground.clusters import clock
from playground.clusters.selectors import Manifest, object_get
from playground.clusters.services.events import NewEvent, Regarding, event_record_many
from playground.clusters.services.objects import object_create, object_patch
from playground.clusters.services.transaction import ClusterTransaction
from playground.scheduling.engine.leader_election import LeaseRecord
from playground.scheduling.models import ClusterScheduler, SchedulerConfiguration
from playground.scheduling.translation.leader_election import leader_election
from scheduler_core.configuration import LeaderElection

KIND = "Lease"
API_VERSION = "coordination.k8s.io/v1"


def election_of(scheduler: ClusterScheduler) -> LeaderElection:
    """As its configuration says."""
    row = SchedulerConfiguration.objects.filter(pk=scheduler.pk).only("document").first()
    return leader_election(row.document if row else {})


def lease_record(cluster_id: int, election: LeaderElection) -> LeaseRecord | None:
    """None: there is no such Lease."""
    manifest = object_get(cluster_id, KIND, election.resource_namespace, election.resource_name)
    if manifest is None:
        return None
    spec = manifest.get("spec") or {}
    return LeaseRecord(
        version=int(manifest["metadata"]["resourceVersion"]),
        holder=spec.get("holderIdentity") or "",
        duration=float(spec.get("leaseDurationSeconds") or election.lease_duration),
    )


def lease_take(tx: ClusterTransaction, *, election: LeaderElection, identity: str, source: str) -> None:
    """`identity` holds it from now on. `source`: who records the event."""
    now = clock.micro_timestamp(tx.now)
    taken = {
        "holderIdentity": identity,
        # Whole seconds, as client-go cuts them.
        "leaseDurationSeconds": floor(election.lease_duration),
        "acquireTime": now,
        "renewTime": now,
    }
    manifest = object_get(tx.cluster.pk, KIND, election.resource_namespace, election.resource_name)
    if manifest is None:
        metadata = {"name": election.resource_name, "namespace": election.resource_namespace}
        lease = {
            "apiVersion": API_VERSION,
            "kind": KIND,
            "metadata": metadata,
            "spec": {**taken, "leaseTransitions": 0},
        }
        manifest = object_create(tx, manifest=lease)
    else:
        spec = manifest.get("spec") or {}
        if spec.get("holderIdentity") == identity:
            return
        manifest = _write(tx, election, {**taken, "leaseTransitions": int(spec.get("leaseTransitions") or 0) + 1})
    _tell(tx, manifest, f"{identity} became leader", source)


def lease_release(tx: ClusterTransaction, *, scheduler: ClusterScheduler, identity: str) -> None:
    """As client-go writes it: held by nobody, and over in a second."""
    election = election_of(scheduler)
    if _held_lease(tx, election, identity) is not None:
        now = clock.micro_timestamp(tx.now)
        released = {"holderIdentity": "", "leaseDurationSeconds": 1, "acquireTime": now, "renewTime": now}
        _write(tx, election, released)


def lease_abandon(tx: ClusterTransaction, *, scheduler: ClusterScheduler, identity: str) -> None:
    """The time of the last renewal before now: it was renewed every `retryPeriod`."""
    election = election_of(scheduler)
    manifest = _held_lease(tx, election, identity)
    if manifest is not None:
        written = manifest["spec"].get("acquireTime")
        acquired = clock.parse_timestamp(written) if written else tx.now
        renewals = floor(max(0.0, tx.now - acquired) / election.retry_period)
        _write(tx, election, {"renewTime": clock.micro_timestamp(acquired + renewals * election.retry_period)})


def _held_lease(tx: ClusterTransaction, election: LeaderElection, identity: str) -> Manifest | None:
    """The Lease, if it is this process that holds it."""
    if not election.leader_elect:
        return None
    manifest = object_get(tx.cluster.pk, KIND, election.resource_namespace, election.resource_name)
    holder = ((manifest or {}).get("spec") or {}).get("holderIdentity")
    return manifest if holder == identity else None


def _write(tx: ClusterTransaction, election: LeaderElection, change: dict[str, Any]) -> Manifest:
    return object_patch(
        tx,
        kind=KIND,
        namespace=election.resource_namespace,
        name=election.resource_name,
        change=lambda current: {**current, "spec": {**(current.get("spec") or {}), **change}},
    )


def _tell(tx: ClusterTransaction, lease: Manifest, message: str, source: str) -> None:
    metadata = lease["metadata"]
    regarding = Regarding(
        kind=KIND,
        api_version=API_VERSION,
        namespace=metadata["namespace"],
        name=metadata["name"],
        uid=metadata["uid"],
    )
    event = NewEvent(regarding=regarding, reason="LeaderElection", action="", message=message, source=source)
    event_record_many(tx, events=[event])
