"""The browser, and a cluster for each story.

A story that fails leaves a picture beside it (test-results/). No page of any story may complain: an uncaught
error, a rejection that nobody handled, or whatever a script wrote to the console as an error, fails it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

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


@pytest.fixture(autouse=True)
def complaints(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What pages complained of, whichever window of the browser they are in."""
    told: list[str] = []
    make = browser.new_context

    def watched(**options: Any) -> BrowserContext:
        context = make(**options)
        context.on("weberror", lambda error: told.append(f"uncaught: {error.error}"))
        context.on("console", lambda message: told.extend(_complaint(message)))
        return context

    monkeypatch.setattr(browser, "new_context", watched)
    yield told
    assert told == [], "the page complained"


# The browser's own words about answers that failed; whether the page may get such answers is the story's to say.
_NETWORK = ("Failed to load resource", "WebSocket connection to")


def _complaint(message: ConsoleMessage) -> list[str]:
    return [message.text] if message.type == "error" and not message.text.startswith(_NETWORK) else []


@pytest.fixture
def page(page: Page) -> Page:
    page.set_default_timeout(15_000)
    # The tour comes by itself the first time only; the stories are those of people who know the page.
    page.add_init_script("localStorage.setItem('playground.tour', 'seen')")
    return page


@pytest.fixture(scope="session")
def left_behind() -> list[str]:
    """Clusters of stories that are over: the next one clears them away. A picture of a failure still shows them."""
    return []


@pytest.fixture
def open_cluster(page: Page, playground: Playground, left_behind: list[str]) -> Iterator[Callable[[str], str]]:
    """Makes a cluster from a preset and opens it; answers its slug. A server has room for a hundred."""
    while left_behind:
        playground.http.delete(f"/api/clusters/{left_behind.pop()}/")
    made: list[str] = []

    def open_it(preset: str) -> str:
        cluster = playground.create_cluster(preset)
        made.append(cluster)
        page.goto(f"/clusters/{cluster}")
        page.get_by_test_id("cluster-page").wait_for()
        return cluster

    yield open_it
    left_behind.extend(made)
