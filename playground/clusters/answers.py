"""Answers under /api/ that are structs, with their OpenAPI descriptions; bodies that are objects."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers

from playground.clusters.serializers import ErrorSerializer
from playground.common.errors import BadRequest, Cause
from playground.common.struct_schema import serializer_of

PROBLEM = OpenApiResponse(ErrorSerializer, description="What is wrong, with the fields.")


def json_answer(value: Any, status: int = 200) -> HttpResponse:
    """Any struct, or a mapping with structs in it."""
    return json_bytes(msgspec.json.encode(value), status)


def json_bytes(body: bytes, status: int = 200) -> HttpResponse:
    """What is encoded already."""
    return HttpResponse(body, status=status, content_type="application/json")


def described(struct: type[msgspec.Struct]) -> type[serializers.Serializer[Any]]:
    return serializer_of(struct)


def an_object(data: Any) -> dict[str, Any]:
    """A body that has to be a JSON object. Raises BadRequest."""
    if not isinstance(data, dict):
        message = f"expected an object, got {type(data).__name__}"
        raise BadRequest(f"the body: {message}", [Cause(path="", message=message)])
    return data
