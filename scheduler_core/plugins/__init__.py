"""The default plugins, in the order in which kube-scheduler's default profile runs them.

A plugin of your own is one more line in a table like this one; the second table
here has those that a kube-scheduler must be built with to have them.
"""

from scheduler_core.framework.registry import Registry, RegistryEntry
from scheduler_core.plugins import args
from scheduler_core.plugins.coscheduling import Coscheduling
from scheduler_core.plugins.default_binder import DefaultBinder
from scheduler_core.plugins.default_preemption import DefaultPreemption
from scheduler_core.plugins.dynamic_resources import DynamicResources
from scheduler_core.plugins.image_locality import ImageLocality
from scheduler_core.plugins.inter_pod_affinity import InterPodAffinity
from scheduler_core.plugins.node_affinity import NodeAffinity
from scheduler_core.plugins.node_name import NodeName
from scheduler_core.plugins.node_ports import NodePorts
from scheduler_core.plugins.node_resources_balanced_allocation import NodeResourcesBalancedAllocation
from scheduler_core.plugins.node_resources_fit import NodeResourcesFit
from scheduler_core.plugins.node_unschedulable import NodeUnschedulable
from scheduler_core.plugins.node_volume_limits import NodeVolumeLimits
from scheduler_core.plugins.pod_topology_spread import PodTopologySpread
from scheduler_core.plugins.priority_sort import PrioritySort
from scheduler_core.plugins.scheduling_gates import SchedulingGates
from scheduler_core.plugins.taint_toleration import TaintToleration
from scheduler_core.plugins.volume_binding import VolumeBinding
from scheduler_core.plugins.volume_restrictions import VolumeRestrictions
from scheduler_core.plugins.volume_zone import VolumeZone

_ENTRIES = (
    RegistryEntry(SchedulingGates, args.NoArgs),
    RegistryEntry(PrioritySort, args.NoArgs),
    RegistryEntry(NodeUnschedulable, args.NoArgs),
    RegistryEntry(NodeName, args.NoArgs),
    RegistryEntry(TaintToleration, args.NoArgs),
    RegistryEntry(NodeAffinity, args.NodeAffinityArgs),
    RegistryEntry(NodePorts, args.NoArgs),
    RegistryEntry(NodeResourcesFit, args.NodeResourcesFitArgs),
    RegistryEntry(VolumeRestrictions, args.NoArgs),
    RegistryEntry(NodeVolumeLimits, args.NoArgs),
    RegistryEntry(VolumeBinding, args.VolumeBindingArgs),
    RegistryEntry(VolumeZone, args.NoArgs),
    RegistryEntry(PodTopologySpread, args.PodTopologySpreadArgs),
    RegistryEntry(InterPodAffinity, args.InterPodAffinityArgs),
    RegistryEntry(DefaultPreemption, args.DefaultPreemptionArgs),
    RegistryEntry(DynamicResources, args.DynamicResourcesArgs),
    RegistryEntry(NodeResourcesBalancedAllocation, args.NodeResourcesBalancedAllocationArgs),
    RegistryEntry(ImageLocality, args.NoArgs),
    RegistryEntry(DefaultBinder, args.NoArgs),
)

DEFAULT_REGISTRY: Registry = {entry.plugin.name: entry._replace(is_checked=False) for entry in _ENTRIES}

# Not kube-scheduler's own, and in no profile unless it names them; from the scheduler-plugins project.
_OUT_OF_TREE = (RegistryEntry(Coscheduling, args.CoschedulingArgs),)

OUT_OF_TREE_REGISTRY: Registry = {entry.plugin.name: entry for entry in _OUT_OF_TREE}

__all__ = ["DEFAULT_REGISTRY", "OUT_OF_TREE_REGISTRY"]
