"""Keeping the base of a cluster's history: what changes that leave the feed have made of it.

`begin` is called for a new cluster, `advance` before changes are deleted. Both
run inside the transaction that does so, and cost as much as the changes they
are about, however large the cluster is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from playground.clusters.cluster_card import cluster_card
from playground.clusters.history import (
    PAYLOAD_TEXT,
    has_history,
    newest_of_each,
    object_changes_between,
    sections_between,
)
from playground.clusters.models import Cluster, HistoryBase
from playground.clusters.sections import NEWEST_DECISIONS, there
from playground.common.bulk import rows_upsert
from playground.common.database import chunks

_UNIQUE = ("cluster", "topic", "key")
_UPDATED = ("payload",)


def begin(cluster: Cluster) -> None:
    """The cluster as its first version finds it; it has no objects yet, or they are put in beside."""
    card = msgspec.to_builtins(cluster_card(cluster))
    _put(cluster, "cluster", {"": card})


def advance(cluster: Cluster, until: int) -> None:
    """Take in what the changes up to `until` tell."""
    if not has_history(cluster):
        return
    _take_in_objects(cluster, until)
    sections = sections_between(cluster, cluster.oldest_change_version, until)
    for topic, cards in sections.by_topic().items():
        _put(cluster, topic, {key: card for key, card in cards.items() if card is not None})
        _drop(cluster, topic, [key for key, card in cards.items() if card is None])
    if there(sections.decisions):
        _drop_old_decisions(cluster)


def _take_in_objects(cluster: Cluster, until: int) -> None:
    newest = newest_of_each(object_changes_between(cluster, cluster.oldest_change_version, until))
    kept = newest.exclude(event="DELETED").values_list("uid", "kind", PAYLOAD_TEXT)
    rows = [_row(cluster, "object", uid, text, kind) for uid, kind, text in kept.iterator(2_000)]
    rows_upsert(rows, unique=_UNIQUE, update=_UPDATED)
    _drop(cluster, "object", list(newest.filter(event="DELETED").values_list("uid", flat=True)))


def _row(cluster: Cluster, topic: str, key: str, text: str, kind: str = "") -> HistoryBase:
    payload = msgspec.Raw(text.encode())
    return HistoryBase(cluster=cluster, topic=topic, key=key, kind=kind, payload=payload)


def _put(cluster: Cluster, topic: str, cards: Mapping[str, Any]) -> None:
    rows = [HistoryBase(cluster=cluster, topic=topic, key=key, payload=card) for key, card in cards.items()]
    rows_upsert(rows, unique=_UNIQUE, update=_UPDATED)


def _drop(cluster: Cluster, topic: str, keys: list[str]) -> None:
    for some in chunks(keys):
        HistoryBase.objects.filter(cluster=cluster, topic=topic, key__in=some).delete()


def _drop_old_decisions(cluster: Cluster) -> None:
    decisions = HistoryBase.objects.filter(cluster=cluster, topic="decisions").order_by("-key")
    oldest: str | None = decisions.values_list("key", flat=True)[NEWEST_DECISIONS - 1 : NEWEST_DECISIONS].first()
    if oldest is not None:
        decisions.filter(key__lt=oldest).delete()
