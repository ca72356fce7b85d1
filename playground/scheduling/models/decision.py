"""One scheduling cycle as it was: a summary that is read often, the whole report compressed beside it."""

from __future__ import annotations

from django.db import models

OUTCOMES = ("scheduled", "unschedulable", "error", "waiting", "skipped")


class Decision(models.Model):
    cluster = models.ForeignKey("clusters.Cluster", on_delete=models.CASCADE, related_name="decisions")
    # None: that scheduler is not deployed any more.
    scheduler = models.ForeignKey(
        "scheduling.ClusterScheduler", on_delete=models.SET_NULL, null=True, related_name="decisions", db_index=False
    )
    sequence = models.PositiveBigIntegerField()
    pod_uid = models.CharField(max_length=64)
    namespace = models.CharField(max_length=253)
    name = models.CharField(max_length=253)
    attempt = models.PositiveIntegerField()
    # Cluster time.
    at = models.FloatField()
    outcome = models.CharField(max_length=15)
    node = models.CharField(max_length=253, blank=True, default="")
    # DecisionSummary, as JSON bytes.
    summary = models.BinaryField()
    # CycleReport, as compressed JSON (`translation.reports`).
    report = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["cluster", "sequence"], name="decisions_are_numbered"),
            models.CheckConstraint(condition=models.Q(outcome__in=OUTCOMES), name="decision_outcome_is_known"),
        ]
        indexes = [
            models.Index(fields=["cluster", "namespace", "name", "sequence"], name="decision_of_pod"),
            models.Index(fields=["cluster", "pod_uid", "attempt"], name="decision_attempts"),
        ]

    def __str__(self) -> str:
        return f"#{self.sequence} {self.namespace}/{self.name}: {self.outcome}"
