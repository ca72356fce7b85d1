"""The first load is small: the editor, the film, the canvas and tables come when they are needed."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tests.e2e.board import Board
from tests.e2e.page_load import gzip_kilobytes, loaded

MOST_KILOBYTES = 250
# What is not needed to see a small cluster; each is the name of a chunk.
LATER = {"yaml_view", "editor_panel", "film_panel", "board_canvas", "node_table", "schedulers_panel"}


def chunks(page: Page) -> set[str]:
    """`yaml_view-DQ3x_7aB.js` -> yaml_view"""
    return {path.stem[: -len("-DQ3x_7aB")] for path in loaded(page, ".js")}


def test_the_start_page_is_small(page: Page) -> None:
    page.goto("/")
    page.get_by_test_id("start-page").wait_for()
    page.wait_for_load_state("networkidle")
    assert 0 < gzip_kilobytes(loaded(page, ".js")) < MOST_KILOBYTES
    assert not chunks(page) & LATER


def test_a_cluster_is_seen_before_the_editor_is_loaded(page: Page, open_cluster: Callable[[str], str]) -> None:
    open_cluster("kind-1-3")
    Board(page).expect_live()
    page.wait_for_load_state("networkidle")
    assert 0 < gzip_kilobytes(loaded(page, ".js")) < MOST_KILOBYTES
    assert not chunks(page) & LATER

    page.get_by_test_id("tab-editor").click()
    page.get_by_test_id("editor").wait_for()
    page.locator(".cm-editor").wait_for()
    assert {"yaml_view", "editor_panel"} <= chunks(page)
