"""The schemas that the front end's types are made from are those of the server as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

SCHEMAS = Path(__file__).resolve().parents[2] / "frontend" / "schema"


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("schema")
    call_command("schema", str(folder))
    return folder


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["messages.json", "openapi.json"])
def test_the_stored_schema_is_the_servers(name: str, fresh: Path) -> None:
    assert read(SCHEMAS / name) == read(fresh / name), "run ./dev schema"
