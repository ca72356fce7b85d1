"""Clusters themselves: made, deleted, their clock.

    cluster_create(name=, seed=None, settings=None, paused=False) -> Cluster
    cluster_delete(cluster_id=)
    cluster_pause / cluster_resume / cluster_speed / cluster_clock_advance (tx, ...)     a `cluster` change each
    cluster_settings_update(tx, values=)                                                 a `cluster` change, too

A new cluster has what every Kubernetes cluster has from the start: the
namespaces of the system and the two system priority classes.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Mapping
from typing import Any

import msgspec
from django.conf import settings as django_settings
from django.db import IntegrityError, transaction

from playground.clusters import clock
from playground.clusters.cluster_card import cluster_card
from playground.clusters.models import Cluster
from playground.clusters.services import history_base
from playground.clusters.services.namespaces import SYSTEM_NAMESPACES
from playground.clusters.services.objects import object_create_many
from playground.clusters.services.transaction import ClusterTransaction, cluster_transaction
from playground.clusters.settings import validated_settings
from playground.common.errors import AlreadyExists, ApiError, Cause, Forbidden, Invalid, Subject
from playground.common.turns import turn_to_write
from playground.live import publish
from playground.live.messages import BreakpointHit

MAX_CLUSTERS = 100
SLUG_LENGTH = 50
# The slowest and the fastest a cluster's time may run.
SPEEDS = (0.01, 1000.0)

SYSTEM_PRIORITY_CLASSES = (
    ("system-cluster-critical", 2_000_000_000, "Used for system critical pods that must run in the cluster, but can be "
     "moved to another node if necessary."),
    ("system-node-critical", 2_000_001_000, "Used for system critical pods that must not be moved from their current "
     "node."),
)  # fmt: skip


def cluster_create(
    *,
    name: str,
    seed: int | None = None,
    settings: Mapping[str, Any] | None = None,
    paused: bool = False,
    preset: str = "",
) -> Cluster:
    """A new cluster with the system's namespaces and priority classes and no node."""
    slug = slug_of(name)
    wall = time.time()
    cluster = Cluster(
        slug=slug,
        name=name,
        seed=secrets.randbits(31) if seed is None else seed,
        settings=validated_settings(settings or {}),
        preset=preset,
        clock_state=Cluster.ClockState.PAUSED if paused else Cluster.ClockState.RUNNING,
        anchor_cluster=wall,
        anchor_wall=wall,
    )
    # One transaction: nobody ever sees a cluster without its system objects.
    with turn_to_write(), transaction.atomic():
        cluster_insert(cluster)
        history_base.begin(cluster)
        with cluster_transaction(cluster.pk) as tx:
            _create_system_objects(tx)
    return tx.cluster


def cluster_insert(cluster: Cluster) -> None:
    """A new row. Raises AlreadyExists where the name is taken, Forbidden where there are as many as may be."""
    if Cluster.objects.count() >= getattr(django_settings, "PLAYGROUND_MAX_CLUSTERS", MAX_CLUSTERS):
        raise Forbidden(f"there are {Cluster.objects.count()} clusters already; delete one first")
    try:
        with transaction.atomic():
            cluster.save(force_insert=True)
    except IntegrityError:
        raise _name_taken(cluster.name, cluster.slug) from None


def slug_of(name: str) -> str:
    """The name as URLs have it. Raises Invalid where nothing of it can be used."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:SLUG_LENGTH].strip("-")
    if not slug or len(name) > 100:
        raise Invalid(
            "name: must be at most 100 characters and hold a letter or digit (a-z, 0-9), such as `demo`",
            [Cause(path="name", message=f"Invalid value: {name[:100]!r}")],
        )
    return slug


def _name_taken(name: str, slug: str) -> AlreadyExists:
    return AlreadyExists(
        f'cluster "{slug}" already exists; choose another name',
        [Cause(path="name", message=f"{name!r} is taken", reason="FieldValueDuplicate")],
        Subject(name=slug, kind="clusters"),
    )


def _create_system_objects(tx: ClusterTransaction) -> None:
    _require_all(object_create_many(tx, kind="Namespace", manifests=[_named(name) for name in SYSTEM_NAMESPACES]))
    classes = [
        {**_named(name), "value": value, "description": description}
        for name, value, description in SYSTEM_PRIORITY_CLASSES
    ]
    _require_all(object_create_many(tx, kind="PriorityClass", manifests=classes))


def _named(name: str) -> dict[str, Any]:
    return {"metadata": {"name": name}}


def _require_all(results: list[dict[str, Any] | ApiError]) -> None:
    for result in results:
        if isinstance(result, ApiError):
            raise result


def cluster_delete(*, cluster_id: int) -> None:
    """Everything of the cluster goes; who follows it is told by the next look at the feed."""
    with cluster_transaction(cluster_id) as tx:
        # Under its lock: what others write at this moment is there to be deleted, or finds no cluster any more.
        tx.cluster.delete()
        transaction.on_commit(lambda: publish.ring(cluster_id, 0))


def cluster_pause(tx: ClusterTransaction, *, paused_by: BreakpointHit | None = None) -> None:
    """Let the clock stand; `paused_by`: because of a breakpoint."""
    _set_clock(tx, state=Cluster.ClockState.PAUSED, paused_by=paused_by)


def cluster_resume(tx: ClusterTransaction) -> None:
    _set_clock(tx, state=Cluster.ClockState.RUNNING)


def cluster_speed(tx: ClusterTransaction, *, speed: float) -> None:
    """Cluster seconds per wall second."""
    slowest, fastest = SPEEDS
    if not slowest <= speed <= fastest:
        raise Invalid(
            f"speed: Invalid value: {speed:g}: must be between {slowest:g} and {fastest:g} cluster seconds a second",
            [Cause(path="speed", message=f"must be between {slowest:g} and {fastest:g}")],
        )
    _set_clock(tx, speed=speed)


def cluster_clock_advance(tx: ClusterTransaction, *, to: float) -> None:
    """Move the clock forward to `to` (cluster time); never back."""
    if to > clock.now(tx.cluster):
        clock.anchor(tx.cluster, to)
        _store_clock(tx)


def cluster_settings_update(tx: ClusterTransaction, *, values: Mapping[str, Any]) -> None:
    """Set some of the settings, the others stay. Raises Invalid naming the fields."""
    tx.cluster.settings = validated_settings({**tx.cluster.settings, **values}, path="")
    tx.cluster.save(update_fields=["settings"])
    cluster_tell(tx)


def _set_clock(
    tx: ClusterTransaction,
    *,
    state: str | None = None,
    speed: float | None = None,
    paused_by: BreakpointHit | None = None,
) -> None:
    clock.anchor(tx.cluster)
    if state is not None:
        tx.cluster.clock_state = state
        tx.cluster.paused_by = None if paused_by is None else msgspec.to_builtins(paused_by)
    if speed is not None:
        tx.cluster.clock_speed = speed
    _store_clock(tx)


def _store_clock(tx: ClusterTransaction) -> None:
    tx.cluster.save(update_fields=["clock_state", "clock_speed", "anchor_cluster", "anchor_wall", "paused_by"])
    tx.now = clock.now(tx.cluster)
    tx.timestamp = clock.timestamp(tx.now)
    cluster_tell(tx)


def cluster_tell(tx: ClusterTransaction) -> None:
    """Pages learn how the cluster itself stands, and its schedulers are woken."""
    card = msgspec.to_builtins(cluster_card(tx.cluster, version=tx.version + 1))
    tx.record("cluster", {"cluster": card})
