"""The plugins that a cluster's profiles may name.

The engine's own table, examples, the plugins of this installation
(`python_plugins`), and those that were written for the cluster in CEL.
Everything that decodes a configuration or builds a framework takes its table
from here, so that a name means the same to the validation of a profile, the
scheduler, the workers that bind, and a question without consequences.
"""

from __future__ import annotations

import logging
from functools import lru_cache

from django.conf import settings

from playground.scheduling.engine.python_plugins import python_plugins
from playground.scheduling.models import CelPlugin
from scheduler_core.framework.registry import Registry, RegistryEntry
from scheduler_core.plugins import DEFAULT_REGISTRY, OUT_OF_TREE_REGISTRY
from scheduler_core.plugins.cel import CelPluginDefinition, cel_plugin_entry
from scheduler_core.plugins.examples import EXAMPLE_REGISTRY

logger = logging.getLogger(__name__)


@lru_cache(maxsize=1)
def installed_registry() -> Registry:
    """What every cluster has. Raises PluginProblem; asked when a process starts, so that it is heard there."""
    known = {**DEFAULT_REGISTRY, **OUT_OF_TREE_REGISTRY, **EXAMPLE_REGISTRY}
    return {**known, **python_plugins(known, settings.PLAYGROUND_PLUGINS)}


def registry_of(cluster_id: int) -> Registry:
    """What the profiles of a cluster may name."""
    rows = CelPlugin.objects.filter(cluster_id=cluster_id)
    entries = ((row.name, _entry(definition_of(row))) for row in rows)
    return {**{name: entry for name, entry in entries if entry is not None}, **installed_registry()}


def definition_of(row: CelPlugin) -> CelPluginDefinition:
    return CelPluginDefinition(name=row.name, filter=row.filter, score=row.score, message=row.message)


@lru_cache(maxsize=512)
def _entry(definition: CelPluginDefinition) -> RegistryEntry | None:
    """None for what the compiler refuses, though it once did not: another version of it, or an edited database."""
    try:
        return cel_plugin_entry(definition)
    except ValueError as failure:
        logger.warning("CEL plugin %s cannot be used and is left out: %s", definition.name, failure)
        return None
