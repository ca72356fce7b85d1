"""Small plugins of the kind people write for themselves, ready to be named in a profile.

Each is short enough to be read at once, and they show what there is: node by
node and all nodes at once, arguments and their validation, events and hints.
"""

from scheduler_core.framework.registering import registry_entry
from scheduler_core.framework.registry import Registry
from scheduler_core.plugins.examples.instance_type import InstanceType
from scheduler_core.plugins.examples.lifecycle_preference import LifecyclePreference
from scheduler_core.plugins.examples.node_maintenance import NodeMaintenance
from scheduler_core.plugins.examples.reserve_gpu_nodes import ReserveGPUNodes
from scheduler_core.plugins.examples.zone_balance import ZoneBalance

EXAMPLE_PLUGINS = (InstanceType, ZoneBalance, LifecyclePreference, ReserveGPUNodes, NodeMaintenance)

EXAMPLE_REGISTRY: Registry = {plugin.name: registry_entry(plugin) for plugin in EXAMPLE_PLUGINS}

__all__ = ["EXAMPLE_PLUGINS", "EXAMPLE_REGISTRY"]
