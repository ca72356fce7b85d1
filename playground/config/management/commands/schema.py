"""Writes the schemas that the front end's types are made from: `manage.py schema frontend/schema`.

messages.json  JSON schema of the WebSocket's frames and of a whole decision report
openapi.json   OpenAPI of everything under /api/
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator

from playground.live.messages import Frame
from scheduler_core.report import CycleReport


class Command(BaseCommand):
    help = "Writes messages.json and openapi.json into a folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "messages.json", messages_schema())
        _write(folder / "openapi.json", openapi_schema())


def messages_schema() -> dict[str, Any]:
    (frame, _), components = msgspec.json.schema_components([Frame, CycleReport], ref_template="#/$defs/{name}")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"Frame": frame, **components}}


def openapi_schema() -> dict[str, Any]:
    """A view that has no schema would be missing from the types, so it is an error."""
    with GENERATOR_STATS.silence():
        schema = SchemaGenerator().get_schema(request=None, public=True)
        problems = [*GENERATOR_STATS._error_cache, *GENERATOR_STATS._warn_cache]
    if problems:
        raise CommandError("The API is not wholly described:\n" + "\n".join(sorted(problems)))
    return dict(schema)


def _write(path: Path, schema: dict[str, Any]) -> None:
    path.write_text(json.dumps(schema, indent=2, sort_keys=True) + "\n", encoding="utf-8")
