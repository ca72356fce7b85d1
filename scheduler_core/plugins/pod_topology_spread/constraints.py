"""Topology spread constraints, compiled against the pod that has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scheduler_core.objects.affinity import TopologySpreadConstraint
from scheduler_core.objects.label_selector import (
    EVERYTHING,
    Operator,
    Requirement,
    Selector,
    compile_selector,
    requirement,
)

DO_NOT_SCHEDULE = "DoNotSchedule"
SCHEDULE_ANYWAY = "ScheduleAnyway"

_HONOR = "Honor"


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint."""

    topology_key: str
    max_skew: int
    selector: Selector
    # With fewer domains than this the emptiest one counts as empty.
    min_domains: int
    # Whether only nodes that the pod's node affinity matches count, and only those whose taints it tolerates.
    honor_affinity: bool
    honor_taints: bool

    def counts(self, labels: Mapping[str, str]) -> bool:
        """Whether an existing pod with these labels counts; an empty selector counts nobody."""
        return not self.selector.is_empty and self.selector.matches(labels)


Constraints = tuple[Constraint, ...]


def compile_constraints(
    written: Iterable[TopologySpreadConstraint], when_unsatisfiable: str, labels: Mapping[str, str]
) -> Constraints:
    """Those of one sort, for a pod with these labels."""
    return tuple(_compile(each, labels) for each in written if each.when_unsatisfiable == when_unsatisfiable)


def _compile(written: TopologySpreadConstraint, labels: Mapping[str, str]) -> Constraint:
    return Constraint(
        topology_key=written.topology_key,
        max_skew=written.max_skew,
        selector=_with_label_keys(compile_selector(written.label_selector), written.match_label_keys, labels),
        min_domains=1 if written.min_domains is None else written.min_domains,
        honor_affinity=written.node_affinity_policy in (None, _HONOR),
        honor_taints=written.node_taints_policy == _HONOR,
    )


def _with_label_keys(selector: Selector, keys: Iterable[str], labels: Mapping[str, str]) -> Selector:
    """`matchLabelKeys`: the pod's own value of each key must match too; keys the pod lacks do not count."""
    own: list[Requirement] = [requirement(key, Operator.IN, labels[key]) for key in keys if key in labels]
    if not own:
        return selector
    return (EVERYTHING if selector.nothing else selector).with_requirements(*own)
