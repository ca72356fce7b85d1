"""From a kind file and a dozen Deployments to running pods, watched in the browser and read back over REST."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Page, expect

from playground.clusters.presets.registry import SHOP
from tests.e2e.board import Board
from tests.services.running import Playground

KIND_FILE = """\
kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
name: {name}
nodes:
- role: control-plane
- role: worker
- role: worker
- role: worker
"""

# Real input that is not part of the project; its story is told where it lies beside it.
BOUTIQUE = Path(__file__).resolve().parents[3] / "shared" / "data" / "online-boutique.yaml"


def pods_of(manifests: str) -> int:
    documents = yaml.safe_load_all(manifests)
    return sum(each["spec"].get("replicas", 1) for each in documents if each and each["kind"] == "Deployment")


@pytest.mark.parametrize("application", [SHOP, BOUTIQUE], ids=["sample-shop", "online-boutique"])
def test_an_application_of_a_dozen_deployments_comes_to_run(
    page: Page, playground: Playground, application: Path
) -> None:
    if not application.exists():
        pytest.skip(f"{application} is not there")
    name = application.stem.replace("_", "-")
    page.goto("/")
    page.get_by_test_id("kind-file").fill(KIND_FILE.format(name=name))
    page.get_by_test_id("create-from-file").click()

    board = Board(page)
    expect(page.get_by_test_id("node")).to_have_count(4)
    board.expect_live()

    manifests = application.read_text(encoding="utf-8")
    answer = playground.http.post(
        f"/api/clusters/{name}/apply/", content=manifests, headers={"content-type": "application/yaml"}
    )
    assert answer.status_code == 200, answer.text
    assert {result["result"] for result in answer.json()["results"]} == {"created"}

    count = pods_of(manifests)
    assert count >= 12
    expect(board.pods(phase="running")).to_have_count(count, timeout=60_000)
    expect(board.lane("bound")).to_contain_text(str(count))
    expect(board.pods(node=board.node(f"{name}-control-plane"))).to_have_count(0)

    pods = playground.http.get(f"/k8s/{name}/api/v1/pods").json()["items"]
    assert [pod["status"]["phase"] for pod in pods] == ["Running"] * count
    assert {pod["spec"]["nodeName"] for pod in pods} == {f"{name}-worker", f"{name}-worker2", f"{name}-worker3"}
