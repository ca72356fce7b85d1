"""The rows: a cluster, its objects, and the feed of changes.

The database is the cluster's etcd. An object is its manifest plus the columns
that are queried; the manifest is the truth and the columns follow it
(`translation.py` is the only place that fills them). `Change` is the feed: one
row a version, in order, complete back to `Cluster.oldest_change_version`. What
the changes before that made of the cluster is its `HistoryBase`, so that the
state at any version of the feed can be told.

Only `services.transaction.cluster_transaction` writes these tables, holding
the lock of the cluster's row.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import CheckConstraint, Index, Q, UniqueConstraint

from playground.common.fields import JSONTextField


class Cluster(models.Model):
    """One virtual cluster with its own versions, time and seed."""

    class ClockState(models.TextChoices):
        RUNNING = "running"
        PAUSED = "paused"

    # In every URL; DNS-1123.
    slug = models.CharField(max_length=63, unique=True)
    name = models.CharField(max_length=100)
    # Every random choice of the cluster comes from it.
    seed = models.BigIntegerField()
    # The version of the newest change; `resourceVersion` of lists.
    resource_version = models.BigIntegerField(default=0)
    # The feed holds every version above this one.
    oldest_change_version = models.BigIntegerField(default=0)
    # Bytes of the payloads in the feed.
    feed_size = models.BigIntegerField(default=0)
    clock_state = models.CharField(max_length=10, choices=ClockState, default=ClockState.RUNNING)
    # Cluster seconds per wall second.
    clock_speed = models.FloatField(default=1.0)
    # Cluster time (seconds since the epoch) at `anchor_wall` (wall clock); paused: the time it stands at.
    anchor_cluster = models.FloatField()
    anchor_wall = models.FloatField()
    # Why the clock stands where nobody paused it: a `BreakpointHit` of live/messages.py, as JSON. None: nothing did.
    paused_by = JSONTextField(null=True, blank=True, default=None)
    # Where it is to be paused: the scheduling app's, as JSON; and the number of the newest of them.
    breakpoints = JSONTextField(default=list, blank=True)
    last_breakpoint = models.PositiveBigIntegerField(default=0)
    # Kubelet latencies and the like; see `settings.py`.
    settings = JSONTextField(default=dict)
    # Id of the preset it was made from; "": from none.
    preset = models.CharField(max_length=50, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["slug"]
        constraints: ClassVar = [
            CheckConstraint(condition=Q(clock_speed__gt=0), name="cluster_speed_positive"),
            CheckConstraint(condition=~Q(slug=""), name="cluster_slug_not_empty"),
            CheckConstraint(
                condition=Q(resource_version__gte=models.F("oldest_change_version")), name="cluster_feed_not_ahead"
            ),
        ]

    def __str__(self) -> str:
        return self.slug


class ClusterObject(models.Model):
    """What every object's row has."""

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+", db_index=False)
    uid = models.CharField(max_length=36)
    # "" for objects without a namespace.
    namespace = models.CharField(max_length=63, blank=True, default="")
    name = models.CharField(max_length=253)
    # The version of the change that wrote it last.
    resource_version = models.BigIntegerField()
    # uid of the owner that is its controller, else of its first owner; "" without owners.
    owner_uid = models.CharField(max_length=36, blank=True, default="")
    # The whole object, as the API answers it.
    manifest = JSONTextField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


class Pod(ClusterObject):
    node_name = models.CharField(max_length=253, blank=True, default="")
    phase = models.CharField(max_length=20, default="Pending")
    scheduler_name = models.CharField(max_length=253)
    priority = models.IntegerField(default=0)
    # Effective requests, in millicores and bytes; as the pod was created.
    cpu_request = models.BigIntegerField(default=0)
    memory_request = models.BigIntegerField(default=0)
    # Cluster time at which its grace period ends (metadata.deletionTimestamp); None: not being deleted.
    deletion_at = models.FloatField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(fields=["cluster", "namespace", "name"], name="pod_name_unique"),
            UniqueConstraint(fields=["cluster", "uid"], name="pod_uid_unique"),
        ]
        indexes: ClassVar = [
            Index(fields=["cluster", "node_name"], name="pod_by_node"),
            Index(fields=["cluster", "owner_uid"], name="pod_by_owner"),
            Index(fields=["cluster", "phase"], name="pod_by_phase"),
        ]


class Node(ClusterObject):
    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(fields=["cluster", "name"], name="node_name_unique"),
            UniqueConstraint(fields=["cluster", "uid"], name="node_uid_unique"),
        ]


class KubernetesObject(ClusterObject):
    """Every other kind."""

    kind = models.CharField(max_length=63)
    # Events only: the uid of the object the event is about.
    regarding_uid = models.CharField(max_length=36, blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(fields=["cluster", "kind", "namespace", "name"], name="object_name_unique"),
            UniqueConstraint(fields=["cluster", "uid"], name="object_uid_unique"),
        ]
        indexes: ClassVar = [
            Index(fields=["cluster", "owner_uid"], name="object_by_owner"),
            Index(fields=["cluster", "regarding_uid"], name="object_by_regarding"),
        ]


class Change(models.Model):
    """One version of the feed."""

    class Topic(models.TextChoices):
        # payload: the manifest (of a deleted object: its last one)
        OBJECT = "object"
        # payload: that message of live/messages.py, without its version
        QUEUE = "queue"
        DECISIONS = "decisions"
        BINDINGS = "bindings"
        CLUSTER = "cluster"

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+", db_index=False)
    version = models.BigIntegerField()
    # Cluster time.
    at = models.FloatField(default=0.0)
    topic = models.CharField(max_length=10, choices=Topic)
    # ADDED, MODIFIED, DELETED; "" for topics other than object.
    event = models.CharField(max_length=10, blank=True, default="")
    kind = models.CharField(max_length=63, blank=True, default="")
    namespace = models.CharField(max_length=63, blank=True, default="")
    name = models.CharField(max_length=253, blank=True, default="")
    uid = models.CharField(max_length=36, blank=True, default="")
    payload = JSONTextField()

    class Meta:
        ordering: ClassVar = ["version"]
        constraints: ClassVar = [
            UniqueConstraint(fields=["cluster", "version"], name="change_version_unique"),
            CheckConstraint(condition=Q(event__in=["", "ADDED", "MODIFIED", "DELETED"]), name="change_event_known"),
        ]

    def __str__(self) -> str:
        return f"{self.version} {self.topic} {self.event} {self.kind} {self.namespace}/{self.name}"


class HistoryBase(models.Model):
    """One thing as it was at `Cluster.oldest_change_version`: changes that leave the feed go in here.

    A cluster that has no row of topic `cluster` was made before there was a history, and has none.
    """

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+", db_index=False)
    topic = models.CharField(max_length=10, choices=Change.Topic)
    # object: uid; queue and bindings: uid of the pod; decisions: the sequence, of one length; cluster: ""
    key = models.CharField(max_length=36, blank=True, default="")
    # Of an object; "" for other topics.
    kind = models.CharField(max_length=63, blank=True, default="")
    # The manifest, or that topic's card.
    payload = JSONTextField()

    class Meta:
        constraints: ClassVar = [UniqueConstraint(fields=["cluster", "topic", "key"], name="history_base_once")]

    def __str__(self) -> str:
        return f"{self.topic} {self.kind} {self.key}"
