"""A cluster's time.

Cluster time runs with the wall clock, slower, faster or not at all. It is kept
as an anchor: at `anchor_wall` (wall) it was `anchor_cluster`. While the clock
is paused it stands at `anchor_cluster`. Everything in the cluster (creation
times, backoff, grace periods, start times) uses it.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

from playground.clusters.models import Cluster


def now(cluster: Cluster, wall: float | None = None) -> float:
    """Cluster time in seconds since the epoch."""
    if cluster.clock_state == Cluster.ClockState.PAUSED:
        return cluster.anchor_cluster
    elapsed = (time.time() if wall is None else wall) - cluster.anchor_wall
    return cluster.anchor_cluster + elapsed * cluster.clock_speed


def wall_seconds_until(cluster: Cluster, at: float) -> float | None:
    """Wall seconds until cluster time `at`; 0 when it has passed, None while the clock stands."""
    current = now(cluster)
    if at <= current:
        return 0.0
    if cluster.clock_state == Cluster.ClockState.PAUSED:
        return None
    return (at - current) / cluster.clock_speed


def anchor(cluster: Cluster, at: float | None = None) -> None:
    """Fix the anchor at this moment (or move the clock to `at`); call before changing state or speed."""
    wall = time.time()
    cluster.anchor_cluster = now(cluster, wall) if at is None else at
    cluster.anchor_wall = wall


def timestamp(at: float) -> str:
    """`at` as Kubernetes' metav1.Time writes it: whole seconds, UTC."""
    return datetime.fromtimestamp(int(at), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def micro_timestamp(at: float) -> str:
    """`at` as Kubernetes' metav1.MicroTime writes it."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def parse_timestamp(text: str) -> float:
    """Seconds since the epoch of an RFC 3339 time. Raises ValueError."""
    return datetime.fromisoformat(text).timestamp()
