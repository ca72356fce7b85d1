"""A new cluster that begins where another one stands, or stood.

    cluster_fork(source=, version=None, name="") -> Cluster

It has the objects as of that version, with their uids and resourceVersions:
owners, claims and budgets go on meaning what they meant. Its versions go on
from there, its history begins there, and its clock stands at that time. Bound
pods are bound, pods that were being bound are pending; the scheduler starts
with an empty memory and looks at every pending pod. Settings and configuration
are the source's present ones, which are not part of its history.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable

import msgspec
from django.db import transaction

from playground.clusters import clock, forking, history
from playground.clusters.history import StoredObject
from playground.clusters.kinds import KINDS
from playground.clusters.models import Cluster, ClusterObject, HistoryBase
from playground.clusters.sections import there
from playground.clusters.selectors import object_iterate_text
from playground.clusters.services import history_base
from playground.clusters.services.clusters import cluster_insert, cluster_tell, slug_of
from playground.clusters.services.transaction import cluster_transaction
from playground.clusters.translation import row_from_manifest
from playground.common.bulk import rows_insert
from playground.common.database import chunks
from playground.common.errors import NotFound, Subject
from playground.common.turns import turn_to_write

# Rows that are held in memory at a time.
CHUNK = 1_000
# What of the source's name a fork's name begins with.
NAME_KEPT = 40


def cluster_fork(*, source: Cluster, version: int | None = None, name: str = "") -> Cluster:
    """Raises Expired or NotFound for a version that cannot be told, AlreadyExists for a name that is taken."""
    with turn_to_write(), transaction.atomic():
        # Nothing of the source may change, nor leave its feed, while it is read.
        locked = _locked(source)
        fork, objects = _begun(locked, locked.resource_version if version is None else version, name)
        cluster_insert(fork)
        history_base.begin(fork)
        _store(fork, objects)
        forking.copy_all(locked, fork)
        # The first change of its own: it wakes whoever works for a cluster.
        with cluster_transaction(fork.pk) as tx:
            cluster_tell(tx)
    return tx.cluster


def _locked(source: Cluster) -> Cluster:
    found = Cluster.objects.select_for_update().filter(pk=source.pk).first()
    if found is None:
        raise NotFound(f'cluster "{source.slug}" does not exist any more', subject=Subject(kind="clusters"))
    return found


def _begun(source: Cluster, version: int, name: str) -> tuple[Cluster, Iterable[StoredObject]]:
    if version == source.resource_version:
        return _new(source, version, name, clock.now(source), source.clock_speed), _objects_now(source)
    state = history.state_at(source, version)
    (card,) = there(state.sections.cluster)
    return _new(source, version, name, state.at, card["speed"]), state.objects


def _objects_now(source: Cluster) -> Iterable[StoredObject]:
    return (StoredObject(kind=kind, uid=uid, text=text) for kind, uid, text in object_iterate_text(source.pk))


def _new(source: Cluster, version: int, name: str, at: float, speed: float) -> Cluster:
    name = name or _free_name(source)
    return Cluster(
        slug=slug_of(name),
        name=name,
        seed=source.seed,
        resource_version=version,
        oldest_change_version=version,
        settings=source.settings,
        preset=source.preset,
        clock_state=Cluster.ClockState.PAUSED,
        clock_speed=speed,
        anchor_cluster=at,
        anchor_wall=time.time(),
    )


def _free_name(source: Cluster) -> str:
    """ "demo fork", "demo fork 2", ..."""
    first = f"{source.name[:NAME_KEPT].rstrip()} fork"
    taken = set(Cluster.objects.values_list("slug", flat=True))
    number, name = 1, first
    while slug_of(name) in taken:
        number += 1
        name = f"{first} {number}"
    return name


def _store(fork: Cluster, objects: Iterable[StoredObject]) -> None:
    for some in chunks(objects, CHUNK):
        rows: defaultdict[type[ClusterObject], list[ClusterObject]] = defaultdict(list)
        base: list[HistoryBase] = []
        for each in some:
            kind, encoded = KINDS[each.kind], msgspec.Raw(each.text.encode())
            rows[kind.model].append(row_from_manifest(kind, fork.pk, each.manifest(), encoded))
            base.append(HistoryBase(cluster=fork, topic="object", key=each.uid, kind=each.kind, payload=encoded))
        for of_a_model in rows.values():
            rows_insert(of_a_model)
        rows_insert(base)
