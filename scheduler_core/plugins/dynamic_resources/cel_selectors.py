"""CEL expressions over a device, evaluated by the CEL library.

An expression sees `device.driver`, `device.attributes[domain].name` and
`device.capacity[domain].name`. Kubernetes adds two kinds of values the library
does not know: quantities and semantic versions. Here they are maps, `{"nano":
...}` and `{"major": ...}`, with the functions of Kubernetes over maps; equal
values are equal maps. A domain no attribute is in reads as an empty map, so the
domains an expression names are put there beforehand.

What an expression may cost is bounded by its text (`framework.cel_bounds`), and
what its texts may grow to by functions of our own (`framework.cel_texts`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from cel_expr_python import cel  # type: ignore[import-untyped]
from cel_expr_python.ext import (  # type: ignore[import-untyped]
    ext_bindings,
    ext_optional,
)

from scheduler_core.framework.cel_bounds import TooCostly, check_cost
from scheduler_core.framework.cel_texts import text_functions
from scheduler_core.objects.quantity import NANO, Quantity, quantity
from scheduler_core.objects.resource_claims import Device, DeviceAttribute

MAX_EXPRESSION_LENGTH = 10 * 1024

_STRING_LITERAL = re.compile(r'"([^"\\]*)"|\'([^\'\\]*)\'')
_SEMVER = re.compile(
    r"(?P<major>0|[1-9]\d*)\.(?P<minor>0|[1-9]\d*)\.(?P<patch>0|[1-9]\d*)"
    r"(?:-(?P<pre>[0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?",
    re.ASCII,
)

CelValue = Mapping[str, Any]

# What the library raises for a spent budget, and for a value it cannot take in or hand out.
_EVALUATION_FAILURES = (RuntimeError, TypeError, ValueError, OverflowError, MemoryError)


class CelError(Exception):
    """An expression that cannot be compiled or evaluated; the text names it."""


class DeviceSelector:
    """One compiled expression."""

    def __init__(self, expression: str) -> None:
        self.expression = expression
        if len(expression) > MAX_EXPRESSION_LENGTH:
            raise CelError(f"CEL expression is longer than {MAX_EXPRESSION_LENGTH} characters")
        try:
            check_cost(expression)
            self._program = _environment().compile(expression)
        except (RuntimeError, TooCostly) as failure:
            raise CelError(f"CEL compile error: {failure}") from failure
        if self._program.return_type() not in (cel.Type.BOOL, cel.Type.DYN):
            raise CelError(f"CEL expression must be a boolean, it is {self._program.return_type().name()}")
        self._literals = {one or other for one, other in _STRING_LITERAL.findall(expression)}

    def matches(self, driver: str, device: Device) -> bool:
        """Raises CelError where the expression fails for this device, say on an attribute it lacks."""
        try:
            answer = self._program.eval(data={"device": _as_cel(driver, device, self._literals)})
        except _EVALUATION_FAILURES as failure:
            raise CelError(f"CEL runtime error: {failure}") from failure
        if answer.type() == cel.Type.ERROR:
            raise CelError(f"CEL runtime error: {answer.value()}")
        value = answer.value()
        if not isinstance(value, bool):
            raise CelError(f"CEL expression must be a boolean, it is {value!r}")
        return value


@lru_cache(maxsize=1024)
def device_selector(expression: str) -> DeviceSelector:
    """The compiled expression. Raises CelError."""
    return DeviceSelector(expression)


def _as_cel(driver: str, device: Device, domains: set[str]) -> dict[str, Any]:
    attributes: dict[str, dict[str, Any]] = {domain: {} for domain in domains}
    for name, attribute in device.attributes.items():
        domain, identifier = qualified(name, driver)
        attributes.setdefault(domain, {})[identifier] = _attribute(attribute)
    capacity: dict[str, dict[str, Any]] = {domain: {} for domain in domains}
    for name, amount in device.capacity.items():
        domain, identifier = qualified(name, driver)
        capacity.setdefault(domain, {})[identifier] = _quantity(amount.value)
    return {"driver": driver, "attributes": attributes, "capacity": capacity}


def qualified(name: str, driver: str) -> tuple[str, str]:
    """Domain and identifier; a name without a domain is in the driver's."""
    domain, slash, identifier = name.rpartition("/")
    return (domain, identifier) if slash else (driver, name)


def _attribute(attribute: DeviceAttribute) -> Any:
    if attribute.version is not None:
        return _semver(attribute.version)
    for value in (attribute.string, attribute.int_value, attribute.bool_value):
        if value is not None:
            return value
    return None


# --- quantities ---


def _quantity(parsed: Quantity) -> CelValue:
    # As text: nano-units of large amounts are beyond CEL's integers.
    return {"nano": str(parsed.nano)}


def _parse_quantity(text: str) -> CelValue:
    return _quantity(quantity(text))


def _is_quantity(text: str) -> bool:
    try:
        quantity(text)
    except ValueError:
        return False
    return True


def _nano(value: CelValue) -> int:
    return int(value["nano"])


def _sum(one: CelValue, other: CelValue | int, sign: int = 1) -> CelValue:
    more = other * NANO if isinstance(other, int) else _nano(other)
    return {"nano": str(_nano(one) + sign * more)}


def _as_integer(value: CelValue) -> int:
    whole, rest = divmod(_nano(value), NANO)
    if rest:
        raise ValueError("the quantity is not an integer")
    return whole


# --- versions ---


def _semver(text: str) -> CelValue:
    match = _SEMVER.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a semantic version")
    numbers = {part: int(match[part]) for part in ("major", "minor", "patch")}
    return {**numbers, "pre": match["pre"] or ""}


def _version_key(value: CelValue) -> tuple[Any, ...]:
    # A release follows its pre-releases; numeric identifiers precede the others.
    identifiers = value["pre"].split(".") if value["pre"] else []
    ordered = tuple((0, int(each), "") if each.isdigit() else (1, 0, each) for each in identifiers)
    return (value["major"], value["minor"], value["patch"], not identifiers, ordered)


def _order(value: CelValue) -> Any:
    return _nano(value) if "nano" in value else _version_key(value)


def _compare(one: CelValue, other: CelValue) -> int:
    left, right = _order(one), _order(other)
    return int(left > right) - int(left < right)


@lru_cache(maxsize=1)
def _environment() -> cel.Env:
    kind = cel.Type
    functions = [
        _function("quantity", _parse_quantity, kind.MAP, kind.STRING, member=False),
        _function("isQuantity", _is_quantity, kind.BOOL, kind.STRING, member=False),
        _function("semver", _semver, kind.MAP, kind.STRING, member=False),
        _function("isSemver", lambda text: _SEMVER.fullmatch(text) is not None, kind.BOOL, kind.STRING, member=False),
        _function("compareTo", _compare, kind.INT, kind.MAP, kind.MAP),
        _function("isGreaterThan", lambda one, other: _compare(one, other) > 0, kind.BOOL, kind.MAP, kind.MAP),
        _function("isLessThan", lambda one, other: _compare(one, other) < 0, kind.BOOL, kind.MAP, kind.MAP),
        _function("sign", lambda one: (_nano(one) > 0) - (_nano(one) < 0), kind.INT, kind.MAP),
        _function("isInteger", lambda one: _nano(one) % NANO == 0, kind.BOOL, kind.MAP),
        _function("asInteger", _as_integer, kind.INT, kind.MAP),
        _function("asApproximateFloat", lambda one: _nano(one) / NANO, kind.DOUBLE, kind.MAP),
        _sums("add", 1),
        _sums("sub", -1),
        _function("major", lambda one: one["major"], kind.INT, kind.MAP),
        _function("minor", lambda one: one["minor"], kind.INT, kind.MAP),
        _function("patch", lambda one: one["patch"], kind.INT, kind.MAP),
    ]
    return cel.NewEnv(
        variables={"device": kind.Map(kind.STRING, kind.DYN)},
        functions=[*functions, *text_functions("device")],
        extensions=[ext_bindings.ExtBindings(), ext_optional.ExtOptional()],
    )


def _function(
    name: str, implementation: Callable[..., Any], returns: Any, *parameters: Any, member: bool = True
) -> cel.FunctionDecl:
    overload = cel.Overload(f"device_{name}", returns, list(parameters), member, implementation)
    return cel.FunctionDecl(name, [overload])


def _sums(name: str, sign: int) -> cel.FunctionDecl:
    kind = cel.Type
    overloads = [
        cel.Overload(f"device_{name}_{suffix}", kind.MAP, [kind.MAP, other], True, lambda a, b: _sum(a, b, sign))
        for suffix, other in (("quantity", kind.MAP), ("int", kind.INT))
    ]
    return cel.FunctionDecl(name, overloads)
