"""Statuses of many objects at once, as the components of a cluster write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playground.clusters.kinds import KINDS
from playground.clusters.models import ClusterObject
from playground.clusters.selectors import Manifest
from playground.clusters.services import store
from playground.clusters.services.transaction import ClusterTransaction


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusPatch:
    """What becomes of one object's status."""

    uid: str
    # Top-level keys of `status` that are replaced; None removes the key. `conditions` is merged by type:
    # each condition needs type and status; lastTransitionTime is kept where the status did not change.
    status: Mapping[str, Any] = field(default_factory=dict)
    # Annotations that are set; None removes one.
    annotations: Mapping[str, str | None] = field(default_factory=dict)


def object_status_update_many(
    tx: ClusterTransaction, *, kind: str, patches: Sequence[StatusPatch]
) -> list[Manifest | None]:
    """Change many objects' status; the answer is None for those that are gone."""
    described = KINDS[kind]
    current = store.rows_by_uid(tx, described, [patch.uid for patch in patches])
    results: list[Manifest | None] = []
    changed: dict[str, tuple[ClusterObject, Manifest]] = {}
    for patch in patches:
        row = current.get(patch.uid)
        if row is None:
            results.append(None)
            continue
        before = changed[patch.uid][1] if patch.uid in changed else row.manifest
        after = _with_status(before, patch, tx.timestamp)
        if after != before:
            changed[patch.uid] = (row, after)
        results.append(after)
    store.update(tx, described, list(changed.values()))
    return results


def _with_status(manifest: Manifest, patch: StatusPatch, timestamp: str) -> Manifest:
    status = dict(manifest.get("status") or {})
    for key, value in patch.status.items():
        if value is None:
            status.pop(key, None)
        elif key == "conditions":
            status[key] = merge_conditions(status.get(key) or [], value, timestamp)
        else:
            status[key] = value
    after = {**manifest, "status": status, "metadata": dict(manifest["metadata"])}
    if patch.annotations:
        annotations = {**(manifest["metadata"].get("annotations") or {}), **patch.annotations}
        after["metadata"]["annotations"] = {key: value for key, value in annotations.items() if value is not None}
    return after


def merge_conditions(
    current: Sequence[Mapping[str, Any]], wanted: Sequence[Mapping[str, Any]], timestamp: str
) -> list[dict[str, Any]]:
    """Conditions by type: a wanted one takes the place of the current one of its type."""
    merged = {condition["type"]: dict(condition) for condition in current}
    for condition in wanted:
        before = merged.get(condition["type"])
        after = dict(condition)
        if before is not None and before["status"] == condition["status"] and "lastTransitionTime" in before:
            after["lastTransitionTime"] = before["lastTransitionTime"]
        else:
            after.setdefault("lastTransitionTime", timestamp)
        merged[condition["type"]] = after
    return list(merged.values())
