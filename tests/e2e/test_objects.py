"""Objects changed from the page: YAML, replicas, nodes."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.board import Board
from tests.services.running import Playground

ONE_GOOD_ONE_BAD = """\
apiVersion: v1
kind: Pod
metadata:
  name: good
spec:
  containers:
  - name: app
    image: app
---
apiVersion: v1
kind: Pod
metadata:
  name: bad
spec:
  containers:
  - name: app
    image: app
    resources:
      requests:
        cpu: 1.5.2
"""


def test_each_document_of_a_stream_gets_its_own_answer(page: Page, open_cluster: Callable[[str], str]) -> None:
    open_cluster("kind-1-3")
    page.get_by_test_id("tab-editor").click()
    page.get_by_test_id("yaml").locator(".cm-content").fill(ONE_GOOD_ONE_BAD)
    page.get_by_test_id("apply").click()

    results = page.get_by_test_id("apply-result")
    expect(results).to_have_count(2)
    expect(results.nth(0)).to_have_attribute("data-result", "created")
    expect(results.nth(1)).to_have_attribute("data-result", "error")
    expect(results.nth(1)).to_contain_text("spec.containers[0].resources.requests")
    expect(Board(page).pods(phase="running")).to_have_count(1)


def test_a_deployment_is_scaled_up_and_down(
    page: Page, playground: Playground, open_cluster: Callable[[str], str]
) -> None:
    open_cluster("sample-shop")
    board = Board(page)
    page.get_by_test_id("tab-workloads").click()
    storefront = page.locator('[data-testid="workload"][data-workload="storefront"]')
    of_storefront = page.locator('[data-pod^="storefront-"]')
    for replicas in (5, 1):
        storefront.get_by_test_id("replicas").fill(str(replicas))
        page.keyboard.press("Enter")
        expect(storefront.get_by_test_id("ready")).to_have_text(f"{replicas}/{replicas}", timeout=30_000)
        expect(board.pods(phase="running").and_(of_storefront)).to_have_count(replicas)


def test_a_cordoned_node_gets_no_pod_and_a_deleted_one_is_gone(page: Page, open_cluster: Callable[[str], str]) -> None:
    cluster = open_cluster("kind-1-3")
    board = Board(page)
    for worker in ("worker", "worker2"):
        choose(board, f"{cluster}-{worker}", "cordon")
        expect(board.node(f"{cluster}-{worker}")).to_have_attribute("data-cordoned", "true")
    board.template("pod-small").click()
    expect(board.pods(node=board.node(f"{cluster}-worker3"))).to_have_count(1)

    choose(board, f"{cluster}-worker", "delete")
    page.get_by_test_id("touch-form-confirm").click()
    expect(board.node(f"{cluster}-worker")).to_have_count(0)
    expect(page.get_by_test_id("node")).to_have_count(3)


def choose(board: Board, node: str, item: str) -> None:
    card = board.node(node)
    card.get_by_test_id("node-menu").click()
    # Of this node's menu: another's may still be closing.
    card.get_by_test_id(f"menu-{item}").click()
