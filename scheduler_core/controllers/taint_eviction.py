"""Pods leave a node whose NoExecute taints they do not tolerate, or no longer.

A toleration with `tolerationSeconds` lasts that long from the time the taint
was added; of several, the shortest counts. A pod that may not stay is deleted
as by hand, with its grace period, after it was told why.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from scheduler_core.controllers.interface import AGAIN, BATCH, DONE, ReconcileResult, Store
from scheduler_core.objects.conditions import condition, set_condition
from scheduler_core.objects.decode import decode_as
from scheduler_core.objects.event_record import EventRecord
from scheduler_core.objects.manifest import Manifest, ObjectKey, created_at, is_active
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.taints import NO_EXECUTE, Taint, tolerates
from scheduler_core.objects.timestamps import parse_timestamp

SOURCE = "taint-eviction-controller"
# A static pod's twin: its kubelet would bring it back.
MIRROR = "kubernetes.io/config.mirror"


class TaintEvictionController:
    kind: ClassVar[str] = "Node"

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        node = store.get(*key)
        taints = () if node is None else _no_execute(node)
        if node is None or not taints:
            return DONE
        pods = [pod for pod in store.pods_on(key.name) if is_active(pod) and not _is_mirror(pod)]
        stays = [(_seconds_left(pod, node, taints, now), pod) for pod in pods]
        doomed = [pod for left, pod in stays if left is not None and left <= 0]
        self._evict(store, doomed[:BATCH], now)
        if len(doomed) > BATCH:
            return AGAIN
        later = [left for left, _ in stays if left is not None and left > 0]
        return ReconcileResult(requeue_after=min(later, default=None))

    def _evict(self, store: Store, pods: Sequence[Manifest], now: float) -> None:
        for pod in pods:
            reason, message = "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint"
            target = condition("DisruptionTarget", True, now, reason=reason, message=message)
            status = pod.get("status") or {}
            told = {**status, "conditions": set_condition(status.get("conditions") or (), target)}
            store.update_status(pod, told)
        store.record_events([_event(pod) for pod in pods])
        if pods:
            store.delete_many(pods)


def _no_execute(node: Manifest) -> Sequence[Taint]:
    return [taint for taint in decode_as(Node, node).spec.taints if taint.effect == NO_EXECUTE]


def _is_mirror(pod: Manifest) -> bool:
    return MIRROR in (pod["metadata"].get("annotations") or {})


def _seconds_left(pod: Manifest, node: Manifest, taints: Sequence[Taint], now: float) -> float | None:
    """How long the pod may stay; None: for good."""
    tolerations = decode_as(Pod, pod).spec.tolerations
    used = [each for each in tolerations if any(tolerates(each, taint) for taint in taints)]
    if not all(any(tolerates(each, taint) for each in used) for taint in taints):
        return 0.0
    limits = [each.toleration_seconds for each in used if each.toleration_seconds is not None]
    if not limits:
        return None
    return _since(pod, node) + max(min(limits), 0) - now


def _since(pod: Manifest, node: Manifest) -> float:
    """When the pod's patience began: with the youngest taint, or with the pod."""
    added = [parse_timestamp(taint.get("timeAdded")) for taint in node["spec"]["taints"]]
    return max((at for at in (*added, created_at(pod)) if at is not None), default=0.0)


def _event(pod: Manifest) -> EventRecord:
    name = f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"
    return EventRecord(
        regarding=pod,
        event_type="Normal",
        reason="TaintManagerEviction",
        message=f"Marking for deletion Pod {name}",
        source=SOURCE,
    )
