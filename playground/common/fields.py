"""JSON kept as text, encoded and decoded by msgspec.

Manifests are read and written whole and never queried by their inside (what is
queried has a column), so text serves better than a database's JSON type: keys
keep their order, every database stores the same, and an object that was
encoded once can be stored twice (`msgspec.Raw`), in its row and in the feed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from django.db import models

_decoder = msgspec.json.Decoder()
_encoder = msgspec.json.Encoder()


class JSONTextField(models.TextField):
    """A JSON value in a text column. Assign a value, or `msgspec.Raw` where it is already encoded."""

    if TYPE_CHECKING:
        # How django-stubs is told what may be assigned and what is read.
        _pyi_private_set_type: Any
        _pyi_private_get_type: Any

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        return None if value is None else _decoder.decode(value)

    def to_python(self, value: Any) -> Any:
        return value

    def get_prep_value(self, value: Any) -> str | None:
        if value is None:
            return None
        encoded = bytes(value) if isinstance(value, msgspec.Raw) else _encoder.encode(value)
        return encoded.decode()

    def value_to_string(self, obj: models.Model) -> str:
        return self.get_prep_value(self.value_from_object(obj)) or "null"


def raw_json(value: Any) -> msgspec.Raw:
    """`value` encoded once, to be stored as often as needed."""
    return msgspec.Raw(_encoder.encode(value))
