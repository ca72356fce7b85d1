"""A cluster as it was: reads of the feed's past.

The state at a version is the base (the state at the oldest version of the feed)
and the changes since. Objects are looked up, newest change by uid, so that only
the manifests that are wanted are read; sections are folded from their messages.
`state_at` answers for every version from `oldest_change_version` on and raises
`Expired` for those before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge

import msgspec
from django.db.models import Max, QuerySet, TextField
from django.db.models.functions import Cast

from playground.clusters.models import Change, Cluster, HistoryBase
from playground.clusters.sections import Sections
from playground.clusters.selectors import Manifest
from playground.common.database import chunks
from playground.common.errors import Expired, NotFound

# What is stored as text, as text: manifests are often only handed on.
PAYLOAD_TEXT = Cast("payload", TextField())
_SECTIONS = ("queue", "bindings", "decisions", "cluster")
_FIRST_KINDS = {"Node": 0, "Pod": 1}
_decoder = msgspec.json.Decoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredObject:
    """One object as it was, its manifest as text."""

    kind: str
    uid: str
    text: str

    def manifest(self) -> Manifest:
        manifest: Manifest = _decoder.decode(self.text)
        return manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class StateAt:
    """Everything at one version."""

    version: int
    # Cluster time of the change that made the version.
    at: float
    objects: list[StoredObject]
    sections: Sections


def has_history(cluster: Cluster) -> bool:
    """Not so where the cluster was made before there were any."""
    return HistoryBase.objects.filter(cluster=cluster, topic="cluster").exists()


def require_version(cluster: Cluster, version: int) -> None:
    """Raises Expired for a version that can no longer be told, NotFound for one that is not there yet."""
    oldest, newest = cluster.oldest_change_version, cluster.resource_version
    if version > newest:
        raise NotFound(f"version {version} is not there yet; the newest is {newest}")
    if version < oldest:
        raise Expired(f"version {version} is too old: the history goes back to version {oldest}")
    if not has_history(cluster):
        raise Expired("the cluster was made by an older release and has no history; a fork of it will have one")


def state_at(cluster: Cluster, version: int) -> StateAt:
    """Read inside `consistent_read`, with the cluster's row read there as well."""
    require_version(cluster, version)
    return StateAt(
        version=version,
        at=time_of(cluster, version),
        objects=sorted(_objects_at(cluster, version), key=lambda each: _FIRST_KINDS.get(each.kind, 2)),
        sections=base_sections(cluster).followed_by(sections_between(cluster, cluster.oldest_change_version, version)),
    )


def time_of(cluster: Cluster, version: int) -> float:
    """Cluster time of a version of the feed; of its oldest one, that of the change after it."""
    changes = Change.objects.filter(cluster=cluster)
    found = changes.filter(version__lte=version).order_by("-version").values_list("at", flat=True).first()
    if found is None:
        found = changes.order_by("version").values_list("at", flat=True).first()
    return cluster.anchor_cluster if found is None else float(found)


def version_at(cluster: Cluster, at: float) -> int:
    """The newest version that was there at a cluster time; the oldest of the feed for all times before."""
    changes = Change.objects.filter(cluster=cluster, at__lte=at).order_by("-version")
    found: int | None = changes.values_list("version", flat=True).first()
    return cluster.oldest_change_version if found is None else found


def times_between(cluster: Cluster, after: int, until: int) -> list[float]:
    """Cluster time of each version after one up to another, in order."""
    return list(_between(cluster, after, until).order_by("version").values_list("at", flat=True))


def _between(cluster: Cluster, after: int, until: int) -> QuerySet[Change]:
    return Change.objects.filter(cluster=cluster, version__gt=after, version__lte=until)


def object_changes_between(cluster: Cluster, after: int, until: int) -> QuerySet[Change]:
    return _between(cluster, after, until).filter(topic="object")


def newest_of_each(changes: QuerySet[Change]) -> QuerySet[Change]:
    """The last change of every object among `changes`, which are of one cluster."""
    newest = changes.order_by().values("uid").annotate(newest=Max("version")).values("newest")
    return changes.filter(version__in=newest)


def _objects_at(cluster: Cluster, version: int) -> Iterator[StoredObject]:
    newest: dict[str, tuple[int, str]] = {
        uid: (changed_at, event)
        for uid, changed_at, event in object_changes_between(cluster, cluster.oldest_change_version, version)
        .order_by("version")
        .values_list("uid", "version", "event")
    }
    base = HistoryBase.objects.filter(cluster=cluster, topic="object")
    for key, kind, text in base.values_list("key", "kind", PAYLOAD_TEXT).iterator(CHUNK_ROWS):
        if key not in newest:
            yield StoredObject(kind=kind, uid=key, text=text)
    yield from _payloads(cluster, [changed_at for changed_at, event in newest.values() if event != "DELETED"])


CHUNK_ROWS = 2_000


def _payloads(cluster: Cluster, versions: list[int]) -> Iterator[StoredObject]:
    for some in chunks(versions):
        found = Change.objects.filter(cluster=cluster, version__in=some).order_by("version")
        for uid, kind, text in found.values_list("uid", "kind", PAYLOAD_TEXT):
            yield StoredObject(kind=kind, uid=uid, text=text)


def base_sections(cluster: Cluster) -> Sections:
    sections = Sections()
    base = HistoryBase.objects.filter(cluster=cluster, topic__in=_SECTIONS).order_by("topic", "key")
    for topic, key, payload in base.values_list("topic", "key", "payload"):
        sections.put(topic, key, payload)
    return sections


def sections_between(cluster: Cluster, after: int, until: int) -> Sections:
    """What the messages with versions in (after, until] made of the sections."""
    sections = Sections()
    changes = _between(cluster, after, until)
    told = changes.exclude(topic="object").order_by("version").values_list("version", "topic", "payload")
    deleted = changes.filter(topic="object", event="DELETED", kind="Pod").order_by("version")
    # A deletion as a message without a payload; versions are unique, so nothing else is compared.
    gone = deleted.values_list("version", "topic", "uid")
    for _, topic, payload in merge(told.iterator(CHUNK_ROWS), gone.iterator(CHUNK_ROWS)):
        if topic == "object":
            sections.take_deleted(payload)
        else:
            sections.take(topic, payload)
    return sections
