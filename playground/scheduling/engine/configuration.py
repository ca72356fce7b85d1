"""The configuration a cluster's scheduler runs with, decoded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from playground.scheduling.models import SchedulerConfiguration
from playground.scheduling.translation.configuration import document_of
from scheduler_core.configuration import decode_configuration, default_configuration
from scheduler_core.profiles import ConfigurationSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningConfiguration:
    # 0: the defaults, nobody changed anything.
    revision: int
    document: ConfigurationSpec
    feature_gates: Mapping[str, bool]


def running_configuration(cluster_id: int) -> RunningConfiguration:
    row = SchedulerConfiguration.objects.filter(cluster_id=cluster_id).first()
    if row is None:
        return RunningConfiguration(revision=0, document=default_configuration(), feature_gates={})
    return RunningConfiguration(
        revision=row.revision,
        document=decode_configuration(document_of(row), feature_gates=row.feature_gates),
        feature_gates=row.feature_gates,
    )


def running_revision(cluster_id: int) -> int:
    """Cheap enough for every slice."""
    row = SchedulerConfiguration.objects.filter(cluster_id=cluster_id).values_list("revision", flat=True).first()
    return row or 0
