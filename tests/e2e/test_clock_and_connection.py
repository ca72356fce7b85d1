"""Pause and step; and a page that outlives the server's restart."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.board import Board
from tests.services.running import Playground


def test_a_paused_cluster_schedules_one_pod_a_step(page: Page, open_cluster: Callable[[str], str]) -> None:
    open_cluster("kind-1-3")
    board = Board(page)
    page.get_by_test_id("pause").click()
    expect(page.get_by_test_id("paused")).to_be_visible()
    for wanted in (1, 2):
        board.template("pod-small").click()
        expect(board.tickets("activeQ")).to_have_count(wanted)
    expect(board.pods()).to_have_count(0)

    page.get_by_test_id("step").click()
    expect(board.pods()).to_have_count(1)
    expect(board.tickets("activeQ")).to_have_count(1)

    page.get_by_test_id("pause").click()
    expect(board.pods(phase="running")).to_have_count(2)


def test_the_page_goes_on_by_itself_when_the_server_is_back(page: Page, own_playground: Playground) -> None:
    cluster = own_playground.create_cluster("kind-1-3")
    page.goto(f"{own_playground.address}/clusters/{cluster}")
    board = Board(page)
    board.expect_live()
    page.evaluate("window.sameDocument = true")

    own_playground.kill("web")
    connection = page.get_by_test_id("connection")
    expect(connection).not_to_have_attribute("data-kind", "live")
    own_playground.start_part("web")
    board.expect_live()

    board.template("pod-small").click()
    expect(board.pods(phase="running")).to_have_count(1)
    assert page.evaluate("window.sameDocument")


def test_the_page_says_that_no_scheduler_is_there_until_one_is(page: Page, own_playground: Playground) -> None:
    cluster = own_playground.create_cluster("kind-1-3")
    page.goto(f"{own_playground.address}/clusters/{cluster}")
    board = Board(page)
    board.expect_live()
    own_playground.kill("scheduler")
    board.template("pod-small").click()
    expect(page.get_by_test_id("held-up")).to_contain_text("waiting for a scheduler", timeout=30_000)

    own_playground.start_part("scheduler")
    expect(board.pods()).to_have_count(1, timeout=30_000)
    expect(page.get_by_test_id("held-up")).to_be_empty()
