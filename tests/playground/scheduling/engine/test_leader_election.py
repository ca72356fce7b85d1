"""Who of a scheduler's processes schedules, case by case."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from playground.scheduling.engine.leader_election import Candidacy, LeaseRecord, judge
from playground.scheduling.translation.leader_election import leader_election

NOW = 100.0
OTHER = "other-0_x"


class Case(NamedTuple):
    name: str
    leader: str = ""
    running: tuple[str, ...] = ("a", "b")
    holder: str | None = None
    # Of the record that was seen before: version and time.
    seen: tuple[int, float] | None = None
    alive: tuple[str, ...] = ("a", "b")
    elects: bool = True
    action: str = "wait"
    identity: str = ""
    until: float | None = None


CASES = [
    Case("nobody ever took the lease: the first process does", action="take", identity="a"),
    Case("it was released: the first process that runs takes it", holder="", action="take", identity="a"),
    Case("the leader holds it", leader="b", holder="b", action="lead", identity="b"),
    Case("somebody deleted it: the leader makes it anew", leader="b", action="take", identity="b"),
    Case("somebody else took it from the leader", leader="a", holder=OTHER, action="lose", identity="a"),
    Case("another scheduler's process holds it and runs", holder=OTHER, alive=("a", "b", OTHER)),
    Case("its holder does not run: waited for from the moment that is seen", holder=OTHER, until=NOW + 15),
    Case("it was seen a while ago and did not change", holder=OTHER, seen=(7, NOW - 10), until=NOW + 5),
    Case("it changed since it was seen", holder=OTHER, seen=(6, NOW - 10), until=NOW + 15),
    Case("it has run out", holder=OTHER, seen=(7, NOW - 15), action="take", identity="a"),
    Case("one of its own processes holds it already", holder="b", action="take", identity="b"),
    Case("no process runs", running=(), holder=""),
    Case("without election the first process leads", elects=False, holder=OTHER, action="take", identity="a"),
    Case("without election it goes on", elects=False, leader="a", holder=OTHER, action="lead", identity="a"),
    Case("without election and without a process nobody leads", elects=False, running=()),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_election(case: Case) -> None:
    version, at = case.seen or (0, None)
    candidacy = Candidacy(leader=case.leader, running=case.running, observed_version=version, observed_at=at)
    election = leader_election({"leaderElection": {"leaderElect": case.elects}})
    record = None if case.holder is None else LeaseRecord(version=7, holder=case.holder, duration=15.0)
    verdict = judge(candidacy, election, record, case.alive, NOW)
    assert (verdict.action, verdict.identity, verdict.until) == (case.action, case.identity, case.until)
    assert bool(verdict.why) == (case.action == "wait")


def test_the_defaults_are_kube_schedulers() -> None:
    election = leader_election({})
    assert (election.lease_duration, election.renew_deadline, election.retry_period) == (15.0, 10.0, 2.0)
    assert (election.resource_namespace, election.resource_name) == ("kube-system", "kube-scheduler")
