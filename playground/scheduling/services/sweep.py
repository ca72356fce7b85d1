"""Finding work that nobody came for: the answer to whatever was lost on the way.

A task may vanish with its worker, a wake-up with the broker. The rows remember
what is due; sending it again costs little and does nothing twice.
"""

from __future__ import annotations

import time
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from playground.clusters import clock
from playground.clusters.models import Cluster
from playground.scheduling.models import Binding, ClusterScheduler, SchedulerState
from playground.scheduling.models.binding import IN_FLIGHT

# A binding that nobody finished in this time is sent again.
BINDING_PATIENCE = timedelta(seconds=4)
# Bindings sent in one task, and looked at in one sweep of a cluster.
BINDINGS_A_TASK = 64
MOST_BINDINGS = 2_000


def clusters_due() -> list[int]:
    """Ids of clusters of which a scheduler has something to look at or to do."""
    rows = ClusterScheduler.objects.select_related("cluster", "state").defer("state__engine")
    return list(dict.fromkeys(row.cluster_id for row in rows if _is_due(row.cluster, getattr(row, "state", None))))


def _is_due(cluster: Cluster, state: SchedulerState | None) -> bool:
    if state is None or cluster.resource_version > state.feed_version:
        return True
    if cluster.clock_state == Cluster.ClockState.PAUSED:
        return state.steps_requested > state.steps_done
    return state.has_work or (state.next_wakeup is not None and state.next_wakeup <= clock.now(cluster))


def bindings_resend() -> list[tuple[int, list[int]]]:
    """(cluster id, sequences of bindings) of what is overdue, each some for one task; marked as sent now."""
    now = timezone.now()
    # Sent in the future: the machine's clock was set back, and nobody may have the task.
    due = Q(sent_at__lt=now - BINDING_PATIENCE) | Q(sent_at__gt=now + BINDING_PATIENCE)
    overdue = Binding.objects.filter(due, phase__in=IN_FLIGHT)
    by_cluster: dict[int, list[int]] = {}
    for cluster in Cluster.objects.filter(pk__in=overdue.values("cluster_id")):
        found = overdue.filter(_has_answer(cluster), cluster=cluster).order_by("pk")
        by_cluster[cluster.pk] = list(found.values_list("sequence", flat=True)[:MOST_BINDINGS])
    batches = [
        (cluster_id, sequences[start : start + BINDINGS_A_TASK])
        for cluster_id, sequences in by_cluster.items()
        for start in range(0, len(sequences), BINDINGS_A_TASK)
    ]
    for cluster_id, sequences in batches:
        Binding.objects.filter(cluster_id=cluster_id, sequence__in=sequences).update(sent_at=now)
    return batches


def _has_answer(cluster: Cluster) -> Q:
    """Bindings to which a slow API server owes no answer, or has owed it for that long."""
    due = clock.now(cluster, time.time() - BINDING_PATIENCE.total_seconds())
    return Q(due_at__isnull=True) | Q(due_at__lte=due)
