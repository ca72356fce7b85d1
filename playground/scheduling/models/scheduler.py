"""The kube-schedulers of a cluster, and the processes that run them.

A cluster is made with one, `kube-scheduler`; more can be deployed beside it.
Each has its own configuration, queue, cache and memory, and knows of the others
only what the API tells everybody. So two of them may place pods into the same
room at the same time, as in a real cluster.

A scheduler runs in one or more processes (replicas). With `leaderElection` only
the one that holds the Lease object schedules; the others stand by. That Lease
is an object of the cluster and lives in the cluster's time. It has nothing to do
with `SchedulerLease`, by which workers of the playground keep out of each
other's way.
"""

from __future__ import annotations

from django.db import models

# The one that every cluster is made with; what names no scheduler means this one.
FIRST = "kube-scheduler"


class ClusterScheduler(models.Model):
    """One deployed kube-scheduler."""

    cluster = models.ForeignKey("clusters.Cluster", on_delete=models.CASCADE, related_name="schedulers", db_index=False)
    name = models.CharField(max_length=63)
    # In order of deployment; 0: the first.
    ordinal = models.PositiveIntegerField()
    # Identity of the process that schedules; "": none does.
    leader = models.CharField(max_length=200, blank=True, default="")
    # Why none does, for people; "" while one does.
    standing_by = models.TextField(blank=True, default="")
    # The Lease that is waited for: its resourceVersion, and the cluster time at which that was first seen.
    observed_version = models.BigIntegerField(default=0)
    observed_at = models.FloatField(null=True, blank=True)

    class Meta:
        ordering = ["cluster", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["cluster", "ordinal"], name="schedulers_are_in_order"),
            models.UniqueConstraint(fields=["cluster", "name"], name="names_of_schedulers_are_unique"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_first(self) -> bool:
        return self.ordinal == 0


class SchedulerReplica(models.Model):
    """One process of a scheduler."""

    scheduler = models.ForeignKey(ClusterScheduler, on_delete=models.CASCADE, related_name="replicas", db_index=False)
    number = models.PositiveIntegerField()
    # As it calls itself in a Lease: another one after every start; "" while it is not running.
    identity = models.CharField(max_length=200, blank=True, default="")
    # How often it was started.
    starts = models.PositiveIntegerField(default=0)
    # Cluster time of its last start or end.
    since = models.FloatField()

    class Meta:
        ordering = ["scheduler", "number"]
        constraints = [
            models.UniqueConstraint(fields=["scheduler", "number"], name="replicas_are_numbered"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return f"{self.scheduler.name}-{self.number}"

    @property
    def is_running(self) -> bool:
        return bool(self.identity)


class ClusterNumbers(models.Model):
    """Numbers that the schedulers of a cluster draw from together, so that none is given twice."""

    cluster = models.OneToOneField("clusters.Cluster", on_delete=models.CASCADE, primary_key=True, related_name="+")
    # Of decisions, reserved before the cycles run. None: there was never more than one scheduler, and it counts alone.
    last_sequence = models.PositiveBigIntegerField(null=True, blank=True)
    # Of the newest rows of `PodHistory` and `ClusterEventRecord`.
    last_history = models.PositiveBigIntegerField(default=0)
    last_event = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"decision {self.last_sequence}, history {self.last_history}, event {self.last_event}"
