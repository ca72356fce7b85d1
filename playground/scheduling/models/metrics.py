"""The counters of a scheduler, written with each slice by whoever holds the lease."""

from __future__ import annotations

from django.db import models

from playground.common.fields import JSONTextField


class SchedulerMetrics(models.Model):
    scheduler = models.OneToOneField(
        "scheduling.ClusterScheduler", on_delete=models.CASCADE, primary_key=True, related_name="metrics"
    )
    # `engine.metrics.Counts`
    counts = JSONTextField(default=dict, blank=True)

    def __str__(self) -> str:
        return f"metrics of scheduler {self.pk}"
