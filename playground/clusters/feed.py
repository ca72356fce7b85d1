"""The feed as `playground.live` reads it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from playground.clusters import history, selectors
from playground.clusters.cluster_card import cluster_card
from playground.clusters.models import Cluster
from playground.clusters.sections import there
from playground.common.errors import NotFound, Subject
from playground.live.feed_source import FeedChange, PastState
from playground.live.messages import BindingCard, ClusterCard, QueuedPodCard
from scheduler_core.report import DecisionSummary


class DatabaseFeed:
    """`FeedSource` over this app's tables."""

    def find(self, slug: str) -> int | None:
        return Cluster.objects.filter(slug=slug).values_list("pk", flat=True).first()

    def card(self, cluster_id: int) -> ClusterCard:
        return cluster_card(_cluster(cluster_id))

    def changes(self, cluster_id: int, after: int, limit: int) -> Sequence[FeedChange]:
        return [
            FeedChange(change.version, change.topic, change.event, change.kind, change.payload)
            for change in selectors.feed_read(cluster_id, after, limit)
        ]

    def objects(self, cluster_id: int) -> Iterable[tuple[str, Any]]:
        return selectors.object_iterate(cluster_id)

    def past(self, cluster_id: int, version: int) -> PastState:
        state = history.state_at(_cluster(cluster_id), version)
        sections = state.sections
        (card,) = msgspec.convert(there(sections.cluster), list[ClusterCard])
        return PastState(
            cluster=msgspec.structs.replace(card, version=version),
            # One after the other: held together, tens of thousands of manifests keep the garbage collector busy.
            objects=((each.kind, each.manifest()) for each in state.objects),
            queue=msgspec.convert(there(sections.queue), list[QueuedPodCard]),
            bindings=msgspec.convert(there(sections.bindings), list[BindingCard]),
            decisions=msgspec.convert(there(sections.decisions), list[DecisionSummary]),
        )


def _cluster(cluster_id: int) -> Cluster:
    cluster = Cluster.objects.filter(pk=cluster_id).first()
    if cluster is None:
        raise NotFound("the cluster does not exist any more", subject=Subject(kind="clusters"))
    return cluster
