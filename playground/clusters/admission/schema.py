"""The shape of every kind, from Kubernetes' own API schema, and a strict reading of manifests by it.

The schema (Kubernetes v1.34, from the `kubernetes-validate` package) is turned
into a tree of `Shape`s, one definition at a time and only those in use. Both
the reading of manifests and strategic merge patches walk that tree: it knows
each field's type and each list's merge key.

`conform` answers a cleaned copy: fields that are null are absent, quantities
are strings. What it dislikes it reports as causes with their paths.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from playground.clusters import clock
from playground.clusters.admission.custom_shapes import CUSTOM_DEFINITIONS
from playground.common.errors import Cause
from scheduler_core.objects.quantity import quantity

KUBERNETES_VERSION = "v1.34.0"

REFERENCE = "#/$defs/"
_QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity"
_INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
_TIMES = ("io.k8s.apimachinery.pkg.apis.meta.v1.Time", "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime")
# Free-form JSON: any object (a RawExtension, managed fields) or any value.
_ANY = ("io.k8s.apimachinery.pkg.runtime.RawExtension", "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1")

# What is told of one manifest: a body of nothing but mistakes must not cost more than it did to send.
MAX_CAUSES = 100
# Of values whose inside the schema leaves open.
MAX_DEPTH = 64

_RANGES = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)}
_WORDS: Mapping[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a string",
    bool: "a boolean",
    int: "a whole number",
    float: "a number",
}
_PYTHON_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
}


@dataclass(slots=True)
class Shape:
    """What may stand at one place of a manifest."""

    # object, map, list, string, boolean, integer, number, quantity, int_or_string, time, any
    type: str
    # object: its fields, and which of them must be there.
    properties: dict[str, Shape] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    # list: of its items. map: of its values.
    items: Shape | None = None
    # list: patches merge it by this field of its items; "" where its items are themselves the keys.
    merge_key: str | None = None
    enum: tuple[Any, ...] = ()
    format: str = ""


@cache
def definitions() -> Mapping[str, Any]:
    spec = find_spec("kubernetes_validate")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("the package kubernetes-validate is not installed: its schemas say what a manifest may hold")
    folder = Path(next(iter(spec.submodule_search_locations))) / "kubernetes-json-schema"
    text = (folder / f"{KUBERNETES_VERSION}-local-strict" / "_definitions.json").read_bytes()
    return {**json.loads(text)["$defs"], **CUSTOM_DEFINITIONS}


_shapes: dict[str, Shape] = {}


def shape_of(definition: str) -> Shape:
    """The shape of a definition such as `io.k8s.api.core.v1.Pod`. Raises KeyError for an unknown one."""
    known = _shapes.get(definition)
    if known is None:
        known = _shapes[definition] = Shape(type="any")
        # Filled in after it is known, since definitions may contain themselves.
        try:
            _fill(known, definition, definitions()[definition])
        except KeyError:
            del _shapes[definition]
            raise
    return known


def _fill(shape: Shape, definition: str, schema: Mapping[str, Any]) -> None:
    if definition == _QUANTITY:
        shape.type = "quantity"
    elif definition == _INT_OR_STRING:
        shape.type = "int_or_string"
    elif definition in _TIMES:
        shape.type = "time"
    elif definition not in _ANY:
        _read(shape, schema)


def _shape(schema: Mapping[str, Any]) -> Shape:
    if "$ref" in schema:
        return shape_of(schema["$ref"].removeprefix(REFERENCE))
    shape = Shape(type="any")
    _read(shape, schema)
    return shape


def _read(shape: Shape, schema: Mapping[str, Any]) -> None:
    named = schema.get("type", "any")
    shape.type = named if isinstance(named, str) else next(name for name in named if name != "null")
    shape.enum = tuple(value for value in schema.get("enum", ()) if value is not None)
    shape.format = schema.get("format", "")
    if shape.type == "array":
        shape.type, shape.items = "list", _shape(schema["items"])
        if "merge" in schema.get("x-kubernetes-patch-strategy", "").split(","):
            shape.merge_key = schema.get("x-kubernetes-patch-merge-key", "")
    elif "properties" in schema:
        shape.required = tuple(schema.get("required", ()))
        shape.properties = {name: _shape(value) for name, value in schema["properties"].items()}
    elif shape.type == "object":
        values = schema.get("additionalProperties")
        shape.type = "map" if isinstance(values, dict) else "any"
        shape.items = _shape(values) if isinstance(values, dict) else None


class Conformer:
    """One reading of one manifest."""

    def __init__(self) -> None:
        self.causes: list[Cause] = []
        self.unknown: list[Cause] = []

    def read(self, shape: Shape, value: Any, path: str) -> Any:
        if shape.type == "object":
            return self._object(shape, value, path)
        if shape.type == "list":
            return self._list(shape, value, path)
        if shape.type == "map":
            return self._map(shape, value, path)
        return self._scalar(shape, value, path)

    def _object(self, shape: Shape, value: Any, path: str) -> Any:
        if type(value) is not dict:
            return self._wrong(path, "an object", value)
        clean: dict[str, Any] = {}
        prefix = f"{path}." if path else ""
        for name, item in value.items():
            found = shape.properties.get(name)
            if found is None:
                self._unknown(shape, prefix, name)
            elif item is not None:
                clean[name] = self.read(found, item, prefix + name)
        for name in shape.required:
            if name not in clean:
                self._tell(Cause(path=prefix + name, message="Required value", reason="FieldValueRequired"))
        return clean

    def _tell(self, cause: Cause) -> None:
        if len(self.causes) < MAX_CAUSES:
            self.causes.append(cause)

    def _unknown(self, shape: Shape, prefix: str, name: object) -> None:
        if len(self.unknown) == MAX_CAUSES:
            return
        near = difflib.get_close_matches(str(name), shape.properties, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        self.unknown.append(
            Cause(path=f"{prefix}{name}", message=f'unknown field "{prefix}{name}"{hint}', reason="FieldValueInvalid")
        )

    def _list(self, shape: Shape, value: Any, path: str) -> Any:
        if type(value) is not list:
            return self._wrong(path, "a list", value)
        assert shape.items is not None
        items = shape.items
        return [self.read(items, item, f"{path}[{i}]") for i, item in enumerate(value)]

    def _map(self, shape: Shape, value: Any, path: str) -> Any:
        if type(value) is not dict:
            return self._wrong(path, "an object", value)
        assert shape.items is not None
        clean: dict[str, Any] = {}
        for key, item in value.items():
            if type(key) is not str:
                self._wrong(f"{path}[{key}]", "a key that is a string", key)
            elif item is not None:
                clean[key] = self.read(shape.items, item, f"{path}[{key}]")
        return clean

    def _scalar(self, shape: Shape, value: Any, path: str) -> Any:
        match shape.type:
            case "any":
                if _is_deep(value):
                    self._bad(path, f"Invalid value: nested deeper than {MAX_DEPTH} levels")
                return value
            case "quantity":
                return self._quantity(value, path)
            case "int_or_string":
                return value if type(value) in (int, str) else self._wrong(path, "a whole number or a string", value)
            case "time":
                return self._time(value, path)
        if type(value) not in _PYTHON_TYPES[shape.type]:
            return self._wrong(path, _WORDS[_PYTHON_TYPES[shape.type][0]], value)
        self._check_range(shape, value, path)
        if shape.enum and value not in shape.enum:
            self._bad(path, f"Unsupported value: {shown(value)}: supported values: {_listed(shape.enum)}")
        return value

    def _check_range(self, shape: Shape, value: Any, path: str) -> None:
        lowest, highest = _RANGES.get(shape.format, (None, None))
        if lowest is not None and highest is not None and not lowest <= value <= highest:
            self._bad(path, f"Invalid value: {value}: does not fit into {shape.format}")

    def _quantity(self, value: Any, path: str) -> Any:
        if type(value) not in (str, int, float):
            return self._wrong(path, 'a quantity, such as "500m" or "1Gi"', value)
        text = value if isinstance(value, str) else _number_text(value)
        try:
            quantity(text)
        except ValueError as error:
            self._bad(path, f"Invalid value: {shown(value)}: {error}")
        return text

    def _time(self, value: Any, path: str) -> Any:
        if not isinstance(value, str):
            return self._wrong(path, "a time, such as 2026-01-31T12:00:00Z", value)
        try:
            clock.parse_timestamp(value)
        except ValueError:
            self._bad(path, f"Invalid value: {shown(value)}: expected a time such as 2026-01-31T12:00:00Z")
        return value

    def _wrong(self, path: str, expected: str, value: Any) -> Any:
        got = _WORDS.get(type(value), "null" if value is None else type(value).__name__)
        self._tell(
            Cause(
                path=path,
                message=f"expected {expected}, got {got}{_example(value)}",
                reason="FieldValueTypeInvalid",
            )
        )
        return value

    def _bad(self, path: str, message: str) -> None:
        reason = "FieldValueNotSupported" if message.startswith("Unsupported") else "FieldValueInvalid"
        self._tell(Cause(path=path, message=message, reason=reason))


def conform(definition: str, value: Any) -> tuple[Any, Sequence[Cause], Sequence[Cause]]:
    """(clean copy, what is wrong, unknown fields: left out of the copy)."""
    conformer = Conformer()
    clean = conformer.read(shape_of(definition), value, "")
    return clean, conformer.causes, conformer.unknown


def _is_deep(value: Any) -> bool:
    """Level by level, so that the depth of the value is not the depth of our own stack."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return True


def shown(value: Any) -> str:
    """A value as error messages quote it, cut short."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 100 else text[:97] + "..."


def _example(value: Any) -> str:
    return "" if value is None or isinstance(value, dict | list) else f" {shown(value)}"


def _number_text(value: float) -> str:
    return repr(value) if isinstance(value, int) or not value.is_integer() else str(int(value))


def _listed(values: Sequence[Any]) -> str:
    return ", ".join(json.dumps(value) for value in values)
