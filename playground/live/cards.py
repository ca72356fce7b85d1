"""Manifest -> card: what a page shows at a glance, by the engine's own rules.

A card is made from the manifest alone, so the same manifest gives the same
card in a snapshot and in a message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from playground.live.messages import (
    Card,
    DrainBlocked,
    DrainCard,
    EventCard,
    NodeCard,
    ObjectCard,
    OwnerRef,
    PodCard,
    Taint,
    WorkloadCard,
)
from scheduler_core.controllers.node_drain import DRAIN, Drain, drain_of
from scheduler_core.objects.decode import DecodeError, decode
from scheduler_core.objects.node import ZONE_LABEL, Node
from scheduler_core.objects.node_health import KUBELET_STOPPED
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo

Manifest = Mapping[str, Any]

# Pods of a drain that a card names.
MOST_BLOCKED = 20
ROLE_PREFIX = "node-role.kubernetes.io/"
WORKLOADS = frozenset({"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "ReplicationController"})


def card_of(kind: str, manifest: Manifest) -> Card:
    """The card of any object."""
    build = _BUILDERS.get(kind)
    if build is None:
        build = _workload_card if kind in WORKLOADS else _object_card
    try:
        return build(manifest)
    except DecodeError:
        # Admission refuses what the engine cannot read; what got in by another door is still shown.
        return _object_card(manifest)


def _identity(manifest: Manifest) -> dict[str, Any]:
    metadata = manifest["metadata"]
    return {
        "uid": metadata["uid"],
        "name": metadata["name"],
        "resource_version": int(metadata["resourceVersion"]),
    }


def _namespaced_identity(manifest: Manifest) -> dict[str, Any]:
    return {**_identity(manifest), "namespace": manifest["metadata"].get("namespace", "")}


def _created_at(manifest: Manifest) -> str:
    return str(manifest["metadata"].get("creationTimestamp", ""))


def _labels(manifest: Manifest) -> dict[str, str]:
    return dict(manifest["metadata"].get("labels") or {})


def _owner(manifest: Manifest) -> OwnerRef | None:
    owners = manifest["metadata"].get("ownerReferences") or ()
    for owner in sorted(owners, key=lambda each: not each.get("controller")):
        return OwnerRef(kind=owner["kind"], name=owner["name"], uid=owner["uid"])
    return None


def _node_card(manifest: Manifest) -> NodeCard:
    node = decode(manifest)
    assert isinstance(node, Node)
    labels = _labels(manifest)
    annotations = manifest["metadata"].get("annotations") or {}
    return NodeCard(
        **_identity(manifest),
        created_at=_created_at(manifest),
        labels=labels,
        taints=[Taint(key=taint.key, value=taint.value, effect=taint.effect) for taint in node.spec.taints],
        unschedulable=node.spec.unschedulable,
        ready=next((each.status for each in node.status.conditions if each.type == "Ready"), "Unknown"),
        allocatable=node.allocatable,
        roles=sorted(key.removeprefix(ROLE_PREFIX) for key in labels if key.startswith(ROLE_PREFIX)),
        zone=labels.get(ZONE_LABEL, ""),
        images=[image.names[0] for image in node.status.images if image.names],
        kubelet_stopped=KUBELET_STOPPED in annotations,
        drain=_drain_card(manifest) if DRAIN in annotations else None,
    )


def _drain_card(node: Manifest) -> DrainCard | None:
    drain = drain_of(dict(node))
    return None if drain is None else drain_card(drain)


def drain_card(drain: Drain) -> DrainCard:
    blocked = [pod for pod in drain.pods if pod.state in ("blocked", "failed")]
    return DrainCard(
        state=drain.state,
        total=len(drain.pods),
        left=len(drain.left),
        evicted=sum(1 for pod in drain.pods if pod.state == "evicted"),
        blocked=[
            DrainBlocked(namespace=pod.namespace, name=pod.name, budget=pod.budget, message=pod.message)
            for pod in blocked[:MOST_BLOCKED]
        ],
        started_at=drain.started_at,
        ended_at=drain.ended_at,
        retry_at=drain.retry_at,
        message=drain.log[-1] if drain.log else "",
    )


def _pod_card(manifest: Manifest) -> PodCard:
    pod = decode(manifest)
    assert isinstance(pod, Pod)
    status = manifest.get("status") or {}
    containers = pod.spec.containers
    return PodCard(
        **_namespaced_identity(manifest),
        created_at=_created_at(manifest),
        labels=_labels(manifest),
        node_name=pod.spec.node_name,
        nominated_node_name=pod.status.nominated_node_name,
        phase=pod.status.phase,
        reason=_pod_reason(status),
        message=status.get("message", ""),
        scheduler_name=pod.spec.scheduler_name,
        priority=pod.spec.priority or 0,
        requests={name: amount for name, amount in PodInfo(pod).requests.items() if amount},
        scheduling_gates=[gate.name for gate in pod.spec.scheduling_gates],
        deletion_timestamp=pod.metadata.deletion_timestamp or "",
        owner=_owner(manifest),
        image=containers[0].image if containers else "",
    )


def _pod_reason(status: Manifest) -> str:
    """The pod's own reason, else why its first waiting container waits."""
    if status.get("reason"):
        return str(status["reason"])
    for container in status.get("containerStatuses") or ():
        waiting = (container.get("state") or {}).get("waiting")
        if waiting:
            return str(waiting.get("reason", ""))
    return ""


def _workload_card(manifest: Manifest) -> WorkloadCard:
    spec, status = manifest.get("spec") or {}, manifest.get("status") or {}
    kind = manifest["kind"]
    return WorkloadCard(
        **_namespaced_identity(manifest),
        created_at=_created_at(manifest),
        workload_kind=kind,
        replicas=_wanted(kind, spec, status),
        ready_replicas=int(status.get(_READY.get(kind, "readyReplicas"), 0)),
        owner=_owner(manifest),
    )


_READY = {"DaemonSet": "numberReady", "Job": "ready"}


def _wanted(kind: str, spec: Manifest, status: Manifest) -> int:
    if kind == "DaemonSet":
        return int(status.get("desiredNumberScheduled", 0))
    return int(spec.get("parallelism" if kind == "Job" else "replicas", 1))


def _event_card(manifest: Manifest) -> EventCard:
    regarding = manifest.get("involvedObject") or {}
    first = manifest.get("firstTimestamp") or manifest.get("eventTime") or _created_at(manifest)
    return EventCard(
        **_namespaced_identity(manifest),
        event_type=manifest.get("type", "Normal"),
        reason=manifest.get("reason", ""),
        message=manifest.get("message", ""),
        regarding_kind=regarding.get("kind", ""),
        regarding_name=regarding.get("name", ""),
        regarding_uid=regarding.get("uid", ""),
        source=(manifest.get("source") or {}).get("component") or manifest.get("reportingComponent", ""),
        count=int(manifest.get("count", 1)),
        first_at=first,
        last_at=manifest.get("lastTimestamp") or first,
    )


def _object_card(manifest: Manifest) -> ObjectCard:
    return ObjectCard(
        **_namespaced_identity(manifest),
        created_at=_created_at(manifest),
        object_kind=manifest["kind"],
        api_version=manifest["apiVersion"],
    )


_BUILDERS: Mapping[str, Callable[[Manifest], Card]] = {
    "Node": _node_card,
    "Pod": _pod_card,
    "Event": _event_card,
}
