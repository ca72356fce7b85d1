"""Manifest -> row: the only place that fills the queried columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from playground.clusters import clock
from playground.clusters.kinds import Kind
from playground.clusters.models import ClusterObject, KubernetesObject
from playground.clusters.models import Pod as PodRow
from scheduler_core.objects.decode import DecodeError, decode_as
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo

COMMON_COLUMNS = ("resource_version", "owner_uid", "manifest")
# Of a column.
LARGEST = 2**62
POD_COLUMNS = ("node_name", "phase", "scheduler_name", "priority", "deletion_at")


def updated_columns(kind: Kind) -> list[str]:
    """The columns that a change of an object may change."""
    if kind.model is PodRow:
        return [*COMMON_COLUMNS, *POD_COLUMNS]
    return [*COMMON_COLUMNS, "regarding_uid"] if kind.kind == "Event" else list(COMMON_COLUMNS)


def row_from_manifest(
    kind: Kind, cluster_id: int, manifest: Mapping[str, Any], encoded: msgspec.Raw, pk: int | None = None
) -> ClusterObject:
    """The row of a whole manifest (with uid, name and resourceVersion)."""
    metadata = manifest["metadata"]
    columns: dict[str, Any] = {
        "pk": pk,
        "cluster_id": cluster_id,
        "uid": metadata["uid"],
        "namespace": metadata.get("namespace", ""),
        "name": metadata["name"],
        "resource_version": int(metadata["resourceVersion"]),
        "owner_uid": owner_uid(metadata),
        "manifest": encoded,
    }
    if kind.model is PodRow:
        columns |= _pod_columns(manifest)
        if pk is None:
            columns |= requested_columns(manifest)
    elif kind.model is KubernetesObject:
        columns["kind"] = kind.kind
        columns["regarding_uid"] = (manifest.get("involvedObject") or {}).get("uid", "")
    return kind.model(**columns)


def _pod_columns(manifest: Mapping[str, Any]) -> dict[str, Any]:
    spec, status = manifest["spec"], manifest.get("status") or {}
    deletion = manifest["metadata"].get("deletionTimestamp")
    return {
        "node_name": spec.get("nodeName", ""),
        "phase": status.get("phase", "Pending"),
        "scheduler_name": spec.get("schedulerName", "default-scheduler"),
        "priority": spec.get("priority", 0),
        "deletion_at": clock.parse_timestamp(deletion) if deletion else None,
    }


def requested_columns(manifest: Mapping[str, Any]) -> dict[str, int]:
    """What does not change while a pod is there; by the engine's rules."""
    try:
        requests = PodInfo(decode_as(Pod, dict(manifest))).requests
    except DecodeError:
        # Admission refuses what the engine cannot read; what got in by another door counts for nothing.
        return {}
    return {"cpu_request": _stored(requests.get("cpu", 0)), "memory_request": _stored(requests.get("memory", 0))}


def _stored(amount: int) -> int:
    """Quantities have no bounds, columns do."""
    return min(amount, LARGEST)


def owner_uid(metadata: Mapping[str, Any]) -> str:
    """uid of the controlling owner, else of the first one."""
    owners = metadata.get("ownerReferences") or ()
    for owner in owners:
        if owner.get("controller"):
            return str(owner["uid"])
    return str(owners[0]["uid"]) if owners else ""
