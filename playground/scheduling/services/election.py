"""The leader election of a scheduler, carried out: before a slice schedules, one of its processes has to lead.

Mostly one does, and that is one look at the Lease. Otherwise the election is
decided under the cluster's lock and written down: who leads, or why nobody
does and when that may change.
"""

from __future__ import annotations

from dataclasses import dataclass

from playground.clusters.models import Cluster
from playground.clusters.services.clusters import cluster_clock_advance
from playground.clusters.services.transaction import ClusterTransaction, cluster_transaction
from playground.common.errors import ApiError
from playground.scheduling.engine.leader_election import Candidacy, Verdict, judge
from playground.scheduling.models import ClusterScheduler, Profile, SchedulerReplica, SchedulerState
from playground.scheduling.selectors.standing import Standing
from playground.scheduling.services.lease import Lease, fence
from playground.scheduling.services.lease_object import election_of, lease_record, lease_take
from playground.scheduling.services.processes import process_restart
from playground.scheduling.translation.configuration import DEFAULT_SCHEDULER


@dataclass(frozen=True, slots=True, kw_only=True)
class Election:
    """How it ended."""

    leads: bool
    # Nobody leads: cluster time at which to look again; None: when something changes.
    again_at: float | None = None


def election_hold(*, standing: Standing, lease: Lease) -> Election:
    """Whether one of the scheduler's processes leads, from now on at the latest. Raises FenceLost, NotFound."""
    if _leads(standing):
        return Election(leads=True)
    with cluster_transaction(lease.cluster_id, fence=fence(lease)) as tx:
        scheduler = ClusterScheduler.objects.get(pk=lease.scheduler_id)
        verdict = _verdict(tx, scheduler)
        if verdict.action == "wait":
            return _wait(tx, scheduler, verdict, steps=standing.steps_waiting)
        if verdict.action == "lose":
            # A new process, with an empty queue and a new name: what this slice's lease was for is over.
            process_restart(tx, replica=_replica(scheduler, verdict.identity))
            return Election(leads=False, again_at=tx.now)
        return _take(tx, scheduler, verdict)


def _leads(standing: Standing) -> bool:
    """The common case, without writing anything."""
    leader, election = standing.scheduler.leader, standing.election
    if not leader or not election.leader_elect:
        return bool(leader)
    record = lease_record(standing.cluster.pk, election)
    return record is not None and record.holder == leader


def _verdict(tx: ClusterTransaction, scheduler: ClusterScheduler) -> Verdict:
    election = election_of(scheduler)
    running = SchedulerReplica.objects.filter(scheduler__cluster=tx.cluster).exclude(identity="").order_by("number")
    identities = {(replica.scheduler_id, replica.identity): None for replica in running}
    candidacy = Candidacy(
        leader=scheduler.leader,
        running=tuple(identity for owner, identity in identities if owner == scheduler.pk),
        observed_version=scheduler.observed_version,
        observed_at=scheduler.observed_at,
    )
    record = lease_record(tx.cluster.pk, election) if election.leader_elect else None
    alive = {identity for _, identity in identities}
    verdict = judge(candidacy, election, record, alive, tx.now)
    if verdict.observed_at is not None and record is not None:
        scheduler.observed_version, scheduler.observed_at = record.version, verdict.observed_at
    return verdict


def _take(tx: ClusterTransaction, scheduler: ClusterScheduler, verdict: Verdict) -> Election:
    election = election_of(scheduler)
    if election.leader_elect:
        try:
            with tx.attempt():
                lease_take(tx, election=election, identity=verdict.identity, source=_source(scheduler))
        except ApiError as refusal:
            why = f"lease {election.resource_namespace}/{election.resource_name} cannot be taken: {refusal.message}"
            return _wait(tx, scheduler, Verdict(action="wait", why=why), steps=0)
    scheduler.leader, scheduler.standing_by, scheduler.observed_at = verdict.identity, "", None
    scheduler.save(update_fields=["leader", "standing_by", "observed_at"])
    return Election(leads=True)


def _wait(tx: ClusterTransaction, scheduler: ClusterScheduler, verdict: Verdict, *, steps: int) -> Election:
    """Nobody leads: say why, and that the feed was looked at; a single step leads to the end of the waiting."""
    scheduler.standing_by = verdict.why
    scheduler.save(update_fields=["standing_by", "observed_version", "observed_at"])
    again_at = verdict.until
    if steps and again_at is not None and tx.cluster.clock_state == Cluster.ClockState.PAUSED:
        cluster_clock_advance(tx, to=again_at)
    state, _ = SchedulerState.objects.get_or_create(scheduler=scheduler)
    state.feed_version, state.next_wakeup, state.has_work = tx.version, again_at, False
    state.steps_done += min(steps, state.steps_requested - state.steps_done)
    state.save(update_fields=["feed_version", "next_wakeup", "has_work", "steps_done"])
    return Election(leads=False, again_at=again_at)


def _replica(scheduler: ClusterScheduler, identity: str) -> SchedulerReplica:
    replica = SchedulerReplica.objects.get(scheduler=scheduler, identity=identity)
    replica.scheduler = scheduler
    return replica


def _source(scheduler: ClusterScheduler) -> str:
    """kube-scheduler tells of its elections under the name of its first profile."""
    first = Profile.objects.filter(configuration__scheduler=scheduler).order_by("position").first()
    return first.scheduler_name if first else DEFAULT_SCHEDULER
