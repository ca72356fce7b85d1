"""The log of cluster events that pods waited for, or might have."""

from __future__ import annotations

from django.db.models import QuerySet

from playground.scheduling.models import ClusterEventRecord


def cluster_events(*, cluster_id: int, event: str = "", subject: str = "") -> QuerySet[ClusterEventRecord]:
    """Newest first; "" leaves a column open."""
    wanted = {"event": event, "object": subject}
    rows = ClusterEventRecord.objects.filter(
        cluster_id=cluster_id, **{column: value for column, value in wanted.items() if value}
    )
    return rows.order_by("-number")
