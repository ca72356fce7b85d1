"""The configuration a scheduler runs with, decoded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from playground.scheduling.engine.registry import registry_of
from playground.scheduling.models import ClusterScheduler, SchedulerConfiguration
from playground.scheduling.translation.configuration import document_of
from scheduler_core.configuration import decode_configuration, default_configuration
from scheduler_core.framework.registry import Registry
from scheduler_core.profiles import ConfigurationSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningConfiguration:
    # 0: the defaults, nobody changed anything.
    revision: int
    document: ConfigurationSpec
    feature_gates: Mapping[str, bool]
    # The plugins that the document's names mean.
    registry: Registry


def running_configuration(scheduler: ClusterScheduler) -> RunningConfiguration:
    row = SchedulerConfiguration.objects.filter(scheduler=scheduler).first()
    registry = registry_of(scheduler.cluster_id)
    if row is None:
        return RunningConfiguration(
            revision=0, document=default_configuration(registry), feature_gates={}, registry=registry
        )
    return RunningConfiguration(
        revision=row.revision,
        document=decode_configuration(document_of(row), registry, row.feature_gates),
        feature_gates=row.feature_gates,
        registry=registry,
    )


def running_revision(scheduler_id: int) -> int:
    """Cheap enough for every slice."""
    row = SchedulerConfiguration.objects.filter(pk=scheduler_id).values_list("revision", flat=True).first()
    return row or 0
