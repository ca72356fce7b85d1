"""What happened to the queue, kept longer than the feed keeps it.

A row holds all moves of one pod in one slice, so that a pod that is placed at
once costs two rows. Rows are numbered within their cluster; the oldest go.
"""

from __future__ import annotations

from django.db import models

from playground.common.fields import JSONTextField


class PodHistory(models.Model):
    cluster = models.ForeignKey("clusters.Cluster", on_delete=models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveBigIntegerField()
    pod_uid = models.CharField(max_length=64)
    namespace = models.CharField(max_length=253)
    name = models.CharField(max_length=253)
    # In whose queue; its name, since the row outlives it.
    scheduler = models.CharField(max_length=63, blank=True, default="")
    # QueueMove, as JSON, oldest first.
    moves = JSONTextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["cluster", "number"], name="pod_history_is_numbered")]
        indexes = [models.Index(fields=["cluster", "namespace", "name"], name="pod_history_of_pod")]

    def __str__(self) -> str:
        return f"#{self.number} {self.namespace}/{self.name}"


class ClusterEventRecord(models.Model):
    cluster = models.ForeignKey("clusters.Cluster", on_delete=models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveBigIntegerField()
    # Cluster time.
    at = models.FloatField()
    event = models.CharField(max_length=100)
    object = models.CharField(max_length=600, blank=True, default="")
    # ClusterEventReport, as JSON.
    report = JSONTextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["cluster", "number"], name="cluster_events_are_numbered")]

    def __str__(self) -> str:
        return f"#{self.number} {self.event} {self.object}"
