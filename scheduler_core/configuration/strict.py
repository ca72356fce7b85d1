"""Strict decoding: a field nobody knows is an error, wherever it is.

Types are msgspec structs. All unknown fields are found first, by walking the
value along the type; then the value is converted. `null` means absent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from scheduler_core.configuration.errors import ConfigurationError, FieldProblem, unsupported
from scheduler_core.objects.quantity import Quantity

T = TypeVar("T")

# Deeper than any configuration.
MAX_DEPTH = 40


def decode_strictly(type_: type[T], value: Any, path: str = "") -> T:
    """`value` as `type_`. Raises ConfigurationError with paths below `path`."""
    value = _without_nulls(value, MAX_DEPTH)
    unknown = [
        FieldProblem("", f'unknown field "{found}"', at=f"{path}.{found}" if path else found)
        for found in _unknown_fields(type_, value, "")
    ]
    if unknown:
        raise _UnknownFields(unknown)
    try:
        return msgspec.convert(value, type_, dec_hook=_decode_quantity)
    except msgspec.ValidationError as failure:
        raise ConfigurationError([_problem(failure, value, path)]) from None


class _UnknownFields(ConfigurationError):
    """Printed as a plain list, as Kubernetes does."""

    def __init__(self, problems: list[FieldProblem]) -> None:
        super().__init__(problems)
        self.args = ("strict decoding error: " + ", ".join(str(problem) for problem in self.problems),)


def _without_nulls(value: Any, depth: int) -> Any:
    if depth == 0:
        raise ConfigurationError.because(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, Mapping):
        return {str(key): _without_nulls(inner, depth - 1) for key, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [_without_nulls(inner, depth - 1) for inner in value]
    return value


def _unknown_fields(type_: Any, value: Any, path: str) -> Iterator[str]:
    info = inspect.type_info(type_) if not isinstance(type_, inspect.Type) else type_
    if isinstance(info, inspect.UnionType):
        for each in info.types:
            yield from _unknown_fields(each, value, path)
    elif isinstance(info, inspect.StructType) and isinstance(value, Mapping):
        types = {field.encode_name: field.type for field in info.fields}
        for key, inner in value.items():
            below = f"{path}.{key}" if path else key
            if key in types:
                yield from _unknown_fields(types[key], inner, below)
            else:
                yield below
    elif isinstance(info, inspect.ListType | inspect.VarTupleType) and isinstance(value, list):
        for i, inner in enumerate(value):
            yield from _unknown_fields(info.item_type, inner, f"{path}[{i}]")


def _decode_quantity(type_: type, value: Any) -> Any:
    raise NotImplementedError(f"no {Quantity.__name__} is expected in a configuration, got {value!r} as {type_}")


_ENUM = re.compile(r"Invalid enum value '(.*)'")


def _problem(failure: msgspec.ValidationError, value: Any, path: str) -> FieldProblem:
    message, _, below = str(failure).partition(" - at `$")
    where = (path + below.rstrip("`")).removeprefix(".")
    enum = _ENUM.fullmatch(message)
    if enum and where.endswith(".operator"):
        return unsupported(where, enum.group(1), ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"))
    return FieldProblem(where, message[:1].lower() + message[1:].replace("`", ""), _hint(message, where))


def _hint(message: str, where: str) -> str:
    if message == "Expected `object`, got `str`" and re.search(r"\.(enabled|disabled)\[\d+\]$", where):
        return "write a plugin as an object: - name: NodeResourcesFit"
    return ""
