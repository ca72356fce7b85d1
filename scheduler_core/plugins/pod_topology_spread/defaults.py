"""Constraints of a pod that writes none.

The selector is deduced: the union of the selectors of the Services that select
the pod, and the selector of its controller. Where nothing selects the pod there
are no constraints.
"""

from __future__ import annotations

from dataclasses import replace

from scheduler_core.framework.interface import Lister
from scheduler_core.framework.memo import GenerationMemo
from scheduler_core.objects.affinity import TopologySpreadConstraint
from scheduler_core.objects.label_selector import Selector, compile_selector, selector_from_map
from scheduler_core.objects.node import HOSTNAME_LABEL, ZONE_LABEL
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.args import PodTopologySpreadArgs
from scheduler_core.plugins.pod_topology_spread.constraints import (
    SCHEDULE_ANYWAY,
    Constraints,
    compile_constraints,
)

SYSTEM_DEFAULTS = (
    TopologySpreadConstraint(topology_key=HOSTNAME_LABEL, when_unsatisfiable=SCHEDULE_ANYWAY, max_skew=3),
    TopologySpreadConstraint(topology_key=ZONE_LABEL, when_unsatisfiable=SCHEDULE_ANYWAY, max_skew=5),
)

_REPLICATION_CONTROLLER = ("v1", "ReplicationController")
_SETS = (("apps/v1", "ReplicaSet"), ("apps/v1", "StatefulSet"))
_SELECTING_KINDS = ("Service", "ReplicationController", "ReplicaSet", "StatefulSet")


class DefaultConstraints:
    """The default constraints of a profile, with selectors per pod class."""

    def __init__(self, args: PodTopologySpreadArgs, lister: Lister) -> None:
        # Nodes without one of the topology labels still count, so that hosts are spread where there are no zones.
        self.are_system = args.defaulting_type == "System"
        self._written = SYSTEM_DEFAULTS if self.are_system else args.default_constraints
        self._actions = {each.when_unsatisfiable for each in self._written}
        self._lister = lister
        self._selectors: GenerationMemo[Selector] = GenerationMemo()

    def of(self, pod: PodInfo, when_unsatisfiable: str) -> Constraints:
        if when_unsatisfiable not in self._actions:
            return ()
        selector = self._selector(pod)
        if selector.is_empty:
            return ()
        constraints = compile_constraints(self._written, when_unsatisfiable, pod.labels)
        return tuple(replace(each, selector=selector) for each in constraints)

    @property
    def generation(self) -> tuple[int, ...]:
        """Deduced selectors hold until this changes."""
        return tuple(self._lister.generation(kind) for kind in _SELECTING_KINDS)

    def _selector(self, pod: PodInfo) -> Selector:
        generation = self.generation
        selector = self._selectors.get(generation, pod.class_key)
        if selector is None:
            selector = self._selectors.put(generation, pod.class_key, deduced_selector(pod, self._lister))
        return selector


def deduced_selector(pod: PodInfo, lister: Lister) -> Selector:
    """What Services and the controller select the pod by; empty where nothing does."""
    labels: dict[str, str] = {}
    for service in lister.list("Service", pod.namespace):
        wanted = service.spec.selector
        if all(pod.labels.get(key) == value for key, value in wanted.items()):
            labels.update(wanted)
    return _with_controller(pod, lister, labels)


def _with_controller(pod: PodInfo, lister: Lister, labels: dict[str, str]) -> Selector:
    owner = pod.pod.metadata.controller
    if owner is None:
        return selector_from_map(labels)
    kind = (owner.api_version, owner.kind)
    controller = lister.get(owner.kind, pod.namespace, owner.name) if owner.kind in _SELECTING_KINDS else None
    if controller is None:
        return selector_from_map(labels)
    if kind == _REPLICATION_CONTROLLER:
        return selector_from_map(labels | controller.spec.selector)
    if kind in _SETS:
        return selector_from_map(labels).with_requirements(*compile_selector(controller.spec.selector).requirements)
    return selector_from_map(labels)
