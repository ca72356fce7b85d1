"""Single steps of a paused cluster: one scheduling cycle and its binding.

Where there are several schedulers, one of those that have a pod in activeQ takes
the step; if none has, the one for which something is due first.

A step is asked for by raising a counter and taken by the next scheduling slice,
which raises the other one together with what the step did.
"""

from __future__ import annotations

import time

from playground.clusters.models import Cluster
from playground.clusters.services.transaction import cluster_transaction
from playground.common.errors import Conflict, TooManyRequests
from playground.scheduling.models import ClusterScheduler, SchedulerState
from playground.scheduling.selectors.schedulers import schedulers_of

# Steps that may wait to be taken.
MOST_WAITING = 100


def step_request(*, cluster: Cluster) -> tuple[int, int]:
    """Ask for one step; answers the scheduler that takes it and its number.

    Raises Conflict where the clock runs, NotFound for a deleted cluster.
    """
    with cluster_transaction(cluster.pk) as tx:
        if tx.cluster.clock_state != Cluster.ClockState.PAUSED:
            raise Conflict(f'cluster "{cluster.slug}" is running; pause it before you step')
        state, _ = SchedulerState.objects.get_or_create(scheduler=_whose_turn(cluster))
        if state.steps_requested - state.steps_done >= MOST_WAITING:
            raise TooManyRequests(f"{MOST_WAITING} steps wait to be taken already; is a scheduling worker running?")
        state.steps_requested += 1
        state.save(update_fields=["steps_requested"])
        return state.pk, state.steps_requested


def _whose_turn(cluster: Cluster) -> ClusterScheduler:
    """Of those with work, who has done the fewest steps, so that they take turns."""
    rows = list(schedulers_of(cluster_id=cluster.pk).select_related("state").defer("state__engine"))
    return min(rows, key=_turn)


def _turn(row: ClusterScheduler) -> tuple[bool, bool, int, float, int]:
    state = getattr(row, "state", None) or SchedulerState()
    due = float("inf") if state.next_wakeup is None else state.next_wakeup
    steps = state.steps_requested if state.has_work else 0
    return bool(row.standing_by), not state.has_work, steps, due, row.ordinal


def step_wait(*, scheduler_id: int, number: int, seconds: float) -> bool:
    """Whether step `number` was taken, waiting for it at most so long."""
    deadline = time.monotonic() + seconds
    while True:
        if SchedulerState.objects.filter(pk=scheduler_id, steps_done__gte=number).exists():
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
