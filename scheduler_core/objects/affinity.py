"""Where a pod wants to be: node affinity, pod affinity, topology spread, as written."""

from __future__ import annotations

from scheduler_core.objects.label_selector import LabelSelector, SelectorRequirement
from scheduler_core.objects.model import Model


class NodeSelectorTerm(Model, frozen=True, kw_only=True):
    """All of its requirements must hold; a term without any matches nothing."""

    match_expressions: tuple[SelectorRequirement, ...] = ()
    # Only `metadata.name`.
    match_fields: tuple[SelectorRequirement, ...] = ()


class NodeSelector(Model, frozen=True, kw_only=True):
    """One of its terms must hold."""

    node_selector_terms: tuple[NodeSelectorTerm, ...] = ()


class PreferredSchedulingTerm(Model, frozen=True, kw_only=True):
    weight: int
    preference: NodeSelectorTerm = NodeSelectorTerm()


class NodeAffinity(Model, frozen=True, kw_only=True):
    required_during_scheduling_ignored_during_execution: NodeSelector | None = None
    preferred_during_scheduling_ignored_during_execution: tuple[PreferredSchedulingTerm, ...] = ()

    @property
    def required(self) -> NodeSelector | None:
        return self.required_during_scheduling_ignored_during_execution

    @property
    def preferred(self) -> tuple[PreferredSchedulingTerm, ...]:
        return self.preferred_during_scheduling_ignored_during_execution


class PodAffinityTerm(Model, frozen=True, kw_only=True):
    """Pods that `label_selector` selects in the given namespaces, on nodes that share `topology_key`."""

    topology_key: str
    label_selector: LabelSelector | None = None
    # Both absent: the pod's own namespace.
    namespaces: tuple[str, ...] = ()
    namespace_selector: LabelSelector | None = None
    # Merged into `label_selector` when a pod is created.
    match_label_keys: tuple[str, ...] = ()
    mismatch_label_keys: tuple[str, ...] = ()


class WeightedPodAffinityTerm(Model, frozen=True, kw_only=True):
    weight: int
    pod_affinity_term: PodAffinityTerm


class PodAffinity(Model, frozen=True, kw_only=True):
    """Affinity or anti-affinity: both are written alike."""

    required_during_scheduling_ignored_during_execution: tuple[PodAffinityTerm, ...] = ()
    preferred_during_scheduling_ignored_during_execution: tuple[WeightedPodAffinityTerm, ...] = ()

    @property
    def required(self) -> tuple[PodAffinityTerm, ...]:
        return self.required_during_scheduling_ignored_during_execution

    @property
    def preferred(self) -> tuple[WeightedPodAffinityTerm, ...]:
        return self.preferred_during_scheduling_ignored_during_execution


class Affinity(Model, frozen=True, kw_only=True):
    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAffinity | None = None


class TopologySpreadConstraint(Model, frozen=True, kw_only=True):
    """How evenly matching pods are to be spread over the domains of a topology key."""

    max_skew: int
    topology_key: str
    # "DoNotSchedule" or "ScheduleAnyway".
    when_unsatisfiable: str = "DoNotSchedule"
    label_selector: LabelSelector | None = None
    min_domains: int | None = None
    # "Honor" or "Ignore"; absent: Honor for affinity, Ignore for taints.
    node_affinity_policy: str | None = None
    node_taints_policy: str | None = None
    match_label_keys: tuple[str, ...] = ()
