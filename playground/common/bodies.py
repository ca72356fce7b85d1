"""Request bodies: read once, never more than the limit, and JSON told well when it is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any

import msgspec
from django.conf import settings
from django.http import HttpRequest
from rest_framework.parsers import BaseParser

from playground.common.errors import BadRequest, TooLarge


def too_large(limit: int) -> TooLarge:
    return TooLarge(f"the body is larger than {limit // 1024} KiB; send it in smaller parts")


def read_body(stream: HttpRequest | IO[bytes]) -> bytes:
    """The whole body. Raises TooLarge."""
    limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    body = stream.read(limit + 1)
    if len(body) > limit:
        raise too_large(limit)
    return body


def decode_json(body: bytes) -> Any:
    """Raises BadRequest with the place of the mistake."""
    try:
        return msgspec.json.decode(body)
    except RecursionError:
        raise BadRequest("the body is not JSON this server reads: it is nested too deeply") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRequest(f"the body is not JSON: {error}") from None


NUL = "\0"


def refuse_nul(value: Any, path: str = "the body") -> None:
    """Raises BadRequest for a text with a NUL in it, which PostgreSQL does not store; names where it is."""
    if isinstance(value, str):
        if NUL in value:
            raise BadRequest(f"{path}: the text has a NUL character in it; leave it out")
    elif isinstance(value, Mapping):
        for key, each in value.items():
            refuse_nul(key, f"a key of {path}")
            refuse_nul(each, str(key) if path == "the body" else f"{path}.{key}")
    elif isinstance(value, list):
        for i, each in enumerate(value):
            refuse_nul(each, f"{path}[{i}]")


class JSONBodyParser(BaseParser):
    """DRF's parser for every body, whatever its Content-Type says: scripts often say nothing."""

    media_type = "*/*"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        body = read_body(stream)
        value = decode_json(body) if body.strip() else {}
        # As JSON writes it; looked for first, as bodies can be large.
        if b"u0000" in body:
            refuse_nul(value)
        return value


@dataclass(frozen=True, slots=True)
class BodyText:
    """A body that is text."""

    text: str


class YAMLBodyParser(BaseParser):
    """DRF's parser for YAML bodies: the text, for the view to read."""

    media_type = "application/yaml"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        return BodyText(decode_text(read_body(stream)))


def decode_text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise BadRequest(f"the body is not UTF-8 text: byte {error.start}") from None
