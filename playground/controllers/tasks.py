"""The doors of the workers: one service call each."""

from __future__ import annotations

from functools import partial

from celery import shared_task

from playground.common.calling_threads import CallingThreads
from playground.common.wakeups import writing
from playground.controllers.selectors import clusters_to_wake
from playground.controllers.services.run import controllers_run, webhooks_ask
from playground.controllers.wake import RUN, controllers

# Admission webhooks are asked here: a slow one keeps no other cluster waiting.
webhook_threads = CallingThreads("admission-webhooks", most=16)


@shared_task(name=RUN)
def run(cluster_id: int) -> None:
    """Let a cluster's controllers and kubelets work, and come back when there is more to do."""
    controllers.taken(cluster_id)
    _run(cluster_id)


def _run(cluster_id: int) -> None:
    with writing(RUN):
        result = controllers_run(cluster_id=cluster_id)
    if result.asks:
        webhook_threads.run(cluster_id, partial(_ask_and_run, cluster_id))
    if result.unfinished:
        controllers.wake(cluster_id)
    elif result.due_in is not None:
        controllers.wake_after(cluster_id, result.due_in)


def _ask_and_run(cluster_id: int) -> None:
    """In this process, which has the answers, and not as a task, which another may take."""
    webhooks_ask(cluster_id=cluster_id)
    _run(cluster_id)


@shared_task(name="controllers.sweep")
def sweep() -> None:
    """Wake whatever has work that nobody came for: its worker was killed, or a message was lost."""
    for cluster_id in clusters_to_wake():
        controllers.wake(cluster_id)
