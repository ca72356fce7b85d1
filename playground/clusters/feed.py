"""The feed as `playground.live` reads it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from playground.clusters import selectors
from playground.clusters.cluster_card import cluster_card
from playground.clusters.models import Cluster
from playground.common.errors import NotFound, Subject
from playground.live.feed_source import FeedChange
from playground.live.messages import ClusterCard


class DatabaseFeed:
    """`FeedSource` over this app's tables."""

    def find(self, slug: str) -> int | None:
        return Cluster.objects.filter(slug=slug).values_list("pk", flat=True).first()

    def card(self, cluster_id: int) -> ClusterCard:
        cluster = Cluster.objects.filter(pk=cluster_id).first()
        if cluster is None:
            raise NotFound("the cluster does not exist any more", subject=Subject(kind="clusters"))
        return cluster_card(cluster)

    def changes(self, cluster_id: int, after: int, limit: int) -> Sequence[FeedChange]:
        return [
            FeedChange(change.version, change.topic, change.event, change.kind, change.payload)
            for change in selectors.feed_read(cluster_id, after, limit)
        ]

    def objects(self, cluster_id: int) -> Iterable[tuple[str, Any]]:
        return selectors.object_iterate(cluster_id)
