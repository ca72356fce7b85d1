"""The end of binding cycles: pods get their node, or their bindings fail, each by itself.

The row in flight is the permission to write. It is looked at again under the
cluster's lock, so a task that was delivered twice, or that comes back after its
work was done by another, finds nothing left to do. A pod that is bound to the
very node already counts as bound.
"""

from __future__ import annotations

from collections.abc import Sequence

from playground.clusters.services.events import NewEvent, event_record_many
from playground.clusters.services.pods import PodBinding, pod_bind_many
from playground.clusters.services.transaction import ClusterTransaction, cluster_transaction
from playground.common.bulk import rows_update
from playground.common.errors import ApiError
from playground.live.messages import BindingStep
from playground.scheduling.models import Binding
from playground.scheduling.models.binding import IN_FLIGHT
from playground.scheduling.services.failures import pod_regarding
from playground.scheduling.translation.cards import binding_card, pod_ref
from scheduler_core.report import StatusReport

DEFAULT_BINDER = "DefaultBinder"


def bindings_run(*, cluster_id: int, sequences: Sequence[int]) -> list[Binding]:
    """Run the binding cycles of these bindings, as far as they are still in flight."""
    return bindings_finish_in_bulk(cluster_id=cluster_id, sequences=sequences)


def bindings_finish_in_bulk(*, cluster_id: int, sequences: Sequence[int]) -> list[Binding]:
    """Bind pods whose binding cycle is nothing but DefaultBinder; one transaction, each pod by itself."""
    with cluster_transaction(cluster_id) as tx:
        rows = list(
            Binding.objects.filter(cluster_id=cluster_id, sequence__in=sequences, phase__in=IN_FLIGHT).order_by(
                "sequence"
            )
        )
        if rows:
            for row, result in zip(rows, pod_bind_many(tx, bindings=[_pod_binding(row) for row in rows]), strict=True):
                _finish(row, result.message if isinstance(result, ApiError) else "")
            bindings_store(tx, rows=rows)
    return rows


def bindings_store(tx: ClusterTransaction, *, rows: Sequence[Binding]) -> None:
    """Write finished bindings, tell who was bound, and say so on the feed."""
    rows_update(rows, update=("phase", "steps", "message", "sent_at"))
    bound = [row for row in rows if row.phase == "bound"]
    if bound:
        event_record_many(tx, events=[_scheduled(row) for row in bound])
    tx.record("bindings", {"bindings": [binding_card(row) for row in rows]})


def _pod_binding(row: Binding) -> PodBinding:
    return PodBinding(namespace=row.namespace, name=row.name, uid=row.pod_uid, node_name=row.node)


def _finish(row: Binding, refusal: str) -> None:
    row.phase = "failed" if refusal else "bound"
    row.message = f'running Bind plugin "{DEFAULT_BINDER}": {refusal}' if refusal else ""
    status = StatusReport(
        code="Error" if refusal else "Success", plugin=DEFAULT_BINDER, reasons=[refusal] if refusal else []
    )
    row.steps = [BindingStep(point="bind", plugin=DEFAULT_BINDER, status=status)]


def _scheduled(row: Binding) -> NewEvent:
    return NewEvent(
        regarding=pod_regarding(pod_ref(row)),
        reason="Scheduled",
        action="Binding",
        message=f"Successfully assigned {row.namespace}/{row.name} to {row.node}",
        source=row.scheduler_name,
    )
