"""What may stand in a manifest, told compactly: for editors that complete and explain.

The strict schema itself is a megabyte and more. An outline has of one kind the
definitions it reaches, and of each field its type, the values it is known to
take, and the first sentence of Kubernetes' own description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from playground.clusters.admission.choices import CHOICES
from playground.clusters.admission.schema import REFERENCE, definitions

# Longer first sentences are cut.
MAX_DOC = 240

_SENTENCE_END = re.compile(r"(?<!e\.g)(?<!i\.e)[.:](\s|$)|\n")
# Endings of definitions that are written as one word.
_SCALARS: Mapping[str, str] = {
    ".resource.Quantity": "quantity",
    ".intstr.IntOrString": "int_or_string",
    ".v1.Time": "time",
    ".v1.MicroTime": "time",
}


class OutlineField(msgspec.Struct, kw_only=True):
    """One field of an object."""

    # object, list, map, string, integer, number, boolean, quantity, int_or_string, time, any
    type: str
    # What an object is, or what a list or a map has in it: a definition of the outline, or one of the types above.
    of: str = ""
    # Where `of` is the beginning of a definition's name only: the field beside this one whose value is the rest.
    by: str = ""
    required: bool = False
    # What it is for, in a sentence.
    doc: str = ""
    # Those that are known (of a map: keys), the default first; there may be others.
    values: list[str] = []


class Outline(msgspec.Struct, kw_only=True):
    """The definitions that one kind of document reaches."""

    api_version: str
    kind: str
    # Where to begin in `definitions`.
    root: str
    # Name of a definition -> its fields.
    definitions: dict[str, dict[str, OutlineField]]


@cache
def object_outline(definition: str, api_version: str, kind: str) -> Outline:
    """The outline of a kind's definition, such as io.k8s.api.core.v1.Pod. Raises KeyError for an unknown one."""
    reached: dict[str, dict[str, OutlineField]] = {}
    waiting = [(definition, definitions()[definition])]
    while waiting:
        name, schema = waiting.pop()
        if name not in reached:
            fields = {key: _Reading(name, key, value) for key, value in schema.get("properties", {}).items()}
            required = frozenset(schema.get("required", ()))
            reached[name] = {key: field.outlined(key in required) for key, field in fields.items()}
            waiting += [each for field in fields.values() for each in field.below()]
    return Outline(api_version=api_version, kind=kind, root=definition, definitions=reached)


class _Reading:
    """One field of a definition as the schema has it."""

    def __init__(self, definition: str, name: str, schema: Mapping[str, Any]) -> None:
        self.definition = definition
        self.name = name
        self.schema = schema
        self.type = _type_of(schema)
        # What is inside: of an object itself, of a list its items, of a map its values.
        self.inner = _inner(schema, self.type)

    def outlined(self, required: bool) -> OutlineField:
        return OutlineField(
            type=self.type,
            of="" if self.inner is None else self._inner_name(self.inner),
            required=required,
            doc=first_sentence(self.schema.get("description", "")),
            values=list(CHOICES.get(self.definition, {}).get(self.name, ()) or _enum(self.schema)),
        )

    def below(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The definition inside, if there is one."""
        if self.inner is not None and _type_of(self.inner) == "object":
            name = self._inner_name(self.inner)
            yield name, definitions().get(name, self.inner)

    def _inner_name(self, inner: Mapping[str, Any]) -> str:
        if _type_of(inner) != "object":
            return _type_of(inner)
        reference = inner.get("$ref")
        # An object that is written out where it stands is named by its place.
        return reference.removeprefix(REFERENCE) if reference else f"{self.definition}.{self.name}"


def _type_of(schema: Mapping[str, Any]) -> str:
    reference = schema.get("$ref")
    if reference:
        name = reference.removeprefix(REFERENCE)
        scalar = next((type_ for ending, type_ in _SCALARS.items() if name.endswith(ending)), None)
        return scalar or _type_of(definitions()[name])
    named = schema.get("type", "any")
    type_ = named if isinstance(named, str) else next(name for name in named if name != "null")
    if type_ == "array":
        return "list"
    if type_ != "object" or "properties" in schema:
        return str(type_)
    return "map" if isinstance(schema.get("additionalProperties"), dict) else "any"


def _inner(schema: Mapping[str, Any], type_: str) -> Mapping[str, Any] | None:
    if type_ == "object":
        return schema
    if type_ not in ("list", "map"):
        return None
    if "$ref" in schema:
        schema = definitions()[schema["$ref"].removeprefix(REFERENCE)]
    inner: Mapping[str, Any] = schema["items" if type_ == "list" else "additionalProperties"]
    return inner


def _enum(schema: Mapping[str, Any]) -> list[str]:
    return [value for value in schema.get("enum", ()) if isinstance(value, str)]


def first_sentence(text: str) -> str:
    end = _SENTENCE_END.search(text)
    sentence = text if end is None else text[: end.start()]
    return sentence if len(sentence) <= MAX_DOC else f"{sentence[: MAX_DOC - 1]}…"
