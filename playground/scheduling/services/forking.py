"""What a fork of a cluster takes along of its scheduler: configuration and own plugins. All else starts anew."""

from __future__ import annotations

from playground.clusters.models import Cluster
from playground.scheduling.models import CelPlugin, Profile, SchedulerConfiguration


def configuration_copy(source: Cluster, fork: Cluster) -> None:
    """As it is now, whatever version the fork begins at: the history knows objects, not configurations."""
    running = SchedulerConfiguration.objects.filter(cluster=source).first()
    if running is None:
        return
    profiles = list(running.profiles.all())
    running.pk = fork.pk
    running.save(force_insert=True)
    for profile in profiles:
        profile.pk, profile.configuration = None, running
    Profile.objects.bulk_create(profiles)


def plugins_copy(source: Cluster, fork: Cluster) -> None:
    plugins = list(CelPlugin.objects.filter(cluster=source))
    for plugin in plugins:
        plugin.pk, plugin.cluster = None, fork
    CelPlugin.objects.bulk_create(plugins)
