"""Reads of the scheduling queue and of bindings in flight."""

from __future__ import annotations

from django.db.models import Min, QuerySet

from playground.scheduling.models import Binding, QueuedPod
from playground.scheduling.models.binding import IN_FLIGHT
from playground.scheduling.models.queued_pod import QUEUES


def queued_pods(*, cluster_id: int) -> QuerySet[QueuedPod]:
    """Queue by queue, each in its true order."""
    return (
        QueuedPod.objects.filter(cluster_id=cluster_id).select_related("scheduler").order_by("queue", "position", "pk")
    )


def queued_pods_by_queue(*, cluster_id: int) -> dict[str, list[QueuedPod]]:
    """Every queue by its name, empty ones too."""
    queues: dict[str, list[QueuedPod]] = {queue: [] for queue in QUEUES}
    for row in queued_pods(cluster_id=cluster_id):
        queues[row.queue].append(row)
    return queues


def bindings_in_flight(*, cluster_id: int) -> QuerySet[Binding]:
    in_flight = Binding.objects.filter(cluster_id=cluster_id, phase__in=IN_FLIGHT)
    return in_flight.select_related("scheduler").order_by("sequence")


def next_answer(*, cluster_id: int, after: float) -> float | None:
    """Cluster time at which a slow API server answers next; None: no answer is expected."""
    return bindings_in_flight(cluster_id=cluster_id).filter(due_at__gt=after).aggregate(at=Min("due_at"))["at"]


def binding_of_decision(*, cluster_id: int, sequence: int) -> Binding | None:
    return Binding.objects.select_related("scheduler").filter(cluster_id=cluster_id, sequence=sequence).first()
