"""How a preset sets what its scheduler runs with.

A preset may bring a KubeSchedulerConfiguration, plugins written in CEL, and
further schedulers, but clusters know nothing of schedulers: whoever keeps those
registers here (in `AppConfig.ready`) how they are written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

# (cluster id, KubeSchedulerConfiguration): checks and stores it; raises Invalid.
ConfigurationWriter = Callable[[int, Mapping[str, Any]], None]

# (cluster id, the plugin's fields): checks and stores it; raises Invalid.
PluginWriter = Callable[[int, Mapping[str, str]], None]

_writers: list[ConfigurationWriter] = []
_plugin_writers: list[PluginWriter] = []
# (cluster id, processes of the first scheduler, name -> KubeSchedulerConfiguration of the others): as the writer.
SchedulersDeployer = Callable[[int, int, Mapping[str, Mapping[str, Any]]], None]

_deployers: list[SchedulersDeployer] = []


def register(writer: ConfigurationWriter) -> None:
    """There is one; registering it again changes nothing."""
    _writers[:] = [writer]


def register_schedulers(deployer: SchedulersDeployer) -> None:
    """As `register`."""
    _deployers[:] = [deployer]


def register_plugins(writer: PluginWriter) -> None:
    """The same for plugins written in CEL."""
    _plugin_writers[:] = [writer]


def add_plugin(cluster_id: int, plugin: Mapping[str, str]) -> None:
    """Store a plugin, so that the configuration can name it. Raises Invalid."""
    if not _plugin_writers:
        raise RuntimeError("nobody registered how a cluster's plugins are stored")
    _plugin_writers[0](cluster_id, plugin)


def configure(cluster_id: int, document: Mapping[str, Any]) -> None:
    """Store the document as the cluster's configuration. Raises Invalid where it cannot be run."""
    if not _writers:
        raise RuntimeError("nobody registered how a cluster's scheduler is configured")
    _writers[0](cluster_id, document)


def deploy(cluster_id: int, replicas: int, further: Mapping[str, Mapping[str, Any]]) -> None:
    """Run the cluster's scheduler in so many processes, and further schedulers beside it. Raises Invalid."""
    if not _deployers:
        raise RuntimeError("nobody registered how a cluster's schedulers are deployed")
    _deployers[0](cluster_id, replicas, further)
