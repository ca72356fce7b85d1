"""Pods that are dropped: bound by the scheduler, refused with a reason, bound by hand."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.board import Board
from tests.services.running import Playground


def test_a_pod_dropped_on_the_cluster_is_bound_and_runs(page: Page, open_cluster: Callable[[str], str]) -> None:
    open_cluster("kind-1-3")
    board = Board(page)
    board.drag(board.template("pod-small"), board.area)
    expect(board.pods(phase="running")).to_have_count(1)
    expect(board.lane("bound")).to_contain_text("1")


def test_a_template_works_by_keyboard_too(page: Page, open_cluster: Callable[[str], str]) -> None:
    open_cluster("kind-1-3")
    board = Board(page)
    board.template("pod-small").focus()
    page.keyboard.press("Enter")
    expect(board.pods(phase="running")).to_have_count(1)


def test_a_pod_that_fits_nowhere_waits_with_the_reason(page: Page, open_cluster: Callable[[str], str]) -> None:
    open_cluster("kind-1-3")
    board = Board(page)
    board.drag(board.template("pod-gpu"), board.area)
    ticket = board.tickets("unschedulablePods")
    expect(ticket).to_have_count(1)
    expect(ticket).to_contain_text("Insufficient")
    expect(board.pods()).to_have_count(0)


def test_while_a_pod_is_dragged_every_node_says_whether_it_fits(page: Page, open_cluster: Callable[[str], str]) -> None:
    cluster = open_cluster("kind-1-3")
    board = Board(page)
    page.get_by_test_id("pause").click()
    expect(page.get_by_test_id("paused")).to_be_visible()
    board.template("pod-small").click()
    expect(board.tickets("activeQ")).to_have_count(1)

    worker, control_plane = board.node(f"{cluster}-worker"), board.node(f"{cluster}-control-plane")
    board.hold_over(board.tickets("activeQ"), worker)
    expect(worker.get_by_test_id("node-verdict")).to_be_visible()
    expect(worker).to_have_attribute("data-verdict", "fits")
    expect(control_plane.get_by_test_id("node-verdict")).to_contain_text("untolerated taint")

    page.mouse.up()
    page.get_by_test_id("drop-by-hand").click()
    expect(board.pods(node=worker)).to_have_count(1)
    expect(board.tickets("activeQ")).to_have_count(0)


def test_binding_by_hand_to_a_node_that_does_not_fit_asks_first(
    page: Page, playground: Playground, open_cluster: Callable[[str], str]
) -> None:
    cluster = open_cluster("kind-1-3")
    board = Board(page)
    page.get_by_test_id("pause").click()
    expect(page.get_by_test_id("paused")).to_be_visible()
    create_pod(playground, cluster, cpu="64")
    expect(board.tickets("activeQ")).to_have_count(1)

    worker = board.node(f"{cluster}-worker")
    board.drag(board.tickets("activeQ"), worker)
    question = page.get_by_test_id("drop-question")
    expect(question).to_contain_text("Insufficient cpu")
    expect(question.get_by_test_id("kubelet-answer")).to_contain_text("OutOfcpu")
    question.get_by_test_id("drop-by-hand").click()
    expect(board.pods(node=worker)).to_have_count(1)
    page.get_by_test_id("pause").click()
    # The kubelet looks for itself, and refuses.
    expect(board.pods(phase="failed", node=worker)).to_have_count(1)


def create_pod(playground: Playground, cluster: str, *, cpu: str) -> None:
    container = {"name": "app", "image": "app", "resources": {"requests": {"cpu": cpu}}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "big"}, "spec": {"containers": [container]}}
    answer = playground.http.post(f"/k8s/{cluster}/api/v1/namespaces/default/pods", json=pod)
    assert answer.status_code == 201, answer.text
