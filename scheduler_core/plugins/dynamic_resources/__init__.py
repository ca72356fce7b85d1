"""DynamicResources: devices that are claimed instead of counted (resource.k8s.io).

A pod names ResourceClaims; a claim asks for devices of classes, by CEL
expressions over their attributes. An allocated claim is usable where its
allocation says; for the others Filter tries, node by node, to find devices
among the ResourceSlices of the node. Reserve keeps what was found, PreBind
writes it into the claims. A claim that was allocated elsewhere and is used by
nobody may be deallocated in PostFilter, so that the pod gets another chance.

    claims.py         the claims of a pod
    cel_selectors.py  CEL over devices
    pools.py          the devices a node can reach
    allocator.py      the search for devices
    in_flight.py      allocations that are not in the claims yet
    plugin.py         the extension points and the events
"""

from scheduler_core.plugins.dynamic_resources.plugin import DynamicResources

__all__ = ["DynamicResources"]
