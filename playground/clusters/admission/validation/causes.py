"""Causes as Kubernetes words them, and the rules that many kinds share."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from playground.clusters.admission.metadata import label_causes, label_value_causes, name_causes, qualified_name_causes
from playground.clusters.admission.schema import shown
from playground.common.errors import Cause
from scheduler_core.objects.quantity import Quantity, quantity

Json = Mapping[str, Any]

PERCENT = re.compile(r"[0-9]{1,9}%")


def invalid(path: str, value: Any, rule: str) -> Cause:
    return Cause(path=path, message=f"Invalid value: {shown(value)}: {rule}")


def required(path: str, rule: str = "") -> Cause:
    return Cause(path=path, message="Required value" + (f": {rule}" if rule else ""), reason="FieldValueRequired")


def forbidden(path: str, rule: str) -> Cause:
    return Cause(path=path, message=f"Forbidden: {rule}", reason="FieldValueForbidden")


def duplicate(path: str, value: Any) -> Cause:
    return Cause(path=path, message=f"Duplicate value: {shown(value)}", reason="FieldValueDuplicate")


def not_found(path: str, value: Any) -> Cause:
    return Cause(path=path, message=f"Not found: {shown(value)}", reason="FieldValueNotFound")


def supported(path: str, value: Any, values: Collection[str], *, optional: bool = True) -> Iterator[Cause]:
    """`value` must be one of `values` (or absent)."""
    if value in (None, "") and optional:
        return
    if value not in values:
        listed = ", ".join(shown(each) for each in sorted(values))
        message = f"Unsupported value: {shown(value)}: supported values: {listed}"
        yield Cause(path=path, message=message, reason="FieldValueNotSupported")


def not_negative(path: str, value: int | None) -> Iterator[Cause]:
    if value is not None and value < 0:
        yield invalid(path, value, "must be greater than or equal to 0")


def positive(path: str, value: int | None) -> Iterator[Cause]:
    if value is not None and value <= 0:
        yield invalid(path, value, "must be greater than zero")


def port(path: str, value: Any, *, lowest: int = 1) -> Iterator[Cause]:
    if isinstance(value, int) and not lowest <= value <= 65535:
        yield invalid(path, value, f"must be between {lowest} and 65535, inclusive")


def label_name(path: str, value: str | None) -> Iterator[Cause]:
    """A name that must be there and be a DNS label."""
    if not value:
        yield required(path)
    else:
        yield from name_causes(value, path, label=True)


def unique(path: str, items: Iterable[tuple[int, Any]], field: str = "") -> Iterator[Cause]:
    """`items`: (index, key)."""
    seen: set[Any] = set()
    for i, key in items:
        if key in seen:
            yield duplicate(f"{path}[{i}]" + (f".{field}" if field else ""), key)
        seen.add(key)


def selector(path: str, value: Json | None) -> Iterator[Cause]:
    """A LabelSelector."""
    if value is None:
        return
    yield from label_causes(value.get("matchLabels") or {}, f"{path}.matchLabels")
    for i, each in enumerate(value.get("matchExpressions") or ()):
        yield from _selector_requirement(f"{path}.matchExpressions[{i}]", each)


def _selector_requirement(path: str, each: Json) -> Iterator[Cause]:
    operator, values = each.get("operator"), each.get("values") or ()
    yield from qualified_name_causes(each.get("key", ""), f"{path}.key")
    yield from supported(f"{path}.operator", operator, ("In", "NotIn", "Exists", "DoesNotExist"), optional=False)
    yield from values_for_operator(path, operator, values)
    for i, value in enumerate(values):
        yield from label_value_causes(value, f"{path}.values[{i}]")


def values_for_operator(path: str, operator: Any, values: Collection[Any]) -> Iterator[Cause]:
    if operator in ("In", "NotIn") and not values:
        yield required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    if operator in ("Exists", "DoesNotExist") and values:
        yield forbidden(f"{path}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")


def resource_list(path: str, resources: Json | None) -> Iterator[Cause]:
    """Names and amounts of requests, limits, capacity."""
    for name, text in (resources or {}).items():
        yield from qualified_name_causes(name, f"{path}[{name}]")
        if parsed(text).nano < 0:
            yield invalid(f"{path}[{name}]", text, "must be greater than or equal to 0")


def parsed(text: Any) -> Quantity:
    """Its shape has been checked, so it is a quantity."""
    return quantity(text)


def count_or_percent(path: str, value: Any) -> Iterator[Cause]:
    if isinstance(value, int):
        yield from not_negative(path, value)
    elif isinstance(value, str) and not PERCENT.fullmatch(value):
        yield invalid(path, value, "a valid percent string must be a numeric string followed by an ending '%'")
