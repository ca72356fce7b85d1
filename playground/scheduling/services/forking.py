"""What a fork of a cluster takes along of its schedulers: which there are, their configurations and own plugins.

Its processes go by the same names, so that a Lease that came along is theirs. Queues, decisions and bindings
start anew.
"""

from __future__ import annotations

from playground.clusters import clock
from playground.clusters.models import Cluster
from playground.scheduling.models import (
    CelPlugin,
    ClusterNumbers,
    ClusterScheduler,
    Profile,
    SchedulerConfiguration,
    SchedulerReplica,
)
from playground.scheduling.selectors.schedulers import schedulers_of


def configuration_copy(source: Cluster, fork: Cluster) -> None:
    """As it is now, whatever version the fork begins at: the history knows objects, not configurations."""
    for original in schedulers_of(cluster_id=source.pk):
        copy, new = ClusterScheduler.objects.get_or_create(
            cluster=fork, ordinal=original.ordinal, defaults={"name": original.name}
        )
        _copy_processes(original, copy)
        _copy_configuration(original, copy)
        if new:
            ClusterNumbers.objects.get_or_create(cluster=fork, defaults={"last_sequence": 0})


def _copy_processes(original: ClusterScheduler, copy: ClusterScheduler) -> None:
    copy.replicas.all().delete()
    replicas = list(original.replicas.all())
    for replica in replicas:
        replica.pk, replica.scheduler, replica.since = None, copy, clock.now(copy.cluster)
    SchedulerReplica.objects.bulk_create(replicas)


def _copy_configuration(original: ClusterScheduler, copy: ClusterScheduler) -> None:
    running = SchedulerConfiguration.objects.filter(scheduler=original).first()
    if running is None:
        return
    profiles = list(running.profiles.all())
    running.pk = copy.pk
    running.save(force_insert=True)
    for profile in profiles:
        profile.pk, profile.configuration = None, running
    Profile.objects.bulk_create(profiles)


def plugins_copy(source: Cluster, fork: Cluster) -> None:
    plugins = list(CelPlugin.objects.filter(cluster=source))
    for plugin in plugins:
        plugin.pk, plugin.cluster = None, fork
    CelPlugin.objects.bulk_create(plugins)
