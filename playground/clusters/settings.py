"""The settings of a cluster, with their defaults and bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from playground.clusters.models import Cluster
from playground.common.errors import Cause, Invalid


class ClusterSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Latencies of the kubelet stand-in, in cluster seconds."""

    # Pulling an image that is not on the node yet.
    pull_seconds: float = 2.0
    # Creating and starting a container.
    start_seconds: float = 0.5
    # From the end of a pod's grace period, or its own end, to its removal.
    stop_seconds: float = 0.5
    # How long a Job's pod runs that does not say so itself.
    job_seconds: float = 10.0


LONGEST_SECONDS = 3600.0


def cluster_settings(cluster: Cluster) -> ClusterSettings:
    return msgspec.convert(cluster.settings or {}, ClusterSettings)


def validated_settings(values: Mapping[str, Any]) -> dict[str, Any]:
    """`values` as they are stored. Raises Invalid with the field."""
    try:
        settings = msgspec.convert(dict(values), ClusterSettings)
    except msgspec.ValidationError as error:
        raise Invalid(f"settings: {error}", [Cause(path="settings", message=str(error))]) from None
    causes = [
        Cause(path=f"settings.{name}", message=f"Invalid value: {value}: must be between 0 and {LONGEST_SECONDS:g}")
        for name, value in msgspec.structs.asdict(settings).items()
        if not 0 <= value <= LONGEST_SECONDS
    ]
    if causes:
        raise Invalid(f"{causes[0].path}: {causes[0].message}", causes)
    return msgspec.structs.asdict(settings)
