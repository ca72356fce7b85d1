"""All that a slice of scheduling has to know before it begins, in one query: slices are many and most are short."""

from __future__ import annotations

from dataclasses import dataclass

from playground.clusters.models import Cluster
from playground.scheduling.models import SchedulerLease


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where the scheduler of a cluster stands."""

    cluster: Cluster
    # None before the first slice.
    lease: SchedulerLease | None
    # Of the configuration; 0: the defaults.
    revision: int
    # Single steps asked for and not taken.
    steps_waiting: int
    # Whether its configuration has extenders, so that a slice may wait for others.
    calls_out: bool


def standing_of(cluster_id: int) -> Standing | None:
    """None where the cluster is gone."""
    related = ("scheduler_lease", "scheduler_state", "scheduler_configuration")
    cluster = Cluster.objects.select_related(*related).filter(pk=cluster_id).first()
    if cluster is None:
        return None
    lease, state, configuration = (getattr(cluster, name, None) for name in related)
    return Standing(
        cluster=cluster,
        lease=lease,
        revision=configuration.revision if configuration else 0,
        calls_out=bool(configuration and configuration.document.get("extenders")),
        steps_waiting=state.steps_requested - state.steps_done if state else 0,
    )
