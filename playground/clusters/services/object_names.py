"""Names of new objects: drawn where only a prefix is given, and free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from playground.clusters.kinds import Kind
from playground.clusters.selectors import Manifest, object_row
from playground.clusters.services import store
from playground.clusters.services.known_objects import subject
from playground.clusters.services.transaction import ClusterTransaction
from playground.common.errors import AlreadyExists

# Attempts to find a free name for `generateName`.
NAME_ATTEMPTS = 8


def with_drawn_name(tx: ClusterTransaction, manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """A name drawn where there is only a prefix; whether it is free is asked for all names together."""
    metadata = manifest.get("metadata")
    if not isinstance(metadata, Mapping) or metadata.get("name") or not isinstance(metadata.get("generateName"), str):
        return manifest
    return {**manifest, "metadata": {**metadata, "name": _drawn_name(tx, metadata["generateName"])}}


def _drawn_name(tx: ClusterTransaction, prefix: str) -> str:
    """Kubernetes cuts the prefix so that the suffix fits into 63 characters."""
    return prefix[:58] + tx.name_suffix()


def taken_names(tx: ClusterTransaction, kind: Kind, manifests: Sequence[Mapping[str, Any]]) -> set[tuple[str, str]]:
    keys = [
        (metadata.get("namespace", ""), metadata["name"])
        for metadata in (manifest["metadata"] for manifest in manifests)
        if metadata.get("name")
    ]
    return set(store.rows_by_name(tx, kind, keys))


def require_free_name(tx: ClusterTransaction, kind: Kind, metadata: Manifest) -> None:
    """Raises AlreadyExists; a generated name is drawn again."""
    namespace, prefix = metadata.get("namespace", ""), metadata.get("generateName", "")
    for _ in range(NAME_ATTEMPTS):
        if object_row(tx.cluster.pk, kind, namespace, metadata["name"]) is None:
            return
        if not prefix:
            break
        metadata["name"] = _drawn_name(tx, prefix)
    raise already_exists(kind, metadata["name"])


def already_exists(kind: Kind, name: str) -> AlreadyExists:
    return AlreadyExists(f'{kind.resource} "{name}" already exists', subject=subject(kind, name))
