"""msgspec structs as DRF serializers, so that OpenAPI describes what is really sent.

Answers that are structs are encoded by msgspec; DRF never touches them. The
serializers made here exist for the schema only, from the same types.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import inspect
from rest_framework import serializers

_SCALARS: dict[type[inspect.Type], type[serializers.Field[Any, Any, Any, Any]]] = {
    inspect.StrType: serializers.CharField,
    inspect.IntType: serializers.IntegerField,
    inspect.FloatType: serializers.FloatField,
    inspect.BoolType: serializers.BooleanField,
}


@cache
def serializer_of(struct: type[msgspec.Struct]) -> type[serializers.Serializer[Any]]:
    """A serializer with the struct's name and fields; every field is always there in an answer."""
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    fields = {field.encode_name: _field(field.type) for field in info.fields}
    return type(f"{struct.__name__}Serializer", (serializers.Serializer,), {"__doc__": struct.__doc__, **fields})


def _field(type_: inspect.Type, **options: Any) -> serializers.Field[Any, Any, Any, Any]:
    """`options` go to the constructor: a serializer copies its fields from what they were made with."""
    match type_:
        case inspect.StructType():
            return serializer_of(type_.cls)(**options)
        case inspect.ListType():
            return _list(type_, **options)
        case inspect.DictType():
            return serializers.DictField(child=_field(type_.value_type), **options)
        case inspect.LiteralType():
            return serializers.ChoiceField(choices=list(type_.values), **options)
        case inspect.UnionType():
            return _nullable(type_)
        case inspect.Metadata():
            return _described(type_, **options)
        case _:
            return _SCALARS.get(type(type_), serializers.JSONField)(**options)


def _list(type_: inspect.ListType, **options: Any) -> serializers.Field[Any, Any, Any, Any]:
    if isinstance(type_.item_type, inspect.StructType):
        return serializer_of(type_.item_type.cls)(many=True, **options)
    return serializers.ListField(child=_field(type_.item_type), **options)


def _nullable(type_: inspect.UnionType) -> serializers.Field[Any, Any, Any, Any]:
    """`T | None`; a union of several types is any JSON."""
    others = [each for each in type_.types if not isinstance(each, inspect.NoneType)]
    return _field(others[0], allow_null=True) if len(others) == 1 else serializers.JSONField(allow_null=True)


def _described(type_: inspect.Metadata, **options: Any) -> serializers.Field[Any, Any, Any, Any]:
    """A column of a report: an array in memory, a list of integers or names in JSON."""
    schema = type_.extra_json_schema or {}
    if schema.get("type") != "array":
        return _field(type_.type, **options)
    is_text = schema.get("items", {}).get("type") == "string"
    return serializers.ListField(child=serializers.CharField() if is_text else serializers.IntegerField(), **options)
