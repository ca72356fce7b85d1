"""The plugins that a cluster's profiles may name.

The engine's own table, the plugins of this installation (`python_plugins`), and
those that were written for the cluster in CEL. Everything that decodes a
configuration or builds a framework takes its table from here, so that a name
means the same to the validation of a profile, the scheduler, the workers that
bind, and a question without consequences.
"""

from __future__ import annotations

from scheduler_core.framework.registry import Registry
from scheduler_core.plugins import DEFAULT_REGISTRY, OUT_OF_TREE_REGISTRY


def installed_registry() -> Registry:
    """What every cluster has."""
    return {**DEFAULT_REGISTRY, **OUT_OF_TREE_REGISTRY}


def registry_of(cluster_id: int) -> Registry:
    """What the profiles of a cluster may name."""
    return installed_registry()
