"""The doors through which Celery comes in. Each calls one service and sends what follows from it.

    scheduling.run_cycles   queue scheduling-N    a slice of scheduling cycles of one cluster, then itself again
    scheduling.bind         queue default         the binding cycles of the pods assumed in one slice
    scheduling.rearm        queue default         the clock was turned: come back for bindings at another time
    scheduling.sweep        queue default         every other second: whatever got lost is sent again

All are acknowledged late and may run twice.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial

from celery import shared_task
from celery.signals import worker_process_shutdown, worker_shutdown

from playground.clusters.models import Cluster
from playground.common.calling_threads import CallingThreads, CallsOut
from playground.common.errors import FenceLost, NotFound
from playground.common.wakeups import writing
from playground.scheduling.services.api_server import answers_expected
from playground.scheduling.services.bindings import bindings_run
from playground.scheduling.services.lease import leases_release, this_process
from playground.scheduling.services.slice import slice_run
from playground.scheduling.services.sweep import bindings_resend, clusters_due
from playground.scheduling.wake import BINDINGS, REARM, RUN_CYCLES, scheduler_of

logger = logging.getLogger(__name__)

# Work that calls extenders: a slow one keeps no other cluster waiting.
calling_threads = CallingThreads("extender-calls")


@shared_task(name=RUN_CYCLES)
def run_cycles(cluster_id: int) -> None:
    try:
        _run_slice(cluster_id, may_call=False)
    except CallsOut:
        calling_threads.run(cluster_id, partial(_run_slice, cluster_id, may_call=True))


def _run_slice(cluster_id: int, *, may_call: bool) -> None:
    wakeups = scheduler_of(cluster_id)
    wakeups.taken(cluster_id)
    try:
        with writing(RUN_CYCLES):
            outcome = slice_run(cluster_id=cluster_id, may_call=may_call)
    except (FenceLost, NotFound) as error:
        logger.info("a slice of cluster %s was not stored: %s", cluster_id, error)
        return
    if outcome is None:
        return
    if outcome.binding_sequences:
        bind.delay(cluster_id, outcome.binding_sequences)
    if outcome.next_in is not None:
        wakeups.wake_after(cluster_id, outcome.next_in)


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
