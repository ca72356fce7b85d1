"""What can be turned on a cluster while it runs, in one place.

Some of it are settings of the cluster (latencies, failures, the assume cache),
some of it is part of the scheduler's configuration (backoff, feature gates) and
can be written there as well. A change is written whole or not at all, and holds
from the next slice on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from playground.clusters.models import Cluster
from playground.clusters.selectors import cluster_get
from playground.clusters.services.clusters import cluster_settings_update
from playground.clusters.services.transaction import cluster_transaction
from playground.clusters.settings import ClusterSettings, cluster_settings, validated_settings
from playground.common.errors import Cause, Invalid
from playground.scheduling.services.profiles import (
    FEATURE_GATES,
    WrittenConfiguration,
    checked_gates,
    configuration_get,
    configuration_write,
)

# As people write them here and in a KubeSchedulerConfiguration.
BACKOFF = {
    "pod_initial_backoff_seconds": "podInitialBackoffSeconds",
    "pod_max_backoff_seconds": "podMaxBackoffSeconds",
}
LONGEST_BACKOFF = 3600
GATES = "feature_gates"


class Settings(ClusterSettings, frozen=True, kw_only=True):
    """Everything that may be turned, as it is now."""

    # Of pods that failed: doubled with every attempt, from the first to the second.
    pod_initial_backoff_seconds: int
    pod_max_backoff_seconds: int
    # All that there are, by Kubernetes name.
    feature_gates: dict[str, bool]


def settings_get(*, cluster: Cluster) -> Settings:
    written = configuration_get(cluster=cluster)
    configuration = written.decoded()
    return Settings(
        **msgspec.structs.asdict(cluster_settings(cluster)),
        pod_initial_backoff_seconds=configuration.pod_initial_backoff_seconds,
        pod_max_backoff_seconds=configuration.pod_max_backoff_seconds,
        feature_gates={**FEATURE_GATES, **written.feature_gates},
    )


def settings_update(*, cluster: Cluster, values: Mapping[str, Any]) -> Settings:
    """Change those that are named in `values`. Raises Invalid with every field that is wrong."""
    current = settings_get(cluster=cluster)
    own = {name: value for name, value in values.items() if name not in (*BACKOFF, GATES)}
    causes = [*_own_causes(own), *_backoff_causes(current, values), *_gate_causes(values)]
    if causes:
        raise Invalid("; ".join(f"{cause.path}: {cause.message}" for cause in causes), causes)
    with cluster_transaction(cluster.pk) as tx:
        if len(own) < len(values):
            wanted = _configuration(configuration_get(cluster=cluster), values)
            wanted.decoded()
            configuration_write(tx, wanted=wanted)
        if own:
            cluster_settings_update(tx, values=own)
    return settings_get(cluster=cluster_get(cluster.slug))


def _configuration(before: WrittenConfiguration, values: Mapping[str, Any]) -> WrittenConfiguration:
    backoff = {written: values[name] for name, written in BACKOFF.items() if name in values}
    gates = {**before.feature_gates, **values.get(GATES, {})}
    return replace(
        before,
        document={**before.document, **backoff},
        feature_gates={name: on for name, on in gates.items() if on != FEATURE_GATES[name]},
    )


def _own_causes(own: Mapping[str, Any]) -> Iterator[Cause]:
    known = Settings.__struct_fields__
    for name in own:
        if name not in known:
            yield Cause(path=name, message=f"unknown setting; known are {', '.join(known)}")
    try:
        validated_settings({name: value for name, value in own.items() if name in known}, path="")
    except Invalid as problem:
        yield from problem.causes


def _backoff_causes(current: Settings, values: Mapping[str, Any]) -> Iterator[Cause]:
    given = {name: values[name] for name in BACKOFF if name in values}
    wrong = [name for name, value in given.items() if type(value) is not int or not 1 <= value <= LONGEST_BACKOFF]
    for name in wrong:
        message = f"Invalid value: {given[name]!r}: must be a whole number of seconds between 1 and {LONGEST_BACKOFF}"
        yield Cause(path=name, message=message)
    first, last = (given.get(name, getattr(current, name)) for name in BACKOFF)
    if not wrong and given and last < first:
        message = f"Invalid value: {last}: must be at least pod_initial_backoff_seconds, which is {first}"
        yield Cause(path="pod_max_backoff_seconds", message=message)


def _gate_causes(values: Mapping[str, Any]) -> Iterator[Cause]:
    gates = values.get(GATES, {})
    if not isinstance(gates, Mapping):
        yield Cause(path=GATES, message="must be an object of feature gates, each true or false")
        return
    try:
        checked_gates(gates)
    except Invalid as problem:
        yield from problem.causes
