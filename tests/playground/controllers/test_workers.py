"""With real workers: applications come to life, and a killed worker loses nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.services.running import Playground, wait_for

pytestmark = pytest.mark.services

SHARED_DATA = Path(__file__).parents[4] / "shared" / "data"


def apply(playground: Playground, cluster: str, text: str) -> None:
    answer = playground.http.post(
        f"/api/clusters/{cluster}/apply/", content=text, headers={"Content-Type": "application/yaml"}
    )
    assert answer.status_code == 200, answer.text
    assert {result["result"] for result in answer.json()["results"]} == {"created"}


def until_idle(playground: Playground, cluster: str, seconds: float = 60) -> dict[str, Any]:
    answer: httpx.Response = playground.http.post(
        f"/api/clusters/{cluster}/run-until-idle/", json={"timeout_seconds": seconds}, timeout=seconds + 10
    )
    assert answer.status_code == 200, answer.text
    summary: dict[str, Any] = answer.json()
    return summary


def phases(playground: Playground, cluster: str) -> dict[str, int]:
    answer = playground.http.get(f"/k8s/{cluster}/api/v1/pods")
    assert answer.status_code == 200, answer.text
    counts: dict[str, int] = {}
    for pod in answer.json()["items"]:
        counts[pod["status"]["phase"]] = counts.get(pod["status"]["phase"], 0) + 1
    return counts


def deployment(replicas: int) -> str:
    return f"""
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: default}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers: [{{name: web, image: "shop:1", resources: {{requests: {{cpu: 10m}}}}}}]
"""


def test_the_sample_shop_comes_to_life(playground: Playground) -> None:
    cluster = playground.create_cluster("sample-shop")
    summary = until_idle(playground, cluster)
    assert summary["idle"], summary
    counts = phases(playground, cluster)
    assert set(counts) == {"Running"}
    assert counts["Running"] >= 12


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="the real input is not here")
def test_online_boutique_comes_to_life(playground: Playground) -> None:
    cluster = playground.create_cluster("kind-1-3")
    apply(playground, cluster, (SHARED_DATA / "online-boutique.yaml").read_text())
    summary = until_idle(playground, cluster)
    assert summary["idle"], summary
    assert phases(playground, cluster) == {"Running": 12}


def test_a_killed_worker_loses_no_pod_and_makes_none_twice(own_playground: Playground) -> None:
    cluster = own_playground.create_cluster("nodes-100")
    apply(own_playground, cluster, deployment(400))
    wait_for(lambda: sum(phases(own_playground, cluster).values()) >= 50, what="the first pods")
    own_playground.kill("worker")
    own_playground.start_part("worker")
    summary = until_idle(own_playground, cluster)
    assert summary["idle"], summary
    assert phases(own_playground, cluster) == {"Running": 400}


def test_all_of_it_works_on_postgresql_too(postgresql_playground: Playground) -> None:
    cluster = postgresql_playground.create_cluster("nodes-100")
    apply(postgresql_playground, cluster, deployment(150))
    summary = until_idle(postgresql_playground, cluster)
    assert summary["idle"], summary
    assert phases(postgresql_playground, cluster) == {"Running": 150}
