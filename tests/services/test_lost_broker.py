"""The broker holds nothing that cannot be lost: the database knows all that is due."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.services.running import wait_for
from tests.services.supervised import Up

pytestmark = pytest.mark.services

PODS = 150

DEPLOYMENT = f"""\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: default}}
spec:
  replicas: {PODS}
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers:
      - name: web
        image: web:1
        resources: {{requests: {{cpu: 10m}}}}
"""


@pytest.fixture
def up(services_folder: Path) -> Iterator[Up]:
    up = Up(services_folder / "lost-broker")
    yield up
    up.end()


def test_a_broker_lost_amid_the_work_costs_no_pod_and_doubles_none(up: Up) -> None:
    with httpx.Client(base_url=up.wait_ready(), timeout=60) as http:
        made = http.post("/api/clusters/", json={"name": "lost", "preset": "nodes-100"})
        assert made.status_code == 201, made.text
        applied = http.post(
            "/api/clusters/lost/apply/", content=DEPLOYMENT, headers={"content-type": "application/yaml"}
        )
        assert [result["result"] for result in applied.json()["results"]] == ["created"], applied.text
        wait_for(lambda: bound(http), what="a first pod bound")

        up.parts()["valkey"].kill()

        wait_for(lambda: len(bound(http)) == PODS, seconds=90, what="every pod bound")
        assert len(pods(http)) == PODS


def pods(http: httpx.Client) -> list[dict[str, Any]]:
    return http.get("/k8s/lost/api/v1/pods").json()["items"]


def bound(http: httpx.Client) -> list[str]:
    return [pod["metadata"]["name"] for pod in pods(http) if pod["spec"].get("nodeName")]
