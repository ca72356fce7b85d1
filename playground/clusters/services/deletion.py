"""Deletions: at once, or begun and finished when nothing holds the object any more.

A bound pod has its grace period, finalizers are waited for, a Namespace takes
along what is in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from playground.clusters import clock
from playground.clusters.kinds import KINDS, Kind
from playground.clusters.models import ClusterObject
from playground.clusters.selectors import Manifest
from playground.clusters.services import namespaces, store
from playground.clusters.services.known_objects import check_precondition, required_row
from playground.clusters.services.transaction import ClusterTransaction


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteOptions:
    # None: the object's own; 0: at once.
    grace_period_seconds: int | None = None
    # Preconditions; "" asks for nothing.
    uid: str = ""
    resource_version: str = ""
    # Background, Foreground (which here is as Background: the object goes before its dependents), Orphan
    propagation_policy: str = "Background"


def object_delete(
    tx: ClusterTransaction, *, kind: str, namespace: str, name: str, options: DeleteOptions | None = None
) -> Manifest:
    """Delete one object, or begin to: a bound pod has its grace period, finalizers are waited for."""
    described = KINDS[kind]
    row = required_row(tx, described, namespace, name)
    options = options or DeleteOptions()
    check_precondition(described, row.manifest, "uid", options.uid)
    check_precondition(described, row.manifest, "resourceVersion", options.resource_version)
    return _delete(tx, described, [row], options)[0]


def object_delete_many(
    tx: ClusterTransaction, *, kind: str, uids: Sequence[str], options: DeleteOptions | None = None
) -> list[Manifest]:
    """Delete those of the objects that are still there."""
    described = KINDS[kind]
    found = store.rows_by_uid(tx, described, uids)
    return _delete(tx, described, list(found.values()), options or DeleteOptions())


def _delete(
    tx: ClusterTransaction, kind: Kind, found: Sequence[ClusterObject], options: DeleteOptions
) -> list[Manifest]:
    if kind.kind == "Namespace":
        namespaces.empty(tx, [row.name for row in found], partial(_delete, options=DeleteOptions()))
    if options.propagation_policy == "Orphan":
        _orphan(tx, [row.uid for row in found])
    marked = [(row, _marked_for_deletion(tx, kind, row.manifest, options)) for row in found]
    store.remove(tx, kind, [(row, after) for row, after in marked if is_finished(after)])
    waiting = [(row, after) for row, after in marked if not is_finished(after)]
    store.update(tx, kind, [(row, after) for row, after in waiting if after != row.manifest])
    if len(waiting) < len(marked) or kind.kind == "Namespace":
        namespaces.finish_terminating(tx)
    return [after for _, after in marked]


def _marked_for_deletion(tx: ClusterTransaction, kind: Kind, manifest: Manifest, options: DeleteOptions) -> Manifest:
    """The manifest with deletionTimestamp and grace period; a second delete can only shorten it."""
    grace = _grace_period(kind, manifest, options.grace_period_seconds)
    metadata = manifest["metadata"]
    before = metadata.get("deletionGracePeriodSeconds")
    if before is not None and before <= grace:
        return manifest
    after = {**manifest, "metadata": {**metadata}}
    after["metadata"]["deletionTimestamp"] = clock.timestamp(tx.now + grace)
    after["metadata"]["deletionGracePeriodSeconds"] = grace
    if kind.kind == "Namespace":
        after["status"] = {**(manifest.get("status") or {}), "phase": "Terminating"}
    return after


def _grace_period(kind: Kind, manifest: Manifest, wanted: int | None) -> int:
    """Only a pod that runs on a node is given time: its kubelet ends it."""
    if kind.kind != "Pod":
        return 0
    spec, status = manifest["spec"], manifest.get("status") or {}
    if not spec.get("nodeName") or status.get("phase") in ("Succeeded", "Failed"):
        return 0
    own = spec.get("terminationGracePeriodSeconds", 30)
    return max(0, own if wanted is None else wanted)


def is_finished(manifest: Manifest) -> bool:
    """Nothing holds the object any more: no finalizer, no grace period, no content."""
    metadata = manifest["metadata"]
    if not metadata.get("deletionTimestamp"):
        return False
    if metadata.get("finalizers") or metadata.get("deletionGracePeriodSeconds"):
        return False
    return "kubernetes" not in ((manifest.get("spec") or {}).get("finalizers") or ())


def _orphan(tx: ClusterTransaction, owner_uids: Sequence[str]) -> None:
    """Take the owners out of what they own, so that it outlives them."""
    gone = set(owner_uids)
    for kind in KINDS.values():
        dependents = namespaces.rows_of_owners(tx, kind, owner_uids)
        store.update(tx, kind, [(row, _without_owners(row.manifest, gone)) for row in dependents])


def _without_owners(manifest: Manifest, gone: set[str]) -> Manifest:
    metadata = {**manifest["metadata"]}
    metadata["ownerReferences"] = [o for o in metadata["ownerReferences"] if o["uid"] not in gone]
    return {**manifest, "metadata": metadata}
