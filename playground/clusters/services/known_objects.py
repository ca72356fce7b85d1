"""Objects by kind and name: found, or refused in Kubernetes' words where they are not what a request takes them for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playground.clusters.kinds import Kind, kind_of_manifest
from playground.clusters.models import ClusterObject
from playground.clusters.selectors import Manifest, object_row
from playground.clusters.services.transaction import ClusterTransaction
from playground.common.errors import Conflict, NotFound, Subject


def subject(kind: Kind, name: str, uid: str = "") -> Subject:
    return Subject(name=name, group=kind.group, kind=kind.plural, uid=uid)


def not_found(kind: Kind, name: str) -> NotFound:
    return NotFound(f'{kind.resource} "{name}" not found', subject=subject(kind, name))


def required_row(tx: ClusterTransaction, kind: Kind, namespace: str, name: str) -> ClusterObject:
    row = object_row(tx.cluster.pk, kind, namespace, name)
    if row is None:
        raise not_found(kind, name)
    return row


def kind_of(manifest: Mapping[str, Any]) -> Kind:
    kind = kind_of_manifest(manifest.get("apiVersion"), manifest.get("kind"))
    if kind is None:
        raise NotFound(
            f'no matches for kind "{manifest.get("kind")}" in version "{manifest.get("apiVersion")}"; '
            "the kinds this server knows are listed by discovery (/api/v1 and /apis of the cluster)"
        )
    return kind


def check_precondition(kind: Kind, current: Manifest, key: str, wanted: object) -> None:
    metadata = current["metadata"]
    if wanted and wanted != metadata[key]:
        raise Conflict(
            f'Operation cannot be fulfilled on {kind.resource} "{metadata["name"]}": Precondition failed: '
            f"{key} in precondition: {wanted}, {key} in object meta: {metadata[key]}",
            subject=subject(kind, metadata["name"], metadata["uid"]),
        )
