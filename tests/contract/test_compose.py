"""docker-compose.yml says what the code understands, and Compose reads it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from playground.supervisor import stack

PROJECT = Path(__file__).resolve().parents[2]
PARTS = ("web", "scheduler", "worker")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    return yaml.safe_load((PROJECT / "docker-compose.yml").read_text())["services"]


def test_every_service_has_a_health_check(services: dict[str, Any]) -> None:
    assert [name for name, service in services.items() if not service.get("healthcheck")] == []


def test_every_variable_it_sets_is_one_that_the_code_reads(services: dict[str, Any]) -> None:
    code = "".join((PROJECT / "playground" / "config" / name).read_text() for name in ("environment.py", "settings.py"))
    named = {variable for part in PARTS for variable in services[part]["environment"]}
    assert {variable for variable in named if not re.search(rf"\b{variable}\b", code)} == set()


@pytest.mark.parametrize("part", ["scheduler", "worker"])
def test_workers_read_the_queues_that_the_embedded_ones_read(
    part: str, services: dict[str, Any], tmp_path: Path
) -> None:
    place = stack.place(data=tmp_path, port=8000, environ={"PLAYGROUND_REDIS_URL": "redis://redis/0"})
    embedded = {"scheduler": stack.scheduler_command, "worker": stack.worker_command}[part](place).argv
    composed = services[part]["command"].split()
    for option in ("--queues", "--pool"):
        assert composed[composed.index(option) + 1] == embedded[embedded.index(option) + 1]


def test_only_the_page_is_published_and_only_on_this_machine(services: dict[str, Any]) -> None:
    published = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert list(published) == ["web"]
    assert all(port.startswith("127.0.0.1:") for port in published["web"])


def test_compose_accepts_it() -> None:
    compose = shutil.which("docker-compose")
    if compose is None:
        pytest.skip("docker-compose is not installed")
    result = subprocess.run(
        [compose, "-f", "docker-compose.yml", "config"], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert set(yaml.safe_load(result.stdout)["services"]) == {*PARTS, "redis", "postgres"}
