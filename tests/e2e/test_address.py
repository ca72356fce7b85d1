"""What a page shows stands in its address: it survives a reload, can be sent to somebody, and Back undoes a step."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect

from tests.e2e.board import Board
from tests.services.running import Playground


def test_a_selection_a_look_and_a_filter_survive_a_reload_and_reach_another_browser(
    page: Page, open_cluster: Callable[[str], str], browser: Browser, playground: Playground
) -> None:
    open_cluster("kind-1-3")
    board = Board(page)
    board.expect_live()
    board.template("pod-small").click()
    expect(board.pods(phase="running")).to_have_count(1)
    board.pods().first.click()
    name = board.pods().first.get_attribute("data-pod") or ""
    page.get_by_test_id("search").fill("is:running")
    page.keyboard.press("Enter")
    board.pods().first.click()
    expect(page).to_have_url(re.compile(r"[?&]pod=.*filter=is%3Arunning"))

    def expect_the_same(shown: Page) -> None:
        expect(shown.get_by_test_id("inspector")).to_contain_text(name)
        expect(shown.get_by_test_id("search")).to_have_value("is:running")

    page.reload()
    expect_the_same(page)

    other = browser.new_context(base_url=playground.address).new_page()
    other.add_init_script("localStorage.setItem('playground.tour', 'seen')")
    other.goto(page.url)
    expect_the_same(other)
    other.context.close()


def test_back_undoes_a_step_and_not_a_look(page: Page, open_cluster: Callable[[str], str]) -> None:
    page.goto("/")
    cluster = open_cluster("kind-1-3")
    board = Board(page)
    board.expect_live()
    board.node(f"{cluster}-worker").get_by_role("button").first.click()
    inspector = page.get_by_test_id("inspector")
    expect(inspector).to_contain_text(f"{cluster}-worker")
    board.node(f"{cluster}-worker2").get_by_role("button").first.click()
    expect(inspector).to_contain_text(f"{cluster}-worker2")
    page.get_by_test_id("search").fill("worker")

    page.go_back()
    expect(inspector.get_by_role("heading").first).to_have_text(f"{cluster}-worker")
    page.go_back()
    expect(page).to_have_url(re.compile(rf"/clusters/{cluster}$"))
    page.go_back()
    page.get_by_test_id("start-page").wait_for()
