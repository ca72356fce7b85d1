"""One slice of a scheduler, from the lease to the stored result."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass

import msgspec

from playground.clusters import clock
from playground.clusters.models import Cluster
from playground.common.calling_threads import CallsOut
from playground.scheduling.engine.breakpoints import Breakpoint, Breakpoints
from playground.scheduling.engine.session import NO_BREAKPOINTS
from playground.scheduling.engine.slice import Slice
from playground.scheduling.engine.warm import WarmSessions, warm_sessions
from playground.scheduling.selectors.standing import Standing, standing_of
from playground.scheduling.services.election import Election, election_hold
from playground.scheduling.services.lease import lease_acquire, this_process
from playground.scheduling.services.lease_keeping import lease_kept
from playground.scheduling.services.numbers import numbers_of
from playground.scheduling.services.record import slice_record

# Steps taken in one slice.
MOST_STEPS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceOutcome:
    """What is to be done after a slice."""

    # Decisions whose bindings are to be run.
    binding_sequences: list[int]
    # Wall seconds until the next slice; 0: at once; None: not before something changes.
    next_in: float | None


def slice_run(
    *,
    scheduler_id: int,
    holder: str | None = None,
    sessions: WarmSessions = warm_sessions,
    may_call: bool = True,
) -> SliceOutcome | None:
    """Follow the feed, run some cycles, store what came of it.

    None: there is nothing to do here, the scheduler is gone or another worker has its lease. Raises FenceLost
    when that happens in the middle; then nothing was stored. Raises CallsOut where extenders would have to be
    called and `may_call` says no.
    """
    standing = standing_of(scheduler_id)
    if standing is None:
        sessions.drop(scheduler_id)
        return None
    if standing.calls_out and not may_call:
        raise CallsOut
    lease = lease_acquire(scheduler=standing.scheduler, holder=holder or this_process(), row=standing.lease)
    if lease is None:
        return None
    election = election_hold(standing=standing, lease=lease)
    if not election.leads:
        sessions.drop(scheduler_id)
        return _standing_by(standing, election)
    waiting = standing.steps_waiting
    with sessions.borrowed(standing.scheduler, standing.revision, lease.generation) as session:
        with lease_kept(lease) if standing.calls_out else nullcontext():
            done = session.run(
                steps=min(waiting, MOST_STEPS),
                numbers=numbers_of(lease.cluster_id),
                breakpoints=_breakpoints(standing.cluster),
            )
        sequences = slice_record(lease=lease, done=done)
        next_in = _next_in(session.clock.cluster, done, waiting)
    return SliceOutcome(binding_sequences=sequences, next_in=next_in)


def _standing_by(standing: Standing, election: Election) -> SliceOutcome:
    again_at = election.again_at
    next_in = None if again_at is None else clock.wall_seconds_until(standing.cluster, again_at)
    return SliceOutcome(binding_sequences=[], next_in=next_in)


def _breakpoints(cluster: Cluster) -> Breakpoints:
    if not cluster.breakpoints:
        return NO_BREAKPOINTS
    return Breakpoints(msgspec.convert(cluster.breakpoints, list[Breakpoint]))


def _next_in(cluster: Cluster, done: Slice, steps: int) -> float | None:
    if done.hit is not None:
        # The clock stands by now; whoever lets it run again wakes the scheduler.
        return None
    paused = cluster.clock_state == Cluster.ClockState.PAUSED
    if steps > done.steps if paused else done.has_work:
        return 0.0
    return None if done.next_wakeup is None else clock.wall_seconds_until(cluster, done.next_wakeup)
