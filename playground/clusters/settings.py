"""The settings of a cluster, with their defaults and bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from playground.clusters.models import Cluster
from playground.common.errors import Cause, Invalid


class ClusterSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How fast and how reliable the cluster's surroundings are. Seconds are cluster time."""

    # Kubelet: pulling an image that is not on the node yet.
    pull_seconds: float = 2.0
    # Creating and starting a container.
    start_seconds: float = 0.5
    # From the end of a pod's grace period, or its own end, to its removal.
    stop_seconds: float = 0.5
    # How long a Job's pod runs that does not say so itself.
    job_seconds: float = 10.0
    # API server: how long it takes to store a binding.
    binding_latency_seconds: float = 0.0
    # The part of all bindings that it refuses, 0 to 1; which ones follows from the cluster's seed.
    binding_failure_rate: float = 0.0
    # Scheduler: whether a placed pod takes up its room at once (AssumePod), or only when the feed shows it bound.
    assume_cache: bool = True


LONGEST_SECONDS = 3600.0
# Largest values that are not LONGEST_SECONDS; all begin at 0.
_LARGEST = {"binding_failure_rate": 1.0}


def cluster_settings(cluster: Cluster) -> ClusterSettings:
    return msgspec.convert(cluster.settings or {}, ClusterSettings)


def validated_settings(values: Mapping[str, Any], *, path: str = "settings.") -> dict[str, Any]:
    """`values` as they are stored, defaults filled in. Raises Invalid naming each wrong field, after `path`."""
    causes = [Cause(path=f"{path}{name}", message=problem) for name, problem in _problems(values)]
    if causes:
        raise Invalid("; ".join(f"{cause.path}: {cause.message}" for cause in causes), causes)
    return msgspec.structs.asdict(msgspec.convert(dict(values), ClusterSettings))


def _problems(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    defaults = msgspec.structs.asdict(ClusterSettings())
    for name, value in values.items():
        if name not in defaults:
            yield name, f"unknown setting; known are {', '.join(defaults)}"
        elif isinstance(defaults[name], bool):
            if not isinstance(value, bool):
                yield name, f"Invalid value: {value!r}: must be true or false"
        elif problem := _number_problem(value, _LARGEST.get(name, LONGEST_SECONDS)):
            yield name, problem


def _number_problem(value: Any, largest: float) -> str:
    """ "" where there is none; not a number (nan) is out of every range."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and 0 <= value <= largest:
        return ""
    return f"Invalid value: {value!r}: must be a number between 0 and {largest:g}"
