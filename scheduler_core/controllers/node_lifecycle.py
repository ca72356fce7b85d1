"""A node whose kubelet stopped is given up after a while; one whose kubelet is back is taken for healthy again.

For the grace period nothing shows: pods are still placed there and wait. Then
the conditions become Unknown, the pods are marked as not ready, and the taints
that follow from Ready=Unknown (`node_taints`) make the pods leave when their
patience is over (`taint_eviction`): the deletion is asked for, and stays asked
for until a kubelet carries it out or the node is removed.

The kubelet's own report when it is back is written here as well; it needs no
more than the object.
"""

from __future__ import annotations

from typing import ClassVar

from scheduler_core.controllers.interface import DONE, ReconcileResult, Store
from scheduler_core.objects.conditions import condition, set_condition
from scheduler_core.objects.event_record import EventRecord
from scheduler_core.objects.manifest import Manifest, ObjectKey, condition_of, is_ready
from scheduler_core.objects.node_health import HEALTHY, kubelet_stopped_at

# --node-monitor-grace-period
GRACE_SECONDS = 50.0
SOURCE = "node-controller"
_SILENT = ("NodeStatusUnknown", "Kubelet stopped posting node status.")
_NEVER_HEARD = ("NodeStatusNeverUpdated", "Kubelet never posted node status.")
_GIVEN_UP = frozenset({_SILENT[0], _NEVER_HEARD[0]})


class NodeLifecycleController:
    kind: ClassVar[str] = "Node"

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        node = store.get(*key)
        if node is None:
            return DONE
        stopped_at = kubelet_stopped_at(node)
        if stopped_at is None:
            _take_for_healthy(store, node, now)
            return DONE
        left = stopped_at + GRACE_SECONDS - now
        if left > 0:
            return ReconcileResult(requeue_after=left)
        _give_up(store, node, now)
        return DONE


def _give_up(store: Store, node: Manifest, now: float) -> None:
    status = node.get("status") or {}
    conditions = list(status.get("conditions") or ())
    for condition_type in HEALTHY:
        known = condition_of(node, condition_type)
        reason, message = _NEVER_HEARD if known is None else _SILENT
        if known is None or known["status"] != "Unknown":
            conditions = set_condition(
                conditions, condition(condition_type, "Unknown", now, reason=reason, message=message)
            )
    if conditions != list(status.get("conditions") or ()):
        store.update_status(node, {**status, "conditions": conditions})
        store.record_events([_told(node, "NodeNotReady", SOURCE)])
    _mark_pods(store, node, now)


def _mark_pods(store: Store, node: Manifest, now: float) -> None:
    for pod in store.pods_on(node["metadata"]["name"]):
        if is_ready(pod):
            status = pod["status"]
            conditions = set_condition(status["conditions"], condition("Ready", False, now))
            store.update_status(pod, {**status, "conditions": conditions})
            store.record_events([_not_ready(pod)])


def _take_for_healthy(store: Store, node: Manifest, now: float) -> None:
    status = node.get("status") or {}
    conditions = list(status.get("conditions") or ())
    given_up = [each["type"] for each in conditions if each["type"] in HEALTHY and each.get("reason") in _GIVEN_UP]
    for condition_type in given_up:
        text, reason, message = HEALTHY[condition_type]
        conditions = set_condition(conditions, condition(condition_type, text, now, reason=reason, message=message))
    if given_up:
        store.update_status(node, {**status, "conditions": conditions})
        store.record_events([_told(node, "NodeReady", "kubelet")])


def _told(node: Manifest, reason: str, source: str) -> EventRecord:
    message = f"Node {node['metadata']['name']} status is now: {reason}"
    return EventRecord(regarding=node, event_type="Normal", reason=reason, message=message, source=source)


def _not_ready(pod: Manifest) -> EventRecord:
    message = "Node is not ready"
    return EventRecord(regarding=pod, event_type="Warning", reason="NodeNotReady", message=message, source=SOURCE)
