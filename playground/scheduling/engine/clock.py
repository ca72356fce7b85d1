"""The cluster's clock as the engine reads it."""

from __future__ import annotations

from playground.clusters import clock
from playground.clusters.models import Cluster


class ClusterClock:
    """Cluster time by the cluster's row as it was last read; `cluster` is replaced at every slice."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster

    @property
    def is_paused(self) -> bool:
        return self.cluster.clock_state == Cluster.ClockState.PAUSED

    def now(self) -> float:
        return clock.now(self.cluster)

    def move_to(self, at: float) -> None:
        """Let it be `at` from now on, in this process; the slice stores it with what came of it."""
        clock.anchor(self.cluster, at)
