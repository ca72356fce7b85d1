"""All that a slice of scheduling has to know before it begins, in one query: slices are many and most are short."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playground.clusters.models import Cluster
from playground.scheduling.models import ClusterScheduler, SchedulerLease
from playground.scheduling.translation.leader_election import leader_election
from scheduler_core.configuration import LeaderElection


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a scheduler stands."""

    # With its cluster.
    scheduler: ClusterScheduler
    # None before the first slice.
    lease: SchedulerLease | None
    # Of the configuration; 0: the defaults.
    revision: int
    # Single steps asked for and not taken.
    steps_waiting: int
    # Whether its configuration has extenders, so that a slice may wait for others.
    calls_out: bool
    election: LeaderElection

    @property
    def cluster(self) -> Cluster:
        return self.scheduler.cluster


def standing_of(scheduler_id: int) -> Standing | None:
    """None where the scheduler is gone."""
    related = ("cluster", "lease", "state", "configuration")
    row = ClusterScheduler.objects.select_related(*related).filter(pk=scheduler_id).first()
    if row is None:
        return None
    lease, state, configuration = (_related(row, name) for name in related[1:])
    return Standing(
        scheduler=row,
        lease=lease,
        revision=configuration.revision if configuration else 0,
        calls_out=bool(configuration and configuration.document.get("extenders")),
        steps_waiting=state.steps_requested - state.steps_done if state else 0,
        election=leader_election(configuration.document if configuration else {}),
    )


def _related(row: ClusterScheduler, name: str) -> Any:
    """The row that shares its key; None where there is none yet."""
    return getattr(row, name, None)
