"""docs/fidelity.md says what GET /api/fidelity/ answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

PAGE = Path(__file__).parents[2] / "docs" / "fidelity.md"


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture
def answer(client: Client) -> Any:
    return client.get("/api/fidelity/").json()


def section(page: str, title: str) -> list[str]:
    _, _, rest = page.partition(f"\n## {title}\n")
    return rest.partition("\n## ")[0].splitlines()


def test_the_page_names_the_version_and_the_number_of_cases(page: str, answer: Any) -> None:
    assert f"Kubernetes version: {answer['kubernetes_version']}," in page
    assert f"All {answer['cases']:,} cases are answered alike" in page


def test_the_table_has_every_comparison(page: str, answer: Any) -> None:
    rows = [line for line in section(page, "What was compared") if line.startswith("| ")][2:]
    told = [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in rows]
    assert told == [(each["name"], each["about"], f"{each['cases']:,}") for each in answer["compared"]]


def test_the_page_lists_what_is_not_modelled(page: str, answer: Any) -> None:
    told = [line.removeprefix("- ") for line in section(page, "What is not modelled") if line.startswith("- ")]
    assert told == answer["not_modelled"]
