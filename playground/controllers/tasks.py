"""The doors of the workers: one service call each."""

from __future__ import annotations

from celery import shared_task

from playground.common.wakeups import writing
from playground.controllers.selectors import clusters_to_wake
from playground.controllers.services.run import controllers_run
from playground.controllers.wake import RUN, controllers


@shared_task(name=RUN)
def run(cluster_id: int) -> None:
    """Let a cluster's controllers and kubelets work, and come back when there is more to do."""
    controllers.taken(cluster_id)
    with writing(RUN):
        result = controllers_run(cluster_id=cluster_id)
    if result.unfinished:
        controllers.wake(cluster_id)
    elif result.due_in is not None:
        controllers.wake_after(cluster_id, result.due_in)


@shared_task(name="controllers.sweep")
def sweep() -> None:
    """Wake whatever has work that nobody came for: its worker was killed, or a message was lost."""
    for cluster_id in clusters_to_wake():
        controllers.wake(cluster_id)
