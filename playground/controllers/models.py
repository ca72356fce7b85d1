"""What the controllers and the kubelets of a cluster have to remember between two tasks.

It is little: everything else is in the objects. `ControllerState` says how far
they have followed the feed, so that a sweep finds clusters whose worker died;
`KubeletStep` holds the steps of pods' lives that are over at a certain time.
Both are written in the transaction of the objects they go with.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import CheckConstraint, Index, Q, UniqueConstraint

from playground.clusters.models import Cluster
from playground.common.fields import JSONTextField
from scheduler_core.kubelet.pod_life import Step


class ControllerState(models.Model):
    """How far a cluster's controllers and kubelets are."""

    cluster = models.OneToOneField(Cluster, on_delete=models.CASCADE, related_name="+", primary_key=True)
    # They have seen the feed up to here.
    feed_version = models.BigIntegerField(default=0)
    # Cluster time of the next thing due by itself; None: nothing.
    next_due = models.FloatField(null=True, blank=True)
    # There was more to do than fitted into one transaction.
    unfinished = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.cluster_id} at {self.feed_version}"


class KubeletStep(models.Model):
    """The step a pod is in on its node; at most one a pod."""

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+", db_index=False)
    pod_uid = models.CharField(max_length=36)
    node_name = models.CharField(max_length=253)
    step = models.CharField(max_length=10, choices=[(step.value, step.value) for step in Step])
    # Cluster time: when it began, and when it is over.
    since = models.FloatField()
    due_at = models.FloatField()
    # Images being pulled.
    images = JSONTextField(default=list)

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(fields=["cluster", "pod_uid"], name="kubelet_step_once_a_pod"),
            CheckConstraint(condition=Q(step__in=[step.value for step in Step]), name="kubelet_step_known"),
        ]
        indexes: ClassVar = [
            Index(fields=["cluster", "due_at"], name="kubelet_step_by_due"),
            Index(fields=["cluster", "node_name"], name="kubelet_step_by_node"),
        ]

    def __str__(self) -> str:
        return f"{self.pod_uid} {self.step} until {self.due_at}"
