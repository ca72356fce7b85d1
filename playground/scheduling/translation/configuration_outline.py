"""What may stand in a KubeSchedulerConfiguration, in the form in which editors know the kinds of objects.

The fields are those of the engine's own document types, the names of plugins
those of the cluster's registry: at each extension point the ones that have it.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import inspect

from playground.clusters.admission.outline import Outline, OutlineField
from scheduler_core.configuration.document import (
    API_VERSION,
    KIND,
    ConfigurationDocument,
    PluginRef,
    Plugins,
    PluginSet,
)
from scheduler_core.framework.interface import ExtensionPoint, implements
from scheduler_core.framework.registry import Registry

Definitions = dict[str, dict[str, OutlineField]]

# "*": all default plugins, where plugins are disabled.
ALL = "*"
MULTI_POINT = "multiPoint"
ARGS = "args."

_TYPES: Mapping[type[inspect.Type], str] = {
    inspect.StrType: "string",
    inspect.IntType: "integer",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
}

# `Type.field` or `field` -> what it is for.
_DOCS: Mapping[str, str] = {
    "profiles": "Each is a scheduler that pods may name in spec.schedulerName; all share one queue",
    "extenders": "HTTP services that are asked beside the plugins",
    "parallelism": "How many nodes kube-scheduler looks at at once; decisions do not depend on it",
    "percentageOfNodesToScore": "The search stops when this part of the nodes fits; 0: by the cluster's size",
    "podInitialBackoffSeconds": "How long a pod stays in backoffQ after its first failed attempt; it doubles with each",
    "podMaxBackoffSeconds": "The longest stay in backoffQ",
    "leaderElection": "Only the process that holds the Lease schedules",
    "leaderElect": "Off: the process schedules at once, whoever else does",
    "leaseDuration": "How long the others wait after the last renewal before one takes over",
    "renewDeadline": "How long the leader tries to renew before it gives up",
    "retryPeriod": "Between two attempts to get or renew the Lease",
    "resourceName": "Name of the Lease; schedulers with the same one stand by for each other",
    "resourceNamespace": "Namespace of the Lease",
    "schedulerName": "What pods name in spec.schedulerName",
    "plugins": "What differs from the default plugins, by extension point",
    "pluginConfig": "Arguments of plugins",
    "multiPoint": "Plugins for every extension point they have",
    "enabled": "Plugins that run here after the default ones, in this order",
    "disabled": 'Default plugins that do not run here; "*": none of them does',
    "weight": "What the plugin's scores are multiplied by; 0 is the default weight",
    "urlPrefix": "Where the extender listens; the verbs are appended to it",
    "filterVerb": "Asked which nodes pass, after the Filter plugins",
    "prioritizeVerb": "Asked for scores from 0 to 10",
    "preemptVerb": "Asked about the victims of a preemption",
    "bindVerb": "Asked to bind instead of the scheduler",
    "httpTimeout": "How long an answer may take, such as 5s",
    "ignorable": "A failure of the extender is passed over",
    "nodeCacheCapable": "It knows the nodes: names are enough",
    "managedResources": "It is asked only about pods that request one of these",
    "ignoredByScheduler": "NodeResourcesFit leaves this resource to the extender",
    "ignoredResources": "Extended resources that Filter does not look at",
    "ignoredResourceGroups": "The same for every resource with one of these prefixes",
    "scoringStrategy": "How much is left free, or how full a node gets",
    "addedAffinity": "Added to the node affinity of every pod of the profile",
    "defaultConstraints": "For pods without topology spread constraints of their own",
    "defaultingType": "System: kube-scheduler's own default constraints; List: those written here",
    "hardPodAffinityWeight": "What a required affinity term of a pod that is there adds to the score, 0 to 100",
    "bindTimeoutSeconds": "How long PreBind waits for volumes to be bound",
    "minCandidateNodesPercentage": "At least so many nodes are looked at for preemption, in percent",
    "minCandidateNodesAbsolute": "At least so many nodes are looked at for preemption",
    "permitWaitingTimeSeconds": "How long a pod waits at Permit for the others of its group",
    "podGroupBackoffSeconds": "How long the pods of a rejected group are not tried; 0: not at all",
}
_VALUES: Mapping[str, tuple[str, ...]] = {
    "ScoringStrategy.type": ("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"),
    "PodTopologySpreadArgs.defaultingType": ("System", "List"),
    "TopologySpreadConstraint.whenUnsatisfiable": ("DoNotSchedule", "ScheduleAnyway"),
    "ResourceSpec.name": ("cpu", "memory", "ephemeral-storage", "nvidia.com/gpu"),
    "LeaderElectionDocument.resourceLock": ("leases",),
    "ConfigurationDocument.apiVersion": (API_VERSION,),
    "ConfigurationDocument.kind": (KIND,),
    "ProfileDocument.schedulerName": ("default-scheduler",),
}


def configuration_outline(registry: Registry) -> Outline:
    """Of everything that the registry's cluster may write."""
    reached: Definitions = {}
    root = _reach(ConfigurationDocument, reached)
    reached[Plugins.__name__] = {
        field.encode_name: _plugins_at(field.encode_name, registry, reached)
        for field in msgspec.structs.fields(Plugins)
    }
    for name, entry in registry.items():
        reached[f"{ARGS}{name}"] = reached[_reach(entry.args, reached)]
    _name_plugins(reached["PluginConfig"], registry)
    return Outline(api_version=API_VERSION, kind=KIND, root=root, definitions=reached)


def _plugins_at(point: str, registry: Registry, reached: Definitions) -> OutlineField:
    """Each point has a definition of its own, since it offers its own plugins."""
    names = _names_at(point, registry)
    field = OutlineField(type="object", of=f"{PluginSet.__name__}.{point}", doc=_DOCS.get(point, ""))
    reached[field.of] = {
        "enabled": _list_of(reached, f"{PluginRef.__name__}.{point}", names, "enabled"),
        "disabled": _list_of(reached, f"{PluginRef.__name__}.{point}.disabled", [ALL, *names], "disabled"),
    }
    return field


def _list_of(reached: Definitions, definition: str, names: list[str], field: str) -> OutlineField:
    reached[definition] = {
        **reached[PluginRef.__name__],
        "name": OutlineField(type="string", required=True, values=names),
    }
    return OutlineField(type="list", of=definition, doc=_DOCS[field])


def _names_at(point: str, registry: Registry) -> list[str]:
    if point == MULTI_POINT:
        return sorted(registry)
    return sorted(name for name, entry in registry.items() if implements(entry.plugin, ExtensionPoint(point)))


def _name_plugins(fields: dict[str, OutlineField], registry: Registry) -> None:
    fields["name"] = OutlineField(type="string", required=True, values=sorted(registry))
    fields["args"] = OutlineField(type="object", of=ARGS, by="name")


def _reach(struct: type[msgspec.Struct], reached: Definitions) -> str:
    """Its name, by which it and all it contains are in `reached` from now on."""
    name = struct.__name__
    if name not in reached:
        fields: dict[str, OutlineField] = {}
        reached[name] = fields
        info = inspect.type_info(struct)
        assert isinstance(info, inspect.StructType)
        for field in info.fields:
            fields[field.encode_name] = _field(name, field, reached)
    return name


def _field(struct: str, field: inspect.Field, reached: Definitions) -> OutlineField:
    type_, of = _type(field.type, reached)
    name = field.encode_name
    return OutlineField(
        type=type_,
        of=of,
        required=field.required,
        doc=_DOCS.get(name, ""),
        values=list(_VALUES.get(f"{struct}.{name}", ())),
    )


def _type(type_: inspect.Type, reached: Definitions) -> tuple[str, str]:
    """As outlines have it: its type, and what is in it."""
    match type_:
        case inspect.StructType():
            return "object", _reach(type_.cls, reached)
        case inspect.ListType() | inspect.VarTupleType():
            inner, of = _type(type_.item_type, reached)
            return "list", of if inner == "object" else inner
        case inspect.DictType():
            inner, of = _type(type_.value_type, reached)
            return "map", of if inner == "object" else inner
        case inspect.UnionType():
            others = [each for each in type_.types if not isinstance(each, inspect.NoneType)]
            return _type(others[0], reached) if len(others) == 1 else ("any", "")
        case _:
            return _TYPES.get(type(type_), "any"), ""
