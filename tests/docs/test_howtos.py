"""What the howtos tell people to type works as it is written: their curl commands, their YAML, their Python."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
import yaml
from django.test import Client

from playground.clusters.presets.registry import PRESETS
from playground.clusters.services.from_preset import cluster_create_from
from playground.scheduling.engine.registry import installed_registry
from scheduler_core.framework.registry import RegistryEntry
from scheduler_core.plugins.args import NoArgs
from tests.playground.builders import a_pod, created

HOWTOS = Path(__file__).resolve().parents[2] / "docs" / "howto"
FILES = {
    "scheduler.yaml": "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n",
    "objects.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: sent}\n",
}
YAML = "application/yaml"
# A fenced block with its language, or a curl command in an indented one, up to the line that ends its quotes.
BLOCK = re.compile(
    r"^ *```(?P<language>\w+)\n(?P<fenced>.*?)^ *```|^ {4,}(?P<curl>curl (?:'[^']*'|\\\n|[^'\n])+)$", re.M | re.S
)


class Sent(NamedTuple):
    method: str
    path: str
    content_type: str
    body: str


def blocks(document: Path) -> Iterator[tuple[str, str]]:
    """(language, text) of what a reader is to use, in order; "curl" is a language."""
    for found in BLOCK.finditer(document.read_text(encoding="utf-8")):
        yield (found["language"], dedent(found["fenced"])) if found["language"] else ("curl", found["curl"])


def curl(command: str) -> Sent:
    words = iter(shlex.split(command.replace("\\\n", ""), comments=True)[1:])
    method, url, content_type, body = "", "", "", ""
    for word in words:
        match word:
            case "-X":
                method = next(words)
            case "-H":
                content_type = next(words).removeprefix("Content-Type: ")
            case "-d":
                body = next(words)
            case "--data-binary":
                body = FILES[next(words).removeprefix("@")]
            case _ if word.startswith("http://"):
                url = word
    return Sent(method or ("POST" if body else "GET"), urlsplit(url).path, content_type, body)


def send(client: Client, sent: Sent) -> None:
    answer = client.generic(sent.method, sent.path, sent.body, content_type=sent.content_type or "text/plain")
    assert answer.status_code < 300, f"{sent.method} {sent.path}: {answer.content.decode()}"
    if sent.path.endswith("/apply/"):
        assert [each["error"] for each in json.loads(answer.content)["results"] if each["error"]] == []


def yaml_request(text: str) -> Sent:
    kinds = {document["kind"] for document in yaml.safe_load_all(text)}
    if kinds == {"KubeSchedulerConfiguration"}:
        return Sent("PUT", "/api/clusters/demo/profiles/", YAML, text)
    return Sent("POST", "/api/clusters/demo/apply/", YAML, text)


def plugins_in(source: str) -> dict[str, Any]:
    """The classes of a piece of Python that have a plugin's name."""
    names: dict[str, Any] = {}
    exec(source, names)
    return {each.name: each for key, each in names.items() if getattr(each, "name", None) == key}


@pytest.mark.django_db
@pytest.mark.parametrize("howto", sorted(HOWTOS.glob("*.md")), ids=lambda path: path.stem)
def test_what_a_howto_shows_works_from_top_to_bottom(
    howto: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = cluster_create_from(name="demo", preset="kind-1-3")
    created(cluster, a_pod("web"))
    for language, text in blocks(howto):
        if language == "python":
            for name, plugin in plugins_in(text).items():
                monkeypatch.setitem(installed_registry(), name, RegistryEntry(plugin, NoArgs))
        elif language == "yaml":
            send(client, yaml_request(text))
        elif language == "curl":
            send(client, curl(text))


def test_commands_and_blocks_of_the_howtos_are_found() -> None:
    found = Counter(language for howto in HOWTOS.glob("*.md") for language, _ in blocks(howto))
    assert found >= Counter(curl=12, yaml=7, python=1)


def test_the_index_names_every_howto_and_only_presets_that_exist() -> None:
    index = (HOWTOS / "README.md").read_text(encoding="utf-8")
    names = {path.name for path in HOWTOS.glob("*.md")} - {"README.md"}
    assert [name for name in sorted(names) if f"({name})" not in index] == []
    rows = [line.split("|")[2] for line in index.splitlines() if line.startswith("| ")]
    named = {preset for row in rows for preset in re.findall(r"`([\w-]+)`", row)}
    assert named
    assert named <= {preset.id for preset in PRESETS}
