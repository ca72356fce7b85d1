"""Why a pod is where it is, or is nowhere, in the inspector."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.board import Board
from tests.services.running import Playground


def test_a_bound_pod_shows_scores_and_what_won(
    page: Page, playground: Playground, open_cluster: Callable[[str], str]
) -> None:
    cluster = open_cluster("kind-1-3")
    board = Board(page)
    board.template("pod-small").click()
    board.pods(phase="running").click()

    inspector = page.get_by_test_id("inspector")
    chosen = inspector.locator('[data-testid="total"][data-chosen="true"]')
    expect(chosen).to_have_count(1)
    # The table says what the API says, and its arithmetic is right.
    decision = playground.http.get(f"/api/clusters/{cluster}/decisions/").json()["results"][0]
    score = playground.http.get(f"/api/clusters/{cluster}/decisions/{decision['sequence']}/").json()["score"]
    expect(chosen).to_have_text(str(max(score["totals"])))
    assert score["totals"] == [
        sum(column) for column in zip(*(each["weighted"] for each in score["plugins"]), strict=True)
    ]
    assert decision["node"] == score["chosen"]


def test_a_rejected_pod_shows_the_schedulers_own_message_and_each_nodes_reason(
    page: Page, open_cluster: Callable[[str], str]
) -> None:
    cluster = open_cluster("kind-1-3")
    board = Board(page)
    board.template("pod-gpu").click()
    board.tickets("unschedulablePods").click()

    inspector = page.get_by_test_id("inspector")
    expect(inspector.get_by_test_id("message")).to_contain_text(
        "0/4 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, "
        "3 Insufficient nvidia.com/gpu."
    )
    groups = inspector.get_by_test_id("filter-group")
    expect(groups.filter(has_text="Insufficient nvidia.com/gpu")).to_contain_text(f"{cluster}-worker2")
    expect(groups.filter(has_text="untolerated taint")).to_contain_text(f"{cluster}-control-plane")


def test_a_node_that_has_what_is_missing_brings_the_pod_back(page: Page, open_cluster: Callable[[str], str]) -> None:
    open_cluster("kind-1-3")
    board = Board(page)
    board.template("pod-gpu").click()
    expect(board.tickets("unschedulablePods")).to_have_count(1)
    board.template("node-gpu").click()
    expect(board.pods(phase="running")).to_have_count(1)
    expect(board.tickets("unschedulablePods")).to_have_count(0)
