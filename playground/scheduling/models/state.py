"""How far a scheduler has come."""

from __future__ import annotations

from django.db import models

from playground.common.fields import JSONTextField


class SchedulerState(models.Model):
    scheduler = models.OneToOneField(
        "scheduling.ClusterScheduler", on_delete=models.CASCADE, primary_key=True, related_name="state"
    )
    # The newest version of the feed whose effects are in the rows of this app.
    feed_version = models.PositiveBigIntegerField(default=0)
    # Sequence of the newest decision; the next cycle has the one after it.
    last_sequence = models.PositiveBigIntegerField(default=0)
    # Cluster time of the next thing due by itself (backoff, flush, Permit deadline); None: nothing is.
    next_wakeup = models.FloatField(null=True, blank=True)
    # A pod was left in activeQ: there is work now, unless the clock is paused.
    has_work = models.BooleanField(default=False)
    # Single steps asked for and taken while paused. Counters, not flags: a task that runs twice steps once.
    steps_requested = models.PositiveBigIntegerField(default=0)
    steps_done = models.PositiveBigIntegerField(default=0)
    # The engine's own memory beside the queue (`engine.stored.EngineMemory`).
    engine = JSONTextField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(steps_done__lte=models.F("steps_requested")), name="steps_done_were_asked_for"
            ),
        ]

    def __str__(self) -> str:
        return f"feed {self.feed_version}, decision {self.last_sequence}"
