"""The KubeSchedulerConfiguration a scheduler runs with.

The document is kept as it was written: what concerns the whole scheduler in one
row, each profile in a row of its own, so that the database itself keeps
scheduler names unique. A scheduler without a row runs the defaults.
"""

from __future__ import annotations

from django.db import models

from playground.common.fields import JSONTextField


class SchedulerConfiguration(models.Model):
    scheduler = models.OneToOneField(
        "scheduling.ClusterScheduler", on_delete=models.CASCADE, primary_key=True, related_name="configuration"
    )
    # Rises with every change; a warm engine with another revision is built anew around its queue.
    revision = models.PositiveBigIntegerField(default=1)
    # The document without `profiles`.
    document = JSONTextField(default=dict)
    # Feature gates that differ from their default, by Kubernetes name.
    feature_gates = JSONTextField(default=dict, blank=True)

    def __str__(self) -> str:
        return f"revision {self.revision}"


class Profile(models.Model):
    configuration = models.ForeignKey(SchedulerConfiguration, on_delete=models.CASCADE, related_name="profiles")
    # Place in the document.
    position = models.PositiveIntegerField()
    scheduler_name = models.CharField(max_length=253)
    # `plugins`: what is enabled and disabled, by extension point.
    plugins = JSONTextField(default=dict, blank=True)
    # `pluginConfig`: arguments by plugin.
    plugin_config = JSONTextField(default=list, blank=True)
    # Whatever else the profile says (percentageOfNodesToScore).
    other = JSONTextField(default=dict, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["configuration", "scheduler_name"], name="scheduler_names_are_unique"),
            models.UniqueConstraint(fields=["configuration", "position"], name="profiles_are_in_order"),
        ]

    def __str__(self) -> str:
        return self.scheduler_name
