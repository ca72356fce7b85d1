"""The end of binding cycles: pods get their node, or their bindings fail, each by itself.

The row in flight is the permission to write. It is looked at again under the
cluster's lock, so a task that was delivered twice, or that comes back after its
work was done by another, finds nothing left to do. A pod that is bound to the
very node already counts as bound.

Most cycles are nothing but DefaultBinder; those of a slice share one
transaction. A cycle with more to do (volumes, device claims, plugins of one's
own) has a transaction to itself, so its writes are all there or not at all. One
that has to wait for somebody else's work stays in flight and is run again, and
so does one whose answer a slow API server owes (`api_server`). Where an extender
binds, its call lies between two transactions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple

from django.utils import timezone

from playground.clusters.kinds import KINDS
from playground.clusters.patches import merge_patch
from playground.clusters.selectors import Manifest, object_get
from playground.clusters.services.events import NewEvent, event_record_many
from playground.clusters.services.objects import object_patch
from playground.clusters.services.pods import PodBinding, pod_bind_many
from playground.clusters.services.transaction import ClusterTransaction, cluster_transaction
from playground.common.bulk import rows_update
from playground.common.calling_threads import CallsOut
from playground.common.errors import ApiError
from playground.live.messages import BindingStep
from playground.scheduling.engine.binders import Binder, binders
from playground.scheduling.engine.extender_calls import HttpCaller
from playground.scheduling.engine.following import cluster_by_id
from playground.scheduling.models import Binding
from playground.scheduling.models.binding import IN_FLIGHT
from playground.scheduling.services.api_server import answers_expected, refusal, send_or_answer
from playground.scheduling.services.failures import pod_regarding
from playground.scheduling.services.sweep import BINDING_PATIENCE
from playground.scheduling.translation.cards import binding_card, pod_ref
from scheduler_core.framework.binding_cycle import BindingCycle, run_binding_cycle
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.extenders import ExtenderSpec
from scheduler_core.framework.status import SUCCESS, Code, Status, error
from scheduler_core.objects.decode import decode
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.report import BindingReport, StatusReport

DEFAULT_BINDER = "DefaultBinder"


def bindings_run(*, cluster_id: int, sequences: Sequence[int], may_call: bool = True) -> list[tuple[float, list[int]]]:
    """Run the binding cycles of these decisions, as far as they are still in flight.

    Answers when to come back for which of them: (wall seconds, sequences). Raises CallsOut where an extender
    may have to be called and `may_call` says no.
    """
    rows = list(Binding.objects.filter(cluster_id=cluster_id, sequence__in=sequences, phase__in=IN_FLIGHT))
    if not rows:
        return []
    of_schedulers = {pk: binders.get(pk) for pk in {row.scheduler_id for row in rows} if pk is not None}
    alone = [(row, binder) for row in rows if (binder := _binder_of_its_own(row, of_schedulers)) is not None]
    if not may_call and any(binder.calls_out for _, binder in alone):
        raise CallsOut
    together = {row.sequence for row in rows} - {row.sequence for row, _ in alone}
    if together:
        bindings_finish_together(cluster_id=cluster_id, sequences=sorted(together))
    for row, binder in alone:
        if not (binder.calls_out and binding_run_by_extender(binder, cluster_id, row.sequence)):
            binding_run_alone(binder=binder, cluster_id=cluster_id, sequence=row.sequence)
    return answers_expected(cluster=cluster_by_id(cluster_id), sequences=sequences)


def _binder_of_its_own(row: Binding, of_schedulers: Mapping[int, Binder]) -> Binder | None:
    """None: the cycle is nothing but DefaultBinder, or its scheduler is gone and the API server has the binding."""
    if row.scheduler_id is None:
        return None
    binder = of_schedulers[row.scheduler_id]
    by_default = not binder.calls_out and binder.binds_by_default_only(row.scheduler_name, row.binding_data)
    return None if by_default else binder


def bindings_finish_together(*, cluster_id: int, sequences: Sequence[int]) -> None:
    """Bind pods whose binding cycle is nothing but DefaultBinder; one transaction, each pod by itself."""
    with cluster_transaction(cluster_id) as tx:
        rows = _answered(tx, sequences)
        refusals = {row.sequence: refusal(tx.cluster, row.sequence) for row in rows}
        stored = [row for row in rows if not refusals[row.sequence]]
        for row, result in zip(stored, _bind(tx, [_pod_binding(row) for row in stored]), strict=True):
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
            _end_or_wait(tx, binder, row, _report(tx, binder, row))


def _end_or_wait(tx: ClusterTransaction, binder: Binder, row: Binding, report: BindingReport) -> None:
    if report.status.code == Code.WAIT.text and tx.now < row.at + binder.patience(row.scheduler_name):
        _note(row, report)
        _wait(tx, row)
    else:
        _end(tx, row, report)


def _end(tx: ClusterTransaction, row: Binding, report: BindingReport) -> None:
    _note(row, report)
    row.phase = "bound" if report.status.code == Code.SUCCESS.text else "failed"
    _store(tx, [row])


def _note(row: Binding, report: BindingReport) -> None:
    row.steps = [BindingStep(point=s.point, plugin=s.plugin, status=s.status, call=s.call) for s in report.steps]
    row.message = report.message


# An extender in place of the Bind plugins


class _ExtenderBinding(NamedTuple):
    """A binding cycle between PreBind and the extender's call."""

    cycle: BindingCycle
    extender: ExtenderSpec


def binding_run_by_extender(binder: Binder, cluster_id: int, sequence: int) -> bool:
    """The binding cycle of one pod that an extender binds; False: none is interested, nothing was done.

    The call is made between two transactions: the extender writes the pod's Binding to our API server, which
    needs the cluster's lock. A task that is delivered again asks it again.
    """
    with cluster_transaction(cluster_id) as tx:
        found = _before_extender(tx, binder, sequence)
    if not isinstance(found, _ExtenderBinding):
        return found
    status = found.cycle.bind_by_extender(found.extender, HttpCaller(), time.perf_counter_ns)
    with cluster_transaction(cluster_id) as tx:
        for row in _in_flight(tx, [sequence]):
            _end(tx, row, _after_extender(tx, row, found, status))
    return True


def _after_extender(tx: ClusterTransaction, row: Binding, binding: _ExtenderBinding, status: Status) -> BindingReport:
    """What an ignorable extender could not bind, the Bind plugins bind."""
    cycle = binding.cycle
    cycle.api = TransactionApi(tx, refusal(tx.cluster, row.sequence))
    bound_by_extender = status.is_success
    if not bound_by_extender and binding.extender.ignorable:
        status = cycle.bind()
    if status.is_success:
        cycle.post_bind()
    report = cycle.report(status)
    if bound_by_extender:
        report.message = _doubt(tx, row, binding.extender)
    return report


def _before_extender(tx: ClusterTransaction, binder: Binder, sequence: int) -> _ExtenderBinding | bool:
    """PreBind. True: that was the end of it, or it has to wait; False: no extender is interested."""
    rows = _in_flight(tx, [sequence])
    pod = _stored_pod(tx, rows[0]) if rows else None
    extender = binder.extender_of(pod) if pod else None
    if pod is None or extender is None:
        return False
    row = rows[0]
    binder.use_clock_of(tx.cluster)
    cycle = BindingCycle(
        binder.framework(row.scheduler_name), pod, row.node, CycleState(dict(row.binding_data)), TransactionApi(tx)
    )
    status = cycle.pre_bind()
    if not status.is_success:
        _end_or_wait(tx, binder, row, cycle.report(status))
        return True
    row.phase = "binding"
    # The sweep leaves it alone while the extender may still answer, as far as it can be told so.
    row.sent_at = timezone.now() + min(timedelta(seconds=extender.http_timeout), BINDING_PATIENCE * 0.9)
    rows_update([row], update=("phase", "sent_at"))
    _tell(tx, [row])
    return _ExtenderBinding(cycle, extender)


def _doubt(tx: ClusterTransaction, row: Binding, extender: ExtenderSpec) -> str:
    """kube-scheduler takes the extender's word. What to tell people where the pod is not on its node."""
    pod = _stored_pod(tx, row)
    if pod is None or pod.node_name == row.node:
        return ""
    if pod.node_name:
        return f"the extender {extender.url_prefix} bound the pod to {pod.node_name}, not to {row.node}"
    return (
        f"the extender {extender.url_prefix} says that it bound the pod, but the API server got no Binding: "
        f"the scheduler counts the pod on {row.node}, and no kubelet will run it"
    )


def _in_flight(tx: ClusterTransaction, sequences: Sequence[int]) -> list[Binding]:
    wanted = Binding.objects.filter(cluster_id=tx.cluster.pk, sequence__in=sequences, phase__in=IN_FLIGHT)
    return list(wanted.select_related("scheduler").order_by("sequence"))


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
        result = _bind(self._tx, [binding])[0]
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
    pod = _stored_pod(tx, row)
    if pod is None:
        return _gone(row)
    binder.use_clock_of(tx.cluster)
    framework = binder.framework(row.scheduler_name)
    api = TransactionApi(tx, refusal(tx.cluster, row.sequence))
    return run_binding_cycle(framework, pod, row.node, row.binding_data, api)


def _stored_pod(tx: ClusterTransaction, row: Binding) -> PodInfo | None:
    """None where the pod is gone."""
    manifest = object_get(tx.cluster.pk, "Pod", row.namespace, row.name)
    if manifest is None or manifest["metadata"]["uid"] != row.pod_uid:
        return None
    pod = decode(manifest)
    assert isinstance(pod, Pod)
    return PodInfo(pod)


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


def _bind(tx: ClusterTransaction, bindings: Sequence[PodBinding]) -> list[Manifest | ApiError]:
    """A pod that another scheduler has bound is taken, were it to the very same node: the API says Conflict."""
    uids = [binding.uid for binding in bindings]
    bound = Binding.objects.filter(cluster_id=tx.cluster.pk, phase="bound", pod_uid__in=uids)
    taken = set(bound.values_list("pod_uid", flat=True))
    asked: list[PodBinding] = []
    for binding in bindings:
        asked.append(replace(binding, repeatable=binding.uid not in taken))
        # The next one for it in this very batch is another scheduler's.
        taken.add(binding.uid)
    return pod_bind_many(tx, bindings=asked)


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
