"""Reads of a cluster. Manifests come back as dicts that the caller may change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from playground.clusters.kinds import KINDS, Kind
from playground.clusters.models import Change, Cluster, ClusterObject, KubernetesObject
from playground.common.errors import Expired, NotFound, Subject

Manifest = dict[str, Any]


def cluster_get(slug: str) -> Cluster:
    """The cluster of a URL. Raises NotFound."""
    try:
        return Cluster.objects.get(slug=slug)
    except Cluster.DoesNotExist:
        raise NotFound(
            f'cluster "{slug}" not found; GET /api/clusters/ lists the ones there are',
            subject=Subject(name=slug, kind="clusters"),
        ) from None


def rows(cluster_id: int, kind: Kind) -> QuerySet[Any]:
    """All rows of a kind in a cluster."""
    query: QuerySet[Any] = kind.model._default_manager.filter(cluster_id=cluster_id)
    return query.filter(kind=kind.kind) if kind.model is KubernetesObject else query


def object_row(cluster_id: int, kind: Kind, namespace: str, name: str) -> ClusterObject | None:
    found: ClusterObject | None = rows(cluster_id, kind).filter(namespace=namespace, name=name).first()
    return found


def object_get(cluster_id: int, kind: str, namespace: str | None, name: str) -> Manifest | None:
    """One object's manifest, None where there is no such object."""
    row = object_row(cluster_id, KINDS[kind], namespace or "", name)
    return None if row is None else row.manifest


def object_list(cluster_id: int, kind: str, namespace: str | None = None) -> list[Manifest]:
    """All objects of a kind, by namespace and name."""
    query = rows(cluster_id, KINDS[kind])
    if namespace:
        query = query.filter(namespace=namespace)
    return list(query.order_by("namespace", "name").values_list("manifest", flat=True))


def object_iterate(cluster_id: int, kinds: Sequence[str] | None = None) -> Iterator[tuple[str, Manifest]]:
    """(kind, manifest) of every object, Nodes first. Read inside `consistent_read` with the version."""
    wanted = set(KINDS if kinds is None else kinds)
    for kind in ("Node", "Pod"):
        if kind in wanted:
            for manifest in rows(cluster_id, KINDS[kind]).values_list("manifest", flat=True).iterator(CHUNK_ROWS):
                yield kind, manifest
    others = KubernetesObject.objects.filter(cluster_id=cluster_id)
    if kinds is not None:
        others = others.filter(kind__in=wanted)
    yield from others.values_list("kind", "manifest").iterator(CHUNK_ROWS)


def object_iterate_text(cluster_id: int) -> Iterator[tuple[str, str, str]]:
    """(kind, uid, manifest as it is stored) of every object, Nodes first, then Pods."""
    text = Cast("manifest", TextField())
    for kind in ("Node", "Pod"):
        for uid, manifest in rows(cluster_id, KINDS[kind]).values_list("uid", text).iterator(CHUNK_ROWS):
            yield kind, uid, manifest
    yield from (
        KubernetesObject.objects.filter(cluster_id=cluster_id).values_list("kind", "uid", text).iterator(CHUNK_ROWS)
    )


CHUNK_ROWS = 2_000


def feed_version(cluster_id: int) -> int:
    """The newest version of the feed. Raises NotFound where the cluster is gone."""
    version = Cluster.objects.filter(pk=cluster_id).values_list("resource_version", flat=True).first()
    if version is None:
        raise NotFound(f"cluster {cluster_id} does not exist (any more)", subject=Subject(kind="clusters"))
    return version


def feed_read(
    cluster_id: int,
    after: int,
    limit: int = 2_000,
    topics: Sequence[str] | None = None,
    without_kinds: Sequence[str] = (),
) -> list[Change]:
    """Changes with versions above `after`, oldest first, at most `limit`.

    Raises Expired where the feed no longer goes back that far (read the objects again and follow from
    their version), NotFound where the cluster is gone. With `topics` or `without_kinds` some are left
    out, so the last change's version is not where the feed ends.
    """
    query = Change.objects.filter(cluster_id=cluster_id, version__gt=after)
    if topics is not None:
        query = query.filter(topic__in=topics)
    if without_kinds:
        query = query.exclude(kind__in=without_kinds)
    found = list(query.order_by("version")[:limit])
    # Asked after the read: whatever was trimmed in between is noticed.
    oldest = Cluster.objects.filter(pk=cluster_id).values_list("oldest_change_version", flat=True).first()
    if oldest is None:
        raise NotFound(f"cluster {cluster_id} does not exist (any more)", subject=Subject(kind="clusters"))
    if after < oldest:
        raise Expired(f"too old resource version: {after} ({oldest})")
    return found
