"""The counters of a cluster's scheduler, written with each slice by whoever holds the lease."""

from __future__ import annotations

from django.db import models

from playground.common.fields import JSONTextField


class SchedulerMetrics(models.Model):
    cluster = models.OneToOneField("clusters.Cluster", on_delete=models.CASCADE, primary_key=True, related_name="+")
    # `engine.metrics.Counts`
    counts = JSONTextField(default=dict, blank=True)

    def __str__(self) -> str:
        return f"metrics of cluster {self.pk}"
