"""How a preset sets what its scheduler runs with.

A preset may bring a KubeSchedulerConfiguration, but clusters know nothing of
schedulers: whoever keeps their configurations registers here (in
`AppConfig.ready`) how one is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

# (cluster id, KubeSchedulerConfiguration): checks and stores it; raises Invalid.
ConfigurationWriter = Callable[[int, Mapping[str, Any]], None]

_writers: list[ConfigurationWriter] = []


def register(writer: ConfigurationWriter) -> None:
    """There is one; registering it again changes nothing."""
    _writers[:] = [writer]


def configure(cluster_id: int, document: Mapping[str, Any]) -> None:
    """Store the document as the cluster's configuration. Raises Invalid where it cannot be run."""
    if not _writers:
        raise RuntimeError("nobody registered how a cluster's scheduler is configured")
    _writers[0](cluster_id, document)
