"""Scheduler plugins that people wrote for a cluster, as CEL expressions."""

from __future__ import annotations

from django.db import models


class CelPlugin(models.Model):
    """Named by profiles like any other plugin; stored only if its expressions compile."""

    cluster = models.ForeignKey("clusters.Cluster", on_delete=models.CASCADE, related_name="cel_plugins")
    name = models.CharField(max_length=63)
    # "": rejects nothing.
    filter = models.TextField(blank=True)
    # "": scores nothing.
    score = models.TextField(blank=True)
    # Why nodes are rejected; "": in the plugin's own words.
    message = models.CharField(max_length=256, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["cluster", "name"], name="cel_plugins_have_names_of_their_own"),
        ]

    def __str__(self) -> str:
        return self.name
