"""The arguments of the default plugins, as `pluginConfig` writes them, with their defaults.

Decoded strictly: an unknown field is an error. Validation beyond types is the
configuration's work.
"""

from __future__ import annotations

import msgspec

from scheduler_core.objects.affinity import NodeAffinity, TopologySpreadConstraint


class PluginArgs(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Arguments of one plugin."""


class NoArgs(PluginArgs, frozen=True, kw_only=True):
    """Of a plugin without arguments."""


class ResourceSpec(PluginArgs, frozen=True, kw_only=True):
    """A resource and what it counts for."""

    name: str
    weight: int = 1


DEFAULT_RESOURCES = (ResourceSpec(name="cpu"), ResourceSpec(name="memory"))


class UtilizationShapePoint(PluginArgs, frozen=True, kw_only=True):
    # Percent.
    utilization: int
    # 0..10
    score: int


class RequestedToCapacityRatioParam(PluginArgs, frozen=True, kw_only=True):
    shape: tuple[UtilizationShapePoint, ...] = ()


class ScoringStrategy(PluginArgs, frozen=True, kw_only=True):
    # LeastAllocated, MostAllocated or RequestedToCapacityRatio.
    type: str = "LeastAllocated"
    resources: tuple[ResourceSpec, ...] = DEFAULT_RESOURCES
    requested_to_capacity_ratio: RequestedToCapacityRatioParam | None = None


class NodeResourcesFitArgs(PluginArgs, frozen=True, kw_only=True):
    # Extended resources that Filter does not look at.
    ignored_resources: tuple[str, ...] = ()
    # The same for every resource with one of these prefixes.
    ignored_resource_groups: tuple[str, ...] = ()
    scoring_strategy: ScoringStrategy = ScoringStrategy()


class NodeResourcesBalancedAllocationArgs(PluginArgs, frozen=True, kw_only=True):
    resources: tuple[ResourceSpec, ...] = DEFAULT_RESOURCES


class NodeAffinityArgs(PluginArgs, frozen=True, kw_only=True):
    # Added to the affinity of every pod of the profile.
    added_affinity: NodeAffinity | None = None


class PodTopologySpreadArgs(PluginArgs, frozen=True, kw_only=True):
    default_constraints: tuple[TopologySpreadConstraint, ...] = ()
    # System or List.
    defaulting_type: str = "System"


class InterPodAffinityArgs(PluginArgs, frozen=True, kw_only=True):
    # What a required affinity term of an existing pod adds to the score of a pod it matches.
    hard_pod_affinity_weight: int = 1
    ignore_preferred_terms_of_existing_pods: bool = False


class VolumeBindingArgs(PluginArgs, frozen=True, kw_only=True):
    bind_timeout_seconds: int = 600
    # Score by how full the storage would be.
    shape: tuple[UtilizationShapePoint, ...] = (
        UtilizationShapePoint(utilization=0, score=0),
        UtilizationShapePoint(utilization=100, score=10),
    )


class DefaultPreemptionArgs(PluginArgs, frozen=True, kw_only=True):
    min_candidate_nodes_percentage: int = 10
    min_candidate_nodes_absolute: int = 100


class DynamicResourcesArgs(PluginArgs, frozen=True, kw_only=True):
    # A Go duration.
    filter_timeout: str = "10s"


class CoschedulingArgs(PluginArgs, frozen=True, kw_only=True):
    # How long a pod waits at Permit for its siblings, where the group does not say.
    permit_waiting_time_seconds: int = 60
    # How long the pods of a rejected group are not tried; 0: not at all.
    pod_group_backoff_seconds: int = 0
    # A group that lacks no more than this part of minMember is not rejected yet.
    pod_group_reject_percentage: int = 10
