"""Reads conformance files: one JSON object a line, gzipped or not; a `.json` file is one object."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec


class FileError(ValueError):
    """The file cannot be read."""


def read_cases(path: Path) -> Iterator[dict[str, Any]]:
    """The cases in order. Raises FileError."""
    try:
        content = path.read_bytes()
        text = gzip.decompress(content) if path.suffix == ".gz" else content
    except (OSError, EOFError, zlib.error) as error:
        raise FileError(f"cannot be read: {error}") from error
    lines = [text] if path.suffix == ".json" else text.splitlines()
    if not any(line.strip() for line in lines):
        raise FileError("has no cases")
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _case(number, line)


def _case(number: int, line: bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise FileError(f"line {number}: {error}") from error
