"""Where live reads a cluster from: the app that owns the tables registers itself here.

Live is below the apps that write, so it cannot import their models. It states
what it needs as a Protocol, and `playground.clusters` provides it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from playground.live.messages import BindingCard, ClusterCard, QueuedPodCard
from scheduler_core.report import DecisionSummary


class FeedChange(NamedTuple):
    """One version of the feed, as it is stored."""

    version: int
    # object, queue, decisions, bindings, cluster
    topic: str
    # ADDED, MODIFIED, DELETED; "" for topics other than object.
    event: str
    kind: str
    payload: Any


class PastState(NamedTuple):
    """A cluster at a version of its feed."""

    cluster: ClusterCard
    # (kind, manifest)
    objects: Iterable[tuple[str, Any]]
    queue: list[QueuedPodCard]
    bindings: list[BindingCard]
    # Oldest first.
    decisions: list[DecisionSummary]


class FeedSource(Protocol):
    def find(self, slug: str) -> int | None:
        """The id of a cluster, None where there is none."""
        ...

    def card(self, cluster_id: int) -> ClusterCard:
        """Raises NotFound."""
        ...

    def changes(self, cluster_id: int, after: int, limit: int) -> Sequence[FeedChange]:
        """In order. Raises NotFound, or Expired where the feed does not go back that far."""
        ...

    def objects(self, cluster_id: int) -> Iterable[tuple[str, Any]]:
        """(kind, manifest) of every object."""
        ...

    def past(self, cluster_id: int, version: int) -> PastState:
        """As it was. Raises NotFound, Expired where the history does not go back that far."""
        ...


_source: FeedSource | None = None


def register(source: FeedSource) -> None:
    global _source
    _source = source


def feed_source() -> FeedSource:
    if _source is None:
        raise RuntimeError("no feed source: playground.clusters registers it when Django starts")
    return _source
