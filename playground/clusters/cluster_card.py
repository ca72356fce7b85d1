"""A cluster as a page sees it."""

from __future__ import annotations

import msgspec

from playground.clusters.models import Cluster
from playground.live.messages import BreakpointHit, ClusterCard


def cluster_card(cluster: Cluster, *, version: int | None = None) -> ClusterCard:
    return ClusterCard(
        id=cluster.slug,
        name=cluster.name,
        version=cluster.resource_version if version is None else version,
        state="paused" if cluster.clock_state == Cluster.ClockState.PAUSED else "running",
        speed=cluster.clock_speed,
        clock_at=cluster.anchor_cluster,
        clock_wall=cluster.anchor_wall,
        seed=cluster.seed,
        preset=cluster.preset,
        paused_by=None if cluster.paused_by is None else msgspec.convert(cluster.paused_by, BreakpointHit),
    )
