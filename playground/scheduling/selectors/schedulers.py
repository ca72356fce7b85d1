"""Which schedulers a cluster has, and which of them a pod concerns."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from playground.common.errors import NotFound, Subject
from playground.scheduling.models import ClusterScheduler, SchedulerState
from playground.scheduling.models.scheduler import FIRST
from playground.scheduling.translation.configuration import DEFAULT_SCHEDULER


def schedulers_of(*, cluster_id: int) -> QuerySet[ClusterScheduler]:
    """In order of deployment."""
    return ClusterScheduler.objects.filter(cluster_id=cluster_id).order_by("ordinal")


def scheduler_get(*, cluster_id: int, name: str = FIRST) -> ClusterScheduler:
    """With its cluster. Raises NotFound."""
    row = ClusterScheduler.objects.select_related("cluster").filter(cluster_id=cluster_id, name=name).first()
    if row is None:
        known = ", ".join(schedulers_of(cluster_id=cluster_id).values_list("name", flat=True))
        message = f'scheduler "{name}" does not exist; there is {known or "none"}'
        raise NotFound(message, subject=Subject(name=name, kind="schedulers"))
    return row


def scheduler_for_pods(*, cluster_id: int, scheduler_name: str) -> ClusterScheduler:
    """The first that has a profile of this name, else the first of all. Raises NotFound for a deleted cluster."""
    has_profile = Q(configuration__profiles__scheduler_name=scheduler_name)
    if scheduler_name == DEFAULT_SCHEDULER:
        # A scheduler that nobody configured has this profile alone.
        has_profile |= Q(configuration__isnull=True) | Q(configuration__profiles__isnull=True)
    row = schedulers_of(cluster_id=cluster_id).filter(has_profile).first()
    return row or scheduler_get(cluster_id=cluster_id)


def others_have_work(*, scheduler_id: int, cluster_id: int) -> bool:
    """Whether another scheduler of the cluster left a pod in activeQ."""
    others = SchedulerState.objects.filter(scheduler__cluster_id=cluster_id, has_work=True)
    return others.exclude(pk=scheduler_id).exists()
