"""The browser, and a cluster for each story.

A story that fails leaves a picture and the log of the page's console beside it (test-results/).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsers import chromium_program
from tests.services.running import Playground

# Machines that run tests are often busy.
expect.set_options(timeout=10_000)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": chromium_program()}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "viewport": {"width": 1440, "height": 900}}


@pytest.fixture(scope="session")
def base_url(playground: Playground) -> str:
    """What a relative address given to the page is relative to."""
    return playground.address


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    """A page that must not complain: an error of a script fails the story."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_default_timeout(15_000)
    # The tour comes by itself the first time only; the stories are those of people who know the page.
    page.add_init_script("localStorage.setItem('playground.tour', 'seen')")
    yield page
    assert errors == [], "errors on the page"


@pytest.fixture
def open_cluster(page: Page, playground: Playground) -> Callable[[str], str]:
    """Makes a cluster from a preset and opens it; answers its slug."""

    def open_it(preset: str) -> str:
        cluster = playground.create_cluster(preset)
        page.goto(f"/clusters/{cluster}")
        page.get_by_test_id("cluster-page").wait_for()
        return cluster

    return open_it
