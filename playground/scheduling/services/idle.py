"""Waiting until a cluster has nothing left to do, for scripts that read the end of a story.

The clusters' idle checks tell what is left. Their answers count only if no
write came between the first and the last of them: the version is read before
and after. A paused cluster that nobody changes any more is not waited for; its
clock would have to run first.
"""

from __future__ import annotations

import time

import msgspec

from playground.clusters import clock
from playground.clusters.idle import work_left
from playground.clusters.models import Cluster
from playground.clusters.selectors import cluster_get
from playground.scheduling.selectors.progress import UnschedulablePod, pod_counts, unschedulable_pods

LONGEST_SECONDS = 300.0
DEFAULT_SECONDS = 30.0
# Between two looks: short at first, longer the longer it takes.
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 0.25
# A paused cluster is given up on when it stood still for this long.
STANDSTILL_SECONDS = 1.0


class IdleSummary(msgspec.Struct, kw_only=True):
    # False: the time was over, or the clock is paused, before all was done.
    idle: bool
    # Pods with a node, and pods without one.
    scheduled: int
    pending: int
    # Those of the pending ones that wait for a change, with the scheduler's words; at most 100.
    unschedulable: list[UnschedulablePod]
    # What was still to be done when the answer was given, by worker; empty when idle.
    waiting_for: dict[str, list[str]]
    version: int
    # Seconds since the epoch.
    cluster_time: float
    # Wall seconds that were waited.
    seconds: float


def run_until_idle(*, slug: str, timeout_seconds: float) -> IdleSummary:
    """Wait, at most so long, until nothing is left to do, and say how things stand then."""
    started = moved = time.monotonic()
    version = -1
    while True:
        cluster = cluster_get(slug)
        left = work_left(cluster)
        now = time.monotonic()
        if cluster.resource_version != version:
            version, moved = cluster.resource_version, now
        if not left and cluster_get(slug).resource_version == version:
            break
        standing = cluster.clock_state == Cluster.ClockState.PAUSED and now - moved > STANDSTILL_SECONDS
        if standing or now - started > timeout_seconds:
            break
        time.sleep(min(LONGEST_PAUSE, SHORTEST_PAUSE + (now - started) / 20))
    return _summary(cluster, left, time.monotonic() - started)


def _summary(cluster: Cluster, left: dict[str, list[str]], seconds: float) -> IdleSummary:
    scheduled, pending = pod_counts(cluster_id=cluster.pk)
    return IdleSummary(
        idle=not left,
        scheduled=scheduled,
        pending=pending,
        unschedulable=unschedulable_pods(cluster_id=cluster.pk),
        waiting_for=left,
        version=cluster.resource_version,
        cluster_time=clock.now(cluster),
        seconds=round(seconds, 3),
    )
