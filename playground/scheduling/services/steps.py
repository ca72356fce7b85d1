"""Single steps of a paused cluster: one scheduling cycle and its binding.

A step is asked for by raising a counter and taken by the next scheduling slice,
which raises the other one together with what the step did.
"""

from __future__ import annotations

import time

from playground.clusters.models import Cluster
from playground.clusters.services.transaction import cluster_transaction
from playground.common.errors import Conflict, TooManyRequests
from playground.scheduling.models import SchedulerState

# Steps that may wait to be taken.
MOST_WAITING = 100


def step_request(*, cluster: Cluster) -> int:
    """Ask for one step; answers its number. Raises Conflict where the clock runs, NotFound for a deleted cluster."""
    with cluster_transaction(cluster.pk) as tx:
        if tx.cluster.clock_state != Cluster.ClockState.PAUSED:
            raise Conflict(f'cluster "{cluster.slug}" is running; pause it before you step')
        state, _ = SchedulerState.objects.get_or_create(cluster_id=cluster.pk)
        if state.steps_requested - state.steps_done >= MOST_WAITING:
            raise TooManyRequests(f"{MOST_WAITING} steps wait to be taken already; is a scheduling worker running?")
        state.steps_requested += 1
        state.save(update_fields=["steps_requested"])
        return state.steps_requested


def step_wait(*, cluster_id: int, number: int, seconds: float) -> bool:
    """Whether step `number` was taken, waiting for it at most so long."""
    deadline = time.monotonic() + seconds
    while True:
        if SchedulerState.objects.filter(pk=cluster_id, steps_done__gte=number).exists():
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
