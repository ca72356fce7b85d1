"""The end of binding cycles: pods get their node, or their bindings fail, each by itself.

The row in flight is the permission to write. It is looked at again under the
cluster's lock, so a task that was delivered twice, or that comes back after its
work was done by another, finds nothing left to do. A pod that is bound to the
very node already counts as bound.

Most cycles are nothing but DefaultBinder; those of a slice share one
transaction. A cycle with more to do (volumes, device claims, plugins of one's
own) has a transaction to itself, so its writes are all there or not at all. One
that has to wait for somebody else's work stays in flight and is run again, and
so does one whose answer a slow API server owes (`api_server`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils import timezone

from playground.clusters.kinds import KINDS
from playground.clusters.patches import merge_patch
from playground.clusters.selectors import object_get
from playground.clusters.services.events import NewEvent, event_record_many
from playground.clusters.services.objects import object_patch
from playground.clusters.services.pods import PodBinding, pod_bind_many
from playground.clusters.services.transaction import ClusterTransaction, cluster_transaction
from playground.common.bulk import rows_update
from playground.common.errors import ApiError
from playground.live.messages import BindingStep
from playground.scheduling.engine.binders import Binder, binders
from playground.scheduling.engine.following import cluster_by_id
from playground.scheduling.models import Binding
from playground.scheduling.models.binding import IN_FLIGHT
from playground.scheduling.services.api_server import answers_expected, refusal, send_or_answer
from playground.scheduling.services.failures import pod_regarding
from playground.scheduling.services.sweep import BINDING_PATIENCE
from playground.scheduling.translation.cards import binding_card, pod_ref
from scheduler_core.framework.binding_cycle import run_binding_cycle
from scheduler_core.framework.status import SUCCESS, Code, Status, error
from scheduler_core.objects.decode import decode
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.report import BindingReport, StatusReport

DEFAULT_BINDER = "DefaultBinder"


def bindings_run(*, cluster_id: int, sequences: Sequence[int]) -> list[tuple[float, list[int]]]:
    """Run the binding cycles of these decisions, as far as they are still in flight.

    Answers when to come back for which of them: (wall seconds, sequences).
    """
    rows = list(Binding.objects.filter(cluster_id=cluster_id, sequence__in=sequences, phase__in=IN_FLIGHT))
    if not rows:
        return []
    binder = binders.get(cluster_id)
    alone = [row for row in rows if not binder.binds_by_default_only(row.scheduler_name, row.binding_data)]
    together = {row.sequence for row in rows} - {row.sequence for row in alone}
    if together:
        bindings_finish_together(cluster_id=cluster_id, sequences=sorted(together))
    for row in alone:
        binding_run_alone(binder=binder, cluster_id=cluster_id, sequence=row.sequence)
    return answers_expected(cluster=cluster_by_id(cluster_id), sequences=sequences)


def bindings_finish_together(*, cluster_id: int, sequences: Sequence[int]) -> None:
    """Bind pods whose binding cycle is nothing but DefaultBinder; one transaction, each pod by itself."""
    with cluster_transaction(cluster_id) as tx:
        rows = _answered(tx, sequences)
        refusals = {row.sequence: refusal(tx.cluster, row.sequence) for row in rows}
        stored = [row for row in rows if not refusals[row.sequence]]
        for row, result in zip(stored, pod_bind_many(tx, bindings=[_pod_binding(row) for row in stored]), strict=True):
            if isinstance(result, ApiError):
                refusals[row.sequence] = result.message
        for row in rows:
            _finish(row, refusals[row.sequence])
        if rows:
            _store(tx, rows)


def binding_run_alone(*, binder: Binder, cluster_id: int, sequence: int) -> None:
    """The whole binding cycle of one pod, in one transaction."""
    with cluster_transaction(cluster_id) as tx:
        for row in _answered(tx, [sequence]):
            report = _report(tx, binder, row)
            row.steps = [BindingStep(point=s.point, plugin=s.plugin, status=s.status) for s in report.steps]
            row.message = report.message
            if report.status.code == Code.WAIT.text and tx.now < row.at + binder.patience(row.scheduler_name):
                _wait(tx, row)
            else:
                row.phase = "bound" if report.status.code == Code.SUCCESS.text else "failed"
                _store(tx, [row])


def _in_flight(tx: ClusterTransaction, sequences: Sequence[int]) -> list[Binding]:
    wanted = Binding.objects.filter(cluster_id=tx.cluster.pk, sequence__in=sequences, phase__in=IN_FLIGHT)
    return list(wanted.order_by("sequence"))


def _answered(tx: ClusterTransaction, sequences: Sequence[int]) -> list[Binding]:
    """Those in flight that the API server answers by now; it is asked for the others."""
    sent, answered = send_or_answer(tx.cluster, _in_flight(tx, sequences), tx.now)
    if sent:
        rows_update(sent, update=("phase", "due_at", "sent_at"))
        _tell(tx, sent)
    return answered


def _store(tx: ClusterTransaction, rows: Sequence[Binding]) -> None:
    """Write bindings that ended, tell who was bound, and say so on the feed."""
    for row in rows:
        row.ended_at = tx.now
    rows_update(rows, update=("phase", "steps", "message", "ended_at"))
    bound = [row for row in rows if row.phase == "bound"]
    if bound:
        event_record_many(tx, events=[_scheduled(row) for row in bound])
    _tell(tx, rows)


def _tell(tx: ClusterTransaction, rows: Sequence[Binding]) -> None:
    tx.record("bindings", {"bindings": [binding_card(row) for row in rows]})


# A cycle of its own


class TransactionApi:
    """`BindingApi` over this app's transaction: what is refused is a Status, not an exception."""

    def __init__(self, tx: ClusterTransaction, refusal: str = "") -> None:
        self._tx = tx
        # Why the binding will not be stored; "": it will.
        self._refusal = refusal

    def bind(self, namespace: str, name: str, uid: str, node_name: str) -> Status:
        if self._refusal:
            return error(self._refusal)
        binding = PodBinding(namespace=namespace, name=name, uid=uid, node_name=node_name)
        result = pod_bind_many(self._tx, bindings=[binding])[0]
        return error(result.message) if isinstance(result, ApiError) else SUCCESS

    def get(self, kind: str, namespace: str | None, name: str) -> Mapping[str, Any] | None:
        return object_get(self._tx.cluster.pk, kind, namespace, name)

    def patch(self, kind: str, namespace: str | None, name: str, patch: Mapping[str, Any]) -> Status:
        """A merge patch; what it says of the status goes through that door."""
        has_status = "status" in KINDS[kind].subresources
        status = {key: value for key, value in patch.items() if has_status and key == "status"}
        rest = {key: value for key, value in patch.items() if key not in status}
        try:
            for part, subresource in ((rest, ""), (status, "status")):
                if part:
                    self._patch(kind, namespace or "", name, _merging(part), subresource)
        except ApiError as refusal:
            return error(refusal.message)
        return SUCCESS

    def _patch(
        self, kind: str, namespace: str, name: str, change: Callable[[dict[str, Any]], Any], subresource: str
    ) -> None:
        object_patch(self._tx, kind=kind, namespace=namespace, name=name, change=change, subresource=subresource)


def _merging(patch: Mapping[str, Any]) -> Callable[[dict[str, Any]], Any]:
    return lambda current: merge_patch(current, dict(patch))


def _report(tx: ClusterTransaction, binder: Binder, row: Binding) -> BindingReport:
    manifest = object_get(tx.cluster.pk, "Pod", row.namespace, row.name)
    if manifest is None or manifest["metadata"]["uid"] != row.pod_uid:
        return _gone(row)
    pod = decode(manifest)
    assert isinstance(pod, Pod)
    framework = binder.framework(row.scheduler_name)
    api = TransactionApi(tx, refusal(tx.cluster, row.sequence))
    return run_binding_cycle(framework, PodInfo(pod), row.node, row.binding_data, api)


def _gone(row: Binding) -> BindingReport:
    message = f'pods "{row.name}" not found'
    status = StatusReport(code=Code.ERROR.text, reasons=[message])
    return BindingReport(pod=pod_ref(row), node=row.node, status=status, message=message)


def _wait(tx: ClusterTransaction, row: Binding) -> None:
    """Run again by the next sweep; told only when something about it changed."""
    before = Binding.objects.get(pk=row.pk)
    row.phase = "binding"
    row.sent_at = timezone.now() - BINDING_PATIENCE
    rows_update([row], update=("phase", "steps", "message", "sent_at"))
    if (before.phase, before.message) != (row.phase, row.message):
        _tell(tx, [row])


# DefaultBinder alone


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
