"""The default plugins, and how a profile changes them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from scheduler_core.configuration.document import PluginRef, Plugins, PluginSet

ALL = "*"
DYNAMIC_RESOURCES_GATE = "DynamicResourceAllocation"

# In the order in which they run; a weight counts at Score only.
DEFAULT_PLUGINS: Sequence[tuple[str, int]] = (
    ("SchedulingGates", 0),
    ("PrioritySort", 0),
    ("NodeUnschedulable", 0),
    ("NodeName", 0),
    ("TaintToleration", 3),
    ("NodeAffinity", 2),
    ("NodePorts", 0),
    ("NodeResourcesFit", 1),
    ("VolumeRestrictions", 0),
    ("NodeVolumeLimits", 0),
    ("VolumeBinding", 0),
    ("VolumeZone", 0),
    ("PodTopologySpread", 2),
    ("InterPodAffinity", 2),
    # Before DefaultPreemption: to give back an idle claim is better than to evict a pod.
    ("DynamicResources", 0),
    ("DefaultPreemption", 0),
    ("NodeResourcesBalancedAllocation", 1),
    ("ImageLocality", 1),
    ("DefaultBinder", 0),
)


def default_plugins(known: Collection[str], feature_gates: Mapping[str, bool]) -> Plugins:
    """The default plugins as a plugin set; a program that does not have one goes without."""
    left_out = set() if feature_gates.get(DYNAMIC_RESOURCES_GATE, True) else {"DynamicResources"}
    enabled = [
        PluginRef(name=name, weight=weight)
        for name, weight in DEFAULT_PLUGINS
        if name in known and name not in left_out
    ]
    return Plugins(multi_point=PluginSet(enabled=tuple(enabled)))


def merged(defaults: Plugins, changes: Plugins) -> Plugins:
    """The default plugins with a profile's changes, extension point by extension point."""
    sets = {name: _merged_set(getattr(defaults, name), getattr(changes, name)) for name in Plugins.__struct_fields__}
    return msgspec.structs.replace(defaults, **sets)


def _merged_set(defaults: PluginSet, changes: PluginSet) -> PluginSet:
    disabled = {ref.name for ref in (*changes.disabled, *defaults.disabled)}
    # Where a plugin is named twice the last one replaces the default; the other stays and is found later.
    custom = {ref.name: i for i, ref in enumerate(changes.enabled)}
    enabled: list[PluginRef] = []
    replaced: set[int] = set()
    for ref in () if ALL in disabled else defaults.enabled:
        if ref.name in disabled:
            continue
        place = custom.get(ref.name)
        if place is not None:
            replaced.add(place)
        enabled.append(ref if place is None else changes.enabled[place])
    enabled += [ref for i, ref in enumerate(changes.enabled) if i not in replaced]
    names = [PluginRef(name=ref.name) for ref in (*changes.disabled, *defaults.disabled)]
    return PluginSet(enabled=tuple(enabled), disabled=tuple(names))
