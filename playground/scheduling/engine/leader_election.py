"""Who of a scheduler's processes schedules: what client-go's leader election decides, as a function.

A process leads while it holds the Lease. A Lease that nobody holds is taken at
once. One that somebody else holds is watched: if its record has not changed for
as long as the record itself says it lasts, its holder is taken for dead.

A process that runs renews its Lease without a word: nobody writes a renewal
every other second into a cluster where nothing else happens. So the record of a
holder that runs never gets old, and that of one that was killed is written a
last time, as it was when it died. Everything here is cluster time.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from scheduler_core.configuration import LeaderElection


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseRecord:
    """The Lease object, as far as an election needs it."""

    # Its resourceVersion.
    version: int
    # "": it was released.
    holder: str
    # Seconds.
    duration: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidacy:
    """A scheduler that wants to lead."""

    # Identity of its process that leads so far; "": none does.
    leader: str
    # Identities of its processes.
    running: tuple[str, ...]
    # The record it saw last, and when it saw that first.
    observed_version: int
    observed_at: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    # lead: it does already; take: it may from now on, once the Lease says so; lose: its process has to end; wait.
    action: Literal["lead", "take", "lose", "wait"]
    # Of the process that leads, takes or loses.
    identity: str = ""
    # While waiting: cluster time at which the holder is taken for dead; None: it renews its Lease.
    until: float | None = None
    # When the record that is waited for was first seen.
    observed_at: float | None = None
    # While waiting: why, for people.
    why: str = ""


def judge(
    candidacy: Candidacy, election: LeaderElection, record: LeaseRecord | None, alive: Collection[str], now: float
) -> Verdict:
    """`alive`: identities of every process of the cluster that runs and renews what it holds."""
    if not candidacy.running:
        return Verdict(action="wait", why="none of its processes is running")
    candidate = candidacy.leader or candidacy.running[0]
    if not election.leader_elect:
        return Verdict(action="lead" if candidacy.leader else "take", identity=candidate)
    if record is None or not record.holder:
        return Verdict(action="take", identity=candidate)
    if record.holder == candidacy.leader:
        return Verdict(action="lead", identity=candidate)
    if candidacy.leader:
        return Verdict(action="lose", identity=candidate)
    if record.holder in candidacy.running:
        return Verdict(action="take", identity=record.holder)
    return _watch(candidacy, election, record, alive, now)


def _watch(
    candidacy: Candidacy, election: LeaderElection, record: LeaseRecord, alive: Collection[str], now: float
) -> Verdict:
    held = f"lease {election.resource_namespace}/{election.resource_name} is held by {record.holder}"
    if record.holder in alive:
        return Verdict(action="wait", why=held)
    known = candidacy.observed_version == record.version and candidacy.observed_at is not None
    observed_at = candidacy.observed_at if known and candidacy.observed_at is not None else now
    until = observed_at + record.duration
    if now >= until:
        return Verdict(action="take", identity=candidacy.running[0])
    return Verdict(action="wait", until=until, observed_at=observed_at, why=f"{held}, who does not renew it")
