"""Reads of decisions: many summaries, or one whole report."""

from __future__ import annotations

from django.db.models import QuerySet

from playground.common.errors import NotFound
from playground.scheduling.models import Decision

# What a summary needs; the report stays where it is.
_SUMMARY_COLUMNS = ("sequence", "summary")


def decisions(*, cluster_id: int, namespace: str = "", pod: str = "", outcome: str = "") -> QuerySet[Decision]:
    """Newest first; "" leaves a column open."""
    wanted = {"namespace": namespace, "name": pod, "outcome": outcome}
    return (
        Decision.objects.filter(cluster_id=cluster_id, **{column: value for column, value in wanted.items() if value})
        .order_by("-sequence")
        .only(*_SUMMARY_COLUMNS)
    )


def decision_get(*, cluster_id: int, sequence: int) -> Decision:
    row = Decision.objects.filter(cluster_id=cluster_id, sequence=sequence).first()
    if row is None:
        raise NotFound(f"decision {sequence} does not exist; it may have been dropped, only the newest are kept")
    return row
