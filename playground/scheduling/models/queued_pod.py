"""Where a pod that is not bound yet stands in the queue of a scheduler.

The columns are what people look at; `entry` is the queue's own record of the
pod, from which another worker goes on. Rows are written by scheduling slices
only, under the lease.
"""

from __future__ import annotations

from django.db import models

from playground.common.fields import JSONTextField

QUEUES = ("activeQ", "backoffQ", "unschedulablePods", "gated", "inFlight", "waiting", "binding")


class QueuedPod(models.Model):
    cluster = models.ForeignKey("clusters.Cluster", on_delete=models.CASCADE, related_name="queued_pods")
    scheduler = models.ForeignKey(
        "scheduling.ClusterScheduler", on_delete=models.CASCADE, related_name="queued_pods", db_index=False
    )
    pod_uid = models.CharField(max_length=64)
    namespace = models.CharField(max_length=253)
    name = models.CharField(max_length=253)
    queue = models.CharField(max_length=20)
    # Place in the queue's true order, smallest first; compare only within a queue.
    position = models.FloatField()
    priority = models.IntegerField()
    attempts = models.PositiveIntegerField()
    # Cluster time of the last move.
    since = models.FloatField()
    backoff_until = models.FloatField(null=True, blank=True)
    # While waiting at Permit: cluster time at which the first plugin's patience ends.
    waits_until = models.FloatField(null=True, blank=True)
    unschedulable_plugins = JSONTextField(default=list, blank=True)
    pending_plugins = JSONTextField(default=list, blank=True)
    message = models.TextField(blank=True, default="")
    # While waiting or binding.
    node = models.CharField(max_length=253, blank=True, default="")
    entry = JSONTextField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scheduler", "pod_uid"], name="a_pod_is_in_one_queue"),
            models.CheckConstraint(condition=models.Q(queue__in=QUEUES), name="queued_pod_queue_is_known"),
        ]
        indexes = [
            models.Index(fields=["cluster", "queue", "position"], name="queued_pod_order"),
            models.Index(fields=["cluster", "pod_uid"], name="queued_pod_of_pod"),
        ]

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name} in {self.queue}"
