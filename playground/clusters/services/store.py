"""Rows in and out: what an etcd client is to the real API server.

Knows nothing of what objects mean. Every function writes many objects of one
kind with a constant number of statements, gives each the next version and
records its change. The manifests handed in are changed (version, uid, creation
time) and are then the stored ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playground.clusters.kinds import Kind
from playground.clusters.models import ClusterObject
from playground.clusters.selectors import Manifest, rows
from playground.clusters.services.transaction import ClusterTransaction, Event
from playground.clusters.translation import row_from_manifest, updated_columns
from playground.common.bulk import rows_insert, rows_update
from playground.common.database import chunks
from playground.common.fields import raw_json


def rows_by_uid(tx: ClusterTransaction, kind: Kind, uids: Sequence[str]) -> dict[str, ClusterObject]:
    found: dict[str, ClusterObject] = {}
    for some in chunks(uids):
        found.update((row.uid, row) for row in rows(tx.cluster.pk, kind).filter(uid__in=some))
    return found


def rows_by_name(
    tx: ClusterTransaction, kind: Kind, keys: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], ClusterObject]:
    """(namespace, name) -> row. One query for each chunk of each namespace."""
    names: dict[str, list[str]] = {}
    for namespace, name in keys:
        names.setdefault(namespace, []).append(name)
    found: dict[tuple[str, str], ClusterObject] = {}
    for namespace, wanted in names.items():
        for some in chunks(wanted):
            query = rows(tx.cluster.pk, kind).filter(namespace=namespace, name__in=some)
            found.update(((row.namespace, row.name), row) for row in query)
    return found


def insert(tx: ClusterTransaction, kind: Kind, manifests: Sequence[Manifest]) -> None:
    """New objects, whose names are known to be free."""
    rows_insert([_stamped_row(tx, kind, manifest, "ADDED", None) for manifest in manifests])


def update(tx: ClusterTransaction, kind: Kind, changed: Sequence[tuple[ClusterObject, Manifest]]) -> None:
    """The new manifests of rows that are there."""
    rows = [_stamped_row(tx, kind, manifest, "MODIFIED", row.pk) for row, manifest in changed]
    rows_update(rows, update=tuple(updated_columns(kind)))


def remove(tx: ClusterTransaction, kind: Kind, gone: Sequence[tuple[ClusterObject, Manifest]]) -> None:
    """Delete rows; the change carries the last manifest under the deletion's version."""
    for some in chunks(gone):
        kind.model._default_manager.filter(pk__in=[row.pk for row, _ in some]).delete()
        for _, manifest in some:
            _stamped_row(tx, kind, manifest, "DELETED", None)


def _stamped_row(tx: ClusterTransaction, kind: Kind, manifest: Manifest, event: Event, pk: int | None) -> ClusterObject:
    version = tx.next_version()
    metadata: dict[str, Any] = manifest["metadata"]
    metadata["resourceVersion"] = str(version)
    if event == "ADDED":
        metadata["uid"] = tx.new_uid(version)
        metadata["creationTimestamp"] = tx.timestamp
        if kind.generation:
            metadata["generation"] = 1
    encoded = raw_json(manifest)
    tx.record_object(
        event, kind.kind, metadata.get("namespace", ""), metadata["name"], metadata["uid"], version, encoded
    )
    return row_from_manifest(kind, tx.cluster.pk, manifest, encoded, pk)
