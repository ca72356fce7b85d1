"""A pod on its way from assumed to bound: the work order of a binding cycle.

The row is written in the transaction that stores the decision, and the task
that runs the binding cycle is sent when that commits. The row, not the task, is
what must not get lost: a task that vanished with its worker is sent again from
here, and one that runs twice finds the row finished.
"""

from __future__ import annotations

from django.db import models

from playground.common.fields import JSONTextField

IN_FLIGHT = ("pending", "binding")
PHASES = (*IN_FLIGHT, "bound", "failed")


class Binding(models.Model):
    cluster = models.ForeignKey("clusters.Cluster", on_delete=models.CASCADE, related_name="bindings")
    # None: that scheduler is not deployed any more.
    scheduler = models.ForeignKey(
        "scheduling.ClusterScheduler", on_delete=models.SET_NULL, null=True, related_name="bindings", db_index=False
    )
    pod_uid = models.CharField(max_length=64)
    namespace = models.CharField(max_length=253)
    name = models.CharField(max_length=253)
    node = models.CharField(max_length=253)
    scheduler_name = models.CharField(max_length=253)
    # The decision that caused it.
    sequence = models.PositiveBigIntegerField()
    phase = models.CharField(max_length=10, default="pending")
    # Cluster time of the decision.
    at = models.FloatField()
    # Generation of the lease under which it was decided.
    generation = models.PositiveBigIntegerField()
    # What PreBind needs of the scheduling cycle; JSON by plugin.
    binding_data = JSONTextField(default=dict, blank=True)
    # BindingStep, as JSON.
    steps = JSONTextField(default=list, blank=True)
    message = models.TextField(blank=True, default="")
    # Cluster time at which the API server answers; None: it was not asked yet, or answers at once.
    due_at = models.FloatField(null=True, blank=True)
    # Cluster time at which it was bound or failed.
    ended_at = models.FloatField(null=True, blank=True)
    # Wall clock; a pending binding that nobody took for a while is sent again.
    sent_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["cluster", "sequence"], name="a_decision_causes_one_binding"),
            models.UniqueConstraint(
                fields=["scheduler", "pod_uid"],
                condition=models.Q(phase__in=IN_FLIGHT),
                name="a_scheduler_binds_a_pod_once_at_a_time",
            ),
            models.CheckConstraint(condition=models.Q(phase__in=PHASES), name="binding_phase_is_known"),
        ]
        indexes = [
            models.Index(fields=["phase", "sent_at"], name="binding_due"),
            models.Index(fields=["cluster", "pod_uid"], name="binding_of_pod"),
        ]

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name} to {self.node}: {self.phase}"
