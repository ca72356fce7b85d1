"""The doors through which Celery comes in. Each calls one service and sends what follows from it.

    scheduling.run_cycles   queue scheduling-N    a slice of a cluster's first scheduler, and wakes the others
    scheduling.run_further  queue scheduling-N    a slice of another scheduler, then itself again
    scheduling.bind         queue default         the binding cycles of the pods assumed in one slice
    scheduling.rearm        queue default         the clock was turned: come back for bindings at another time
    scheduling.sweep        queue default         every other second: whatever got lost is sent again

All are acknowledged late and may run twice.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from celery import shared_task
from celery.signals import worker_process_shutdown, worker_shutdown

from playground.clusters.models import Cluster
from playground.common.calling_threads import CallingThreads, CallsOut
from playground.common.errors import FenceLost, NotFound
from playground.common.wakeups import Wakeups, writing
from playground.scheduling.models import ClusterScheduler
from playground.scheduling.selectors.schedulers import schedulers_of
from playground.scheduling.services.api_server import answers_expected
from playground.scheduling.services.bindings import bindings_run
from playground.scheduling.services.lease import leases_release, this_process
from playground.scheduling.services.slice import slice_run
from playground.scheduling.services.sweep import bindings_resend, clusters_due
from playground.scheduling.wake import BINDINGS, REARM, RUN_CYCLES, RUN_FURTHER, further_scheduler, scheduler_of

logger = logging.getLogger(__name__)

# Work that calls extenders: a slow one keeps no other cluster waiting.
calling_threads = CallingThreads("extender-calls")


@shared_task(name=RUN_CYCLES)
def run_cycles(cluster_id: int) -> None:
    wakeups = scheduler_of(cluster_id)
    wakeups.taken(cluster_id)
    for scheduler_id, ordinal in schedulers_of(cluster_id=cluster_id).values_list("pk", "ordinal"):
        if ordinal:
            further_scheduler(cluster_id, ordinal).wake(scheduler_id)
        else:
            _run_here_or_there(_Run(wakeups, cluster_id, cluster_id, scheduler_id))


@shared_task(name=RUN_FURTHER)
def run_further(scheduler_id: int) -> None:
    row = ClusterScheduler.objects.filter(pk=scheduler_id).first()
    if row is not None:
        wakeups = further_scheduler(row.cluster_id, row.ordinal)
        wakeups.taken(scheduler_id)
        _run_here_or_there(_Run(wakeups, scheduler_id, row.cluster_id, scheduler_id))


class _Run(NamedTuple):
    """A slice to be run, and by what id its scheduler is woken again."""

    wakeups: Wakeups
    woken: int
    cluster_id: int
    scheduler_id: int


def _run_here_or_there(run: _Run) -> None:
    try:
        _run_slice(run, may_call=False)
    except CallsOut:
        calling_threads.run(run.scheduler_id, partial(_run_slice_there, run))


def _run_slice_there(run: _Run) -> None:
    # What was written while it waited for a thread is looked at now.
    run.wakeups.taken(run.woken)
    _run_slice(run, may_call=True)


def _run_slice(run: _Run, *, may_call: bool) -> None:
    try:
        with writing(RUN_CYCLES):
            outcome = slice_run(scheduler_id=run.scheduler_id, may_call=may_call)
    except (FenceLost, NotFound) as error:
        logger.info("a slice of cluster %s was not stored: %s", run.cluster_id, error)
        return
    if outcome is None:
        return
    if outcome.binding_sequences:
        bind.delay(run.cluster_id, outcome.binding_sequences)
    if outcome.next_in is not None:
        run.wakeups.wake_after(run.woken, outcome.next_in)


@shared_task(name="scheduling.bind")
def bind(cluster_id: int, sequences: Sequence[int]) -> None:
    try:
        _bind(cluster_id, sequences, may_call=False)
    except CallsOut:
        # Several tasks of a cluster may be under way, so each is a piece of work of its own.
        calling_threads.run((cluster_id, *sequences), partial(_bind, cluster_id, sequences, may_call=True))


def _bind(cluster_id: int, sequences: Sequence[int], *, may_call: bool) -> None:
    try:
        _bind_later(cluster_id, bindings_run(cluster_id=cluster_id, sequences=sequences, may_call=may_call))
    except NotFound as error:
        logger.info("bindings of cluster %s were given up: %s", cluster_id, error)


@shared_task(name=REARM)
def rearm(cluster_id: int) -> None:
    BINDINGS.taken(cluster_id)
    cluster = Cluster.objects.filter(pk=cluster_id).first()
    if cluster is not None:
        _bind_later(cluster_id, answers_expected(cluster=cluster))


def _bind_later(cluster_id: int, answers: Sequence[tuple[float, list[int]]]) -> None:
    """No worker waits for a slow API server: the task comes back when the answer is due."""
    for seconds, sequences in answers:
        bind.apply_async(args=[cluster_id, sequences], countdown=seconds)


@worker_shutdown.connect
@worker_process_shutdown.connect
def release_leases(**_: object) -> None:
    """A worker that stops in order keeps nobody waiting."""
    leases_release(holder=this_process())


@shared_task(name="scheduling.sweep")
def sweep() -> None:
    for cluster_id in clusters_due():
        scheduler_of(cluster_id).wake(cluster_id)
    for cluster_id, sequences in bindings_resend():
        bind.delay(cluster_id, sequences)
