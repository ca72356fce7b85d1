"""An engine that follows a cluster's feed.

It starts from the objects as they are at one version and then takes in every
change after it, in order. A feed that no longer goes back far enough raises
`Expired`: the engine is thrown away and built anew.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from typing import Any

from playground.clusters.models import Change, Cluster
from playground.clusters.selectors import feed_read, object_iterate
from playground.clusters.settings import cluster_settings
from playground.common.errors import NotFound
from playground.scheduling.engine.clock import ClusterClock
from playground.scheduling.engine.configuration import RunningConfiguration
from playground.scheduling.models import ClusterScheduler
from playground.scheduling.models.scheduler import FIRST
from scheduler_core.framework.extenders import ExtenderCaller
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.decode import KINDS, DecodeError, decode
from scheduler_core.objects.model import KubernetesObject
from scheduler_core.scheduler import Scheduler

logger = logging.getLogger(__name__)

TOPICS = ("object", "bindings")
# Left in the database: there are more of them than of all others, and the engine has no use for them.
UNREAD_KINDS = ("Event",)
# Changes read at once.
PAGE = 2_000


class FollowingEngine:
    """Base: one scheduler of a cluster, up to `version` of its feed. One owner at a time."""

    def __init__(
        self, row: ClusterScheduler, configuration: RunningConfiguration, caller: ExtenderCaller | None = None
    ) -> None:
        """Without a caller the configuration's extenders are not asked."""
        cluster = row.cluster
        self.cluster_id = cluster.pk
        self.scheduler_id = row.pk
        self.name = row.name
        self.revision = configuration.revision
        self.extenders = configuration.document.extenders
        self.clock = ClusterClock(cluster)
        self.version = cluster.resource_version
        self.scheduler = Scheduler(
            configuration.document,
            self.clock,
            cluster.seed,
            feature_gates=configuration.feature_gates,
            registry=configuration.registry,
            stopwatch=time.perf_counter_ns,
            caller=caller,
        )
        self._use_settings(cluster)

    def follow(self, cluster: Cluster) -> None:
        """Take in the feed up to `cluster`'s version at least. Raises Expired, NotFound."""
        self.clock.cluster = cluster
        self._use_settings(cluster)
        while cluster.resource_version > self.version:
            changes = feed_read(self.cluster_id, self.version, PAGE, TOPICS, UNREAD_KINDS)
            for change in changes:
                self._take_in(change)
            last = changes[-1].version if changes else 0
            self.version = last if len(changes) == PAGE else max(last, cluster.resource_version)

    def _use_settings(self, cluster: Cluster) -> None:
        self.scheduler.assumes_pods = cluster_settings(cluster).assume_cache

    def binding_told(self, card: Mapping[str, Any]) -> None:
        """A BindingCard of the feed, as JSON, about a binding of this scheduler."""
        raise NotImplementedError

    def _take_in(self, change: Change) -> None:
        if change.topic == "bindings":
            for card in change.payload["bindings"]:
                # What another scheduler has assumed is its own affair; the bound pod is everybody's.
                if card.get("scheduler", FIRST) == self.name:
                    self.binding_told(card)
        elif change.kind in KINDS:
            decoded = decoded_or_none(change.payload)
            if decoded is not None:
                if self.scheduler.asks_extenders:
                    self._keep_manifest(change)
                self.scheduler.handle(ObjectChange(event=change.event, object=decoded))  # type: ignore[arg-type]

    def _keep_manifest(self, change: Change) -> None:
        manifests = self.scheduler.manifests
        if change.event == "DELETED":
            manifests.remove(change.payload)
        else:
            manifests.put(change.payload)

    def stored_objects(self) -> Iterator[KubernetesObject]:
        """Every object that the engine reads; extenders are sent whole ones, so those are kept for them."""
        for manifest, decoded in stored_objects(self.cluster_id):
            if self.scheduler.asks_extenders:
                self.scheduler.manifests.put(manifest)
            yield decoded


def scheduler_by_id(scheduler_id: int) -> ClusterScheduler:
    """With its cluster. Raises NotFound where it is gone."""
    row = ClusterScheduler.objects.select_related("cluster").filter(pk=scheduler_id).first()
    if row is None:
        raise NotFound(f"scheduler {scheduler_id} does not exist (any more)")
    return row


def cluster_by_id(cluster_id: int) -> Cluster:
    """Raises NotFound where it is gone."""
    cluster = Cluster.objects.filter(pk=cluster_id).first()
    if cluster is None:
        raise NotFound(f"cluster {cluster_id} does not exist (any more)")
    return cluster


def stored_objects(cluster_id: int) -> Iterator[tuple[Mapping[str, Any], KubernetesObject]]:
    """Every object that the engine reads, with its manifest."""
    for _, manifest in object_iterate(cluster_id, list(KINDS)):
        decoded = decoded_or_none(manifest)
        if decoded is not None:
            yield manifest, decoded


def decoded_or_none(manifest: Mapping[str, Any]) -> KubernetesObject | None:
    """None for what the engine cannot read: it is left out, since one bad object must not stop a scheduler.

    Admission lets no such object through; a database may have been edited, though.
    """
    try:
        return decode(manifest)
    except DecodeError as error:
        name = (manifest.get("metadata") or {}).get("name")
        logger.warning("%s %s cannot be read by the scheduler and is left out: %s", manifest.get("kind"), name, error)
        return None
