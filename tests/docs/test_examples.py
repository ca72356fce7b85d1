"""The examples do what their stored output says, and the README names only what is there."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services.running import Playground, clean_environ

PROJECT = Path(__file__).resolve().parents[2]
FOLDER = PROJECT / "docs" / "examples"
# Numbered ones talk to a playground; others are services and packages to copy.
EXAMPLES = sorted(FOLDER.glob("[0-9]*.py"))
DOCUMENTS = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")])


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_what_is_stored_beside_it(example: Path, playground: Playground) -> None:
    command = [sys.executable, str(example), playground.address]
    result = subprocess.run(command, env=clean_environ(), capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 0, result.stderr
    assert result.stdout == example.with_suffix(".out").read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(PROJECT)))
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text) + re.findall(r'(?:src|srcset)="([^":]+)"', text)
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_the_sample_extender_answers_what_a_scheduler_asks() -> None:
    extender = runpy.run_path(str(FOLDER / "extender.py"))
    nodes = [{"metadata": {"name": "a", "labels": {"noisy": "true"}}}, {"metadata": {"name": "b"}}]
    args = {"Pod": {"metadata": {"labels": {"quiet": "true"}}}, "Nodes": {"items": nodes}}
    answer = extender["filter_nodes"](args)
    assert (answer["Nodes"]["items"], answer["FailedNodes"]) == ([nodes[1]], {"a": "node(s) were too noisy"})
    assert extender["prioritize_nodes"](args) == [{"Host": "a", "Score": 0}, {"Host": "b", "Score": 10}]
