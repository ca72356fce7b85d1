"""Selectors over labels: Kubernetes' LabelSelector and the requirements of a node selector.

A selector is compiled once into a tuple of requirements, hashable, so that
answers can be kept per selector, and two spellings of one selector are equal.
`In` and friends have three truths worth remembering: `NotIn` and
`DoesNotExist` match an object without the key, an empty selector matches
everything, an absent one nothing. `Gt` and `Lt` compare whole numbers only
and never match when either side is not one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scheduler_core.objects.model import Labels, Model


class Operator(StrEnum):
    """How a requirement compares a label."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"
    # Node selectors only.
    GT = "Gt"
    LT = "Lt"


class SelectorRequirement(Model, frozen=True, kw_only=True):
    """One line of `matchExpressions` as written."""

    key: str
    operator: Operator
    values: tuple[str, ...] = ()


class LabelSelector(Model, frozen=True, kw_only=True):
    """A label selector as written."""

    match_labels: Labels = {}
    match_expressions: tuple[SelectorRequirement, ...] = ()


_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_INT64 = range(-(2**63), 2**63)

# A label's value, and the part of its key behind the slash.
_NAME = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?", re.ASCII)
_DOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", re.ASCII)
_MAX_DOMAIN = 253


def parse_int64(text: str) -> int | None:
    """The 64-bit integer written as `text`, or None."""
    # 20 characters hold any of them; leading zeros beyond that are nobody's label.
    if len(text) > 63 or not _INTEGER.fullmatch(text):
        return None
    number = int(text)
    return number if number in _INT64 else None


def is_qualified_name(text: str) -> bool:
    """Whether it can be a label key or a resource name: an optional domain, then a name of at most 63."""
    domain, slash, name = text.rpartition("/")
    if not _NAME.fullmatch(name):
        return False
    return not slash or (len(domain) <= _MAX_DOMAIN and _DOMAIN.fullmatch(domain) is not None)


def is_label_value(text: str) -> bool:
    """Whether a label could have that value; it may be empty, but not begin with a minus."""
    return not text or _NAME.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Requirement:
    """One compiled requirement."""

    key: str
    operator: Operator
    values: frozenset[str]

    def __str__(self) -> str:
        values = ", ".join(sorted(self.values))
        match self.operator:
            case Operator.IN if len(self.values) == 1:
                return f"{self.key}={values}"
            case Operator.EXISTS:
                return f"label {self.key}"
            case Operator.DOES_NOT_EXIST:
                return f"no label {self.key}"
            case Operator.GT | Operator.LT:
                return f"{self.key} {'>' if self.operator is Operator.GT else '<'} {values}"
        return f"{self.key} {'in' if self.operator is Operator.IN else 'not in'} ({values})"

    def matches_value(self, value: str | None) -> bool:
        """Whether an object whose label `key` is `value` (None: absent) satisfies it."""
        match self.operator:
            case Operator.IN:
                return value is not None and value in self.values
            case Operator.NOT_IN:
                return value is None or value not in self.values
            case Operator.EXISTS:
                return value is not None
            case Operator.DOES_NOT_EXIST:
                return value is None
        return value is not None and self._compares(value)

    def _compares(self, value: str) -> bool:
        if len(self.values) != 1:
            return False
        actual, wanted = parse_int64(value), parse_int64(next(iter(self.values)))
        if actual is None or wanted is None:
            return False
        return actual > wanted if self.operator is Operator.GT else actual < wanted

    @property
    def is_valid(self) -> bool:
        """False for a requirement Kubernetes cannot evaluate; a term with one matches nothing."""
        if not is_qualified_name(self.key) or not all(map(is_label_value, self.values)):
            return False
        match self.operator:
            case Operator.IN | Operator.NOT_IN:
                return bool(self.values)
            case Operator.EXISTS | Operator.DOES_NOT_EXIST:
                return not self.values
        return len(self.values) == 1 and parse_int64(next(iter(self.values))) is not None


@dataclass(frozen=True, slots=True)
class Selector:
    """A compiled selector: all requirements must hold."""

    requirements: tuple[Requirement, ...]
    # True for the selector that matches nothing at all.
    nothing: bool = False
    # Selectors are keys of many tables: the hash is worked out once.
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.requirements, self.nothing)))

    def __hash__(self) -> int:
        return self._hash

    def matches(self, labels: Mapping[str, str]) -> bool:
        if self.nothing:
            return False
        return all(requirement.matches_value(labels.get(requirement.key)) for requirement in self.requirements)

    def __str__(self) -> str:
        if self.nothing:
            return "nothing"
        return " and ".join(map(str, self.requirements)) or "anything"

    @property
    def is_empty(self) -> bool:
        """True for the selector that matches everything."""
        return not self.nothing and not self.requirements

    def with_requirements(self, *more: Requirement) -> Selector:
        return Selector(_sorted((*self.requirements, *more)), self.nothing)


NOTHING = Selector((), nothing=True)
EVERYTHING = Selector(())


def requirement(key: str, operator: Operator, *values: str) -> Requirement:
    return Requirement(key, operator, frozenset(values))


def compile_selector(selector: LabelSelector | None) -> Selector:
    """The compiled form; an absent selector matches nothing, an empty one everything."""
    if selector is None:
        return NOTHING
    compiled = [requirement(key, Operator.IN, value) for key, value in selector.match_labels.items()]
    compiled += [compile_requirement(expression) for expression in selector.match_expressions]
    if not all(each.is_valid for each in compiled):
        return NOTHING
    return Selector(_sorted(tuple(compiled)))


def selector_from_map(labels: Mapping[str, str]) -> Selector:
    """The selector of a Service or a nodeSelector: every pair must be there."""
    return Selector(_sorted(tuple(requirement(key, Operator.IN, value) for key, value in labels.items())))


def compile_requirement(written: SelectorRequirement) -> Requirement:
    return Requirement(written.key, written.operator, frozenset(written.values))


def _sorted(requirements: tuple[Requirement, ...]) -> tuple[Requirement, ...]:
    distinct = dict.fromkeys(requirements)
    return tuple(sorted(distinct, key=lambda each: (each.key, each.operator, sorted(each.values))))
