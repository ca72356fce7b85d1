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


def _field(type_: inspect.Type) -> serializers.Field[Any, Any, Any, Any]:
    match type_:
        case inspect.StructType():
            return serializer_of(type_.cls)()
        case inspect.ListType():
            return _list(type_)
        case inspect.DictType():
            return serializers.DictField(child=_field(type_.value_type))
        case inspect.LiteralType():
            return serializers.ChoiceField(choices=list(type_.values))
        case inspect.UnionType():
            return _nullable(type_)
        case inspect.Metadata():
            return _described(type_)
        case _:
            return _SCALARS.get(type(type_), serializers.JSONField)()


def _list(type_: inspect.ListType) -> serializers.Field[Any, Any, Any, Any]:
    if isinstance(type_.item_type, inspect.StructType):
        return serializer_of(type_.item_type.cls)(many=True)
    return serializers.ListField(child=_field(type_.item_type))


def _nullable(type_: inspect.UnionType) -> serializers.Field[Any, Any, Any, Any]:
    """`T | None`; a union of several types is any JSON."""
    others = [each for each in type_.types if not isinstance(each, inspect.NoneType)]
    field = _field(others[0]) if len(others) == 1 else serializers.JSONField()
    field.allow_null = True
    return field


def _described(type_: inspect.Metadata) -> serializers.Field[Any, Any, Any, Any]:
    """A column of a report: an array in memory, a list of integers in JSON."""
    is_array = (type_.extra_json_schema or {}).get("type") == "array"
    return serializers.ListField(child=serializers.IntegerField()) if is_array else _field(type_.type)
