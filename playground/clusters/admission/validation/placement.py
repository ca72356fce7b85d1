"""Where a pod may and would like to be: selectors, affinity, tolerations, spreading."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playground.clusters.admission.metadata import (
    label_causes,
    label_value_causes,
    name_causes,
    qualified_name_causes,
)
from playground.clusters.admission.validation.causes import (
    Json,
    duplicate,
    forbidden,
    invalid,
    positive,
    required,
    selector,
    supported,
    values_for_operator,
)
from playground.common.errors import Cause
from scheduler_core.objects.label_selector import parse_int64

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_POLICIES = ("Honor", "Ignore")


def placement(path: str, spec: Json, labels: Json) -> Iterator[Cause]:
    yield from label_causes(spec.get("nodeSelector") or {}, f"{path}.nodeSelector")
    affinity = spec.get("affinity") or {}
    yield from _node_affinity(f"{path}.affinity.nodeAffinity", affinity.get("nodeAffinity") or {})
    for side in ("podAffinity", "podAntiAffinity"):
        yield from _pod_affinity(f"{path}.affinity.{side}", affinity.get(side) or {})
    for i, toleration in enumerate(spec.get("tolerations") or ()):
        yield from _toleration(f"{path}.tolerations[{i}]", toleration)
    yield from _spread(f"{path}.topologySpreadConstraints", spec.get("topologySpreadConstraints") or ())


def _node_affinity(path: str, affinity: Json) -> Iterator[Cause]:
    needed = affinity.get(_REQUIRED)
    if needed is not None:
        yield from node_selector(f"{path}.{_REQUIRED}", needed)
    for i, term in enumerate(affinity.get(_PREFERRED) or ()):
        where = f"{path}.{_PREFERRED}[{i}]"
        yield from _weight(where, term)
        yield from _node_selector_term(f"{where}.preference", term.get("preference") or {})


def node_selector(path: str, value: Json) -> Iterator[Cause]:
    terms = value.get("nodeSelectorTerms") or ()
    if not terms:
        yield required(f"{path}.nodeSelectorTerms", "must have at least one node selector term")
    for i, term in enumerate(terms):
        yield from _node_selector_term(f"{path}.nodeSelectorTerms[{i}]", term)


def _weight(path: str, term: Json) -> Iterator[Cause]:
    weight = term.get("weight", 0)
    if not 1 <= weight <= 100:
        yield invalid(f"{path}.weight", weight, "must be in the range 1-100")


def _node_selector_term(path: str, term: Json) -> Iterator[Cause]:
    for i, each in enumerate(term.get("matchExpressions") or ()):
        yield from _node_requirement(f"{path}.matchExpressions[{i}]", each)
    for i, each in enumerate(term.get("matchFields") or ()):
        yield from _field_requirement(f"{path}.matchFields[{i}]", each)


def _node_requirement(path: str, each: Json) -> Iterator[Cause]:
    operator, values = each.get("operator"), each.get("values") or []
    operators = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
    yield from qualified_name_causes(each.get("key", ""), f"{path}.key")
    yield from supported(f"{path}.operator", operator, operators, optional=False)
    yield from values_for_operator(path, operator, values)
    if operator in ("Gt", "Lt"):
        if len(values) != 1:
            yield required(f"{path}.values", "must be specified single value when `operator` is 'Lt' or 'Gt'")
        elif parse_int64(values[0]) is None:
            yield invalid(f"{path}.values[0]", values[0], "must be a whole number for operators 'Lt' and 'Gt'")
    else:
        for i, value in enumerate(values):
            yield from label_value_causes(value, f"{path}.values[{i}]")


def _field_requirement(path: str, each: Json) -> Iterator[Cause]:
    values = each.get("values") or ()
    yield from supported(f"{path}.operator", each.get("operator"), ("In", "NotIn"), optional=False)
    if len(values) != 1:
        yield required(
            f"{path}.values", "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
        )
    if each.get("key") != "metadata.name":
        yield invalid(f"{path}.key", each.get("key"), "not a valid field selector key")
    for i, value in enumerate(values):
        yield from name_causes(value, f"{path}.values[{i}]")


def _pod_affinity(path: str, affinity: Json) -> Iterator[Cause]:
    for i, term in enumerate(affinity.get(_REQUIRED) or ()):
        yield from _pod_affinity_term(f"{path}.{_REQUIRED}[{i}]", term)
    for i, weighted in enumerate(affinity.get(_PREFERRED) or ()):
        where = f"{path}.{_PREFERRED}[{i}]"
        yield from _weight(where, weighted)
        yield from _pod_affinity_term(f"{where}.podAffinityTerm", weighted.get("podAffinityTerm") or {})


def _pod_affinity_term(path: str, term: Json) -> Iterator[Cause]:
    if not term.get("topologyKey"):
        yield required(f"{path}.topologyKey", "can not be empty")
    else:
        yield from qualified_name_causes(term["topologyKey"], f"{path}.topologyKey")
    yield from selector(f"{path}.labelSelector", term.get("labelSelector"))
    yield from selector(f"{path}.namespaceSelector", term.get("namespaceSelector"))
    for i, namespace in enumerate(term.get("namespaces") or ()):
        yield from name_causes(namespace, f"{path}.namespaces[{i}]", label=True)
    yield from _label_keys(path, term)


def _label_keys(path: str, term: Json) -> Iterator[Cause]:
    match, mismatch = term.get("matchLabelKeys") or (), term.get("mismatchLabelKeys") or ()
    for field, keys in (("matchLabelKeys", match), ("mismatchLabelKeys", mismatch)):
        if keys and term.get("labelSelector") is None:
            yield forbidden(f"{path}.{field}", "must not be specified when labelSelector is not set")
        for i, key in enumerate(keys):
            yield from qualified_name_causes(key, f"{path}.{field}[{i}]")
    for i, key in enumerate(match):
        if key in mismatch:
            yield invalid(f"{path}.matchLabelKeys[{i}]", key, "exists in both matchLabelKeys and mismatchLabelKeys")


def _toleration(path: str, toleration: Json) -> Iterator[Cause]:
    key, operator, effect = toleration.get("key", ""), toleration.get("operator", ""), toleration.get("effect", "")
    if key:
        yield from qualified_name_causes(key, f"{path}.key")
    elif operator != "Exists":
        rule = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
        yield invalid(f"{path}.operator", operator, rule)
    yield from supported(f"{path}.operator", operator, ("Equal", "Exists"))
    if operator == "Exists" and toleration.get("value"):
        yield invalid(f"{path}.operator", toleration, "value must be empty when `operator` is 'Exists'")
    elif toleration.get("value"):
        yield from label_value_causes(toleration["value"], f"{path}.value")
    yield from supported(f"{path}.effect", effect, EFFECTS)
    if toleration.get("tolerationSeconds") is not None and effect != "NoExecute":
        yield invalid(f"{path}.effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")


def _spread(path: str, constraints: Any) -> Iterator[Cause]:
    seen: set[tuple[Any, Any]] = set()
    for i, constraint in enumerate(constraints):
        where = f"{path}[{i}]"
        yield from _spread_constraint(where, constraint)
        key = (constraint.get("topologyKey"), constraint.get("whenUnsatisfiable"))
        if key in seen:
            yield duplicate(where, f"{{{key[0]}, {key[1]}}}")
        seen.add(key)


def _spread_constraint(path: str, constraint: Json) -> Iterator[Cause]:
    yield from positive(f"{path}.maxSkew", constraint.get("maxSkew", 0))
    if not constraint.get("topologyKey"):
        yield required(f"{path}.topologyKey", "can not be empty")
    else:
        yield from qualified_name_causes(constraint["topologyKey"], f"{path}.topologyKey")
    when = constraint.get("whenUnsatisfiable")
    yield from supported(f"{path}.whenUnsatisfiable", when, ("DoNotSchedule", "ScheduleAnyway"), optional=False)
    yield from positive(f"{path}.minDomains", constraint.get("minDomains"))
    if constraint.get("minDomains") is not None and when != "DoNotSchedule":
        rule = "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway"
        yield invalid(f"{path}.minDomains", constraint["minDomains"], rule)
    for field in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
        yield from supported(f"{path}.{field}", constraint.get(field), _POLICIES)
    yield from selector(f"{path}.labelSelector", constraint.get("labelSelector"))
    for i, key in enumerate(constraint.get("matchLabelKeys") or ()):
        yield from qualified_name_causes(key, f"{path}.matchLabelKeys[{i}]")
