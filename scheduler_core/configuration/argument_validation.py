"""What the types of plugin arguments cannot say.

The arguments of NodeResourcesFit and Coscheduling are validated when the plugin
is built, as in kube-scheduler: their problems carry paths of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from scheduler_core.configuration.errors import (
    FieldProblem,
    duplicate,
    forbidden,
    invalid,
    required,
    unsupported,
)
from scheduler_core.objects.affinity import NodeSelectorTerm, TopologySpreadConstraint
from scheduler_core.objects.label_selector import (
    Operator,
    SelectorRequirement,
    compile_requirement,
    is_qualified_name,
)
from scheduler_core.plugins.args import (
    CoschedulingArgs,
    DefaultPreemptionArgs,
    InterPodAffinityArgs,
    NodeAffinityArgs,
    NodeResourcesBalancedAllocationArgs,
    NodeResourcesFitArgs,
    PodTopologySpreadArgs,
    ResourceSpec,
    UtilizationShapePoint,
    VolumeBindingArgs,
)

SCORING_STRATEGIES = ("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio")
MAX_UTILIZATION = 100
MAX_CUSTOM_SCORE = 10

NOT_QUALIFIED = (
    "name part must consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character"
)


def validate_arguments(args: Any, path: str) -> list[FieldProblem]:
    """Problems of one plugin's arguments, with paths below `path`."""
    validate = _VALIDATIONS.get(type(args))
    return list(validate(args, path)) if validate else list(_by_themselves(args, path))


def _by_themselves(args: Any, path: str) -> Iterator[FieldProblem]:
    """Arguments of a plugin of somebody's own: `validate()` yields (field, message), if there is such a method."""
    validate = getattr(args, "validate", None)
    if validate is None:
        return
    try:
        problems = [(str(field), str(message)) for field, message in validate() or ()]
    except Exception as failure:  # noqa: BLE001 a broken check must not be worse than a wrong argument
        yield FieldProblem(path, f"checking {type(args).__name__} failed: {type(failure).__name__}: {failure}")
        return
    for field, message in problems:
        yield FieldProblem(f"{path}.{field}" if field else path, f"Invalid value: {message}")


def validate_late(args: Any) -> list[FieldProblem]:
    """Problems found only when the plugin is built."""
    validate = _LATE_VALIDATIONS.get(type(args))
    return list(validate(args)) if validate else []


def _preemption(args: DefaultPreemptionArgs, path: str) -> Iterator[FieldProblem]:
    percentage, absolute = args.min_candidate_nodes_percentage, args.min_candidate_nodes_absolute
    of_percentage, of_absolute = f"{path}.minCandidateNodesPercentage", f"{path}.minCandidateNodesAbsolute"
    if not 0 <= percentage <= 100:
        yield invalid(of_percentage, percentage, "not in valid range [0, 100]")
    if absolute < 0:
        yield invalid(of_absolute, absolute, "not in valid range [0, inf)")
    if percentage == 0 and absolute == 0:
        yield invalid(of_percentage, 0, "cannot be zero at the same time as minCandidateNodesAbsolute")
        yield invalid(of_absolute, 0, "cannot be zero at the same time as minCandidateNodesPercentage")


def _pod_affinity(args: InterPodAffinityArgs, path: str) -> Iterator[FieldProblem]:
    if not 0 <= args.hard_pod_affinity_weight <= 100:
        yield invalid(f"{path}.hardPodAffinityWeight", args.hard_pod_affinity_weight, "not in valid range [0, 100]")


def _node_affinity(args: NodeAffinityArgs, path: str) -> Iterator[FieldProblem]:
    added = args.added_affinity
    if added is None:
        return
    below = f"{path}.addedAffinity"
    if added.required is not None:
        terms = f"{below}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
        for i, term in enumerate(added.required.node_selector_terms):
            yield from _selector_term(term, f"{terms}[{i}]")
    for i, preferred in enumerate(added.preferred):
        place = f"{below}.preferredDuringSchedulingIgnoredDuringExecution[{i}]"
        yield from _selector_term(preferred.preference, f"{place}.preference")


def _selector_term(term: NodeSelectorTerm, path: str) -> Iterator[FieldProblem]:
    for i, each in enumerate(term.match_expressions):
        yield from _requirement(each, f"{path}.matchExpressions[{i}]")
    for i, each in enumerate(term.match_fields):
        if each.key != "metadata.name":
            yield unsupported(f"{path}.matchFields[{i}].key", each.key, ("metadata.name",))
        if len(each.values) != 1 or each.operator not in (Operator.IN, Operator.NOT_IN):
            yield required(f"{path}.matchFields[{i}].values", "exactly one value with operator In or NotIn")


def _requirement(each: SelectorRequirement, path: str) -> Iterator[FieldProblem]:
    if not is_qualified_name(each.key):
        yield invalid(f"{path}.key", each.key, NOT_QUALIFIED)
    if compile_requirement(each).is_valid:
        return
    match each.operator:
        case Operator.IN | Operator.NOT_IN:
            why = "for 'in', 'notin' operators, values set can't be empty"
        case Operator.EXISTS | Operator.DOES_NOT_EXIST:
            why = "values set must be empty for exists and does not exist"
        case _:
            why = "for 'Gt', 'Lt' operators, the value must be exactly one integer"
    yield invalid(f"{path}.values", list(each.values), why)


def _balanced(args: NodeResourcesBalancedAllocationArgs, path: str) -> Iterator[FieldProblem]:
    seen: set[str] = set()
    for i, resource in enumerate(args.resources):
        if resource.name in seen:
            yield duplicate(f"{path}.resources[{i}].name", resource.name)
        seen.add(resource.name)
        if resource.weight != 1:
            yield invalid(f"{path}.resources[{i}].weight", resource.weight, "must be 1")


def _spread(args: PodTopologySpreadArgs, path: str) -> Iterator[FieldProblem]:
    if args.defaulting_type not in ("System", "List"):
        yield unsupported(f"{path}.defaultingType", args.defaulting_type, ("System", "List"))
    elif args.defaulting_type == "System" and args.default_constraints:
        yield invalid(
            f"{path}.defaultingType",
            args.defaulting_type,
            "when .defaultConstraints are not empty",
            hint="write defaultingType: List",
        )
    seen: set[tuple[str, str]] = set()
    for i, constraint in enumerate(args.default_constraints):
        yield from _constraint(constraint, f"{path}.defaultConstraints[{i}]")
        pair = (constraint.topology_key, constraint.when_unsatisfiable)
        if pair in seen:
            yield duplicate(f"{path}.defaultConstraints[{i}]", f"{{{pair[0]}, {pair[1]}}}")
        seen.add(pair)


def _constraint(constraint: TopologySpreadConstraint, path: str) -> Iterator[FieldProblem]:
    if constraint.max_skew <= 0:
        yield invalid(f"{path}.maxSkew", constraint.max_skew, "not in valid range (0, inf)")
    if not constraint.topology_key:
        yield required(f"{path}.topologyKey", "can not be empty")
    elif not is_qualified_name(constraint.topology_key):
        yield invalid(f"{path}.topologyKey", constraint.topology_key, NOT_QUALIFIED)
    if not constraint.when_unsatisfiable:
        yield required(f"{path}.whenUnsatisfiable", "can not be empty")
    elif constraint.when_unsatisfiable not in ("DoNotSchedule", "ScheduleAnyway"):
        yield unsupported(
            f"{path}.whenUnsatisfiable", constraint.when_unsatisfiable, ("DoNotSchedule", "ScheduleAnyway")
        )
    if constraint.label_selector is not None:
        yield forbidden(f"{path}.labelSelector", "constraint must not define a selector, as they deduced for each pod")


def _volume_binding(args: VolumeBindingArgs, path: str) -> Iterator[FieldProblem]:
    if args.bind_timeout_seconds < 0:
        yield invalid(
            f"{path}.bindTimeoutSeconds",
            args.bind_timeout_seconds,
            "invalid BindTimeoutSeconds, should not be a negative value",
        )
    yield from _shape(args.shape, f"{path}.shape")


def _fit(args: NodeResourcesFitArgs) -> Iterator[FieldProblem]:
    yield from _ignored_names(args.ignored_resources, "ignoredResources")
    for i, group in enumerate(args.ignored_resource_groups):
        if "/" in group:
            yield invalid(f"ignoredResourceGroups[{i}]", group, "resource group name can't contain '/'")
    yield from _ignored_names(args.ignored_resource_groups, "ignoredResourceGroups")
    strategy = args.scoring_strategy
    if strategy.type not in SCORING_STRATEGIES:
        yield unsupported("scoringStrategy.type", strategy.type, SCORING_STRATEGIES)
    yield from _weights(strategy.resources, "scoringStrategy.resources")
    if strategy.requested_to_capacity_ratio is not None:
        yield from _shape(strategy.requested_to_capacity_ratio.shape, "scoringStrategy.shape")


def _coscheduling(args: CoschedulingArgs) -> Iterator[FieldProblem]:
    if args.permit_waiting_time_seconds < 0:
        yield invalid("permitWaitingTimeSeconds", args.permit_waiting_time_seconds, "must be greater than 0")
    if args.pod_group_backoff_seconds < 0:
        yield invalid("podGroupBackoffSeconds", args.pod_group_backoff_seconds, "must be greater than 0")
    if not 0 <= args.pod_group_reject_percentage <= 100:
        yield invalid("podGroupRejectPercentage", args.pod_group_reject_percentage, "must be between 0 and 100")


def _ignored_names(names: Iterable[str], path: str) -> Iterator[FieldProblem]:
    for i, name in enumerate(names):
        if not is_qualified_name(name):
            yield invalid(f"{path}[{i}]", name, NOT_QUALIFIED)


def _weights(resources: Sequence[ResourceSpec], path: str) -> Iterator[FieldProblem]:
    for i, resource in enumerate(resources):
        if not 0 < resource.weight <= 100:
            why = f"resource weight of {resource.name} not in valid range (0, 100]"
            yield invalid(f"{path}[{i}].weight", resource.weight, why)


def _shape(shape: Sequence[UtilizationShapePoint], path: str) -> Iterator[FieldProblem]:
    if not shape:
        yield required(path, "at least one point must be specified")
    for i in range(1, len(shape)):
        if shape[i - 1].utilization >= shape[i].utilization:
            yield invalid(f"{path}[{i}].utilization", shape[i].utilization, "values must be sorted in increasing order")
            break
    for i, point in enumerate(shape):
        if not 0 <= point.utilization <= MAX_UTILIZATION:
            yield invalid(f"{path}[{i}].utilization", point.utilization, f"not in valid range [0, {MAX_UTILIZATION}]")
        if not 0 <= point.score <= MAX_CUSTOM_SCORE:
            yield invalid(f"{path}[{i}].score", point.score, f"not in valid range [0, {MAX_CUSTOM_SCORE}]")


_VALIDATIONS: Mapping[type, Callable[[Any, str], Iterator[FieldProblem]]] = {
    DefaultPreemptionArgs: _preemption,
    InterPodAffinityArgs: _pod_affinity,
    NodeAffinityArgs: _node_affinity,
    NodeResourcesBalancedAllocationArgs: _balanced,
    PodTopologySpreadArgs: _spread,
    VolumeBindingArgs: _volume_binding,
}

_LATE_VALIDATIONS: Mapping[type, Callable[[Any], Iterator[FieldProblem]]] = {
    CoschedulingArgs: _coscheduling,
    NodeResourcesFitArgs: _fit,
}
