"""A page outlives whatever happens to its server, its network and its machine, and never shows stale state as live.

Each story takes the real thing away: the process is killed or stopped, its database is moved, the
network is cut, the page's clocks jump.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from tests.e2e.board import Board
from tests.services.running import Playground

# A quiet connection is believed for five seconds, an answer waited for for four.
UNTIL_NOTICED = 20_000
UNTIL_LIVE = 60_000


class Followed:
    """A cluster that is watched, in a test's words."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.board = Board(page)

    @property
    def banner(self) -> Locator:
        return self.page.get_by_test_id("not-live")

    def open(self, address: str) -> None:
        self.page.goto(address)
        self.board.expect_live()
        self.page.evaluate("window.sameDocument = true")

    def expect_not_live(self, words: str | re.Pattern[str] = "") -> None:
        expect(self.page.get_by_test_id("connection")).not_to_have_attribute("data-kind", "live", timeout=UNTIL_NOTICED)
        expect(self.banner).to_contain_text(words, timeout=UNTIL_NOTICED)
        self.expect_nothing_pretends()

    def expect_nothing_pretends(self) -> None:
        """The clock stands, and what would change the cluster cannot be pressed."""
        clock = self.page.get_by_test_id("clock").locator("time")
        shown = clock.inner_text()
        self.page.wait_for_timeout(1500)
        assert clock.inner_text() == shown
        for control in ("pause", "step"):
            expect(self.page.get_by_test_id(control)).to_be_disabled()

    def expect_alive(self) -> None:
        """Live again, in the same document, and it does what it is told."""
        expect(self.page.get_by_test_id("connection")).to_have_attribute("data-kind", "live", timeout=UNTIL_LIVE)
        expect(self.banner).to_have_count(0)
        assert self.page.evaluate("window.sameDocument")
        before = self.board.pods().count()
        self.board.template("pod-small").click()
        expect(self.board.pods()).to_have_count(before + 1, timeout=UNTIL_LIVE)


@pytest.fixture
def followed(page: Page) -> Followed:
    return Followed(page)


def test_a_killed_server_then_one_that_fails_then_one_that_works(
    followed: Followed, own_playground: Playground
) -> None:
    cluster = own_playground.create_cluster("kind-1-3")
    followed.open(f"{own_playground.address}/clusters/{cluster}")

    own_playground.kill("web")
    followed.expect_not_live("./dev up")
    expect(followed.page.get_by_test_id("live-word")).to_have_text("reconnecting")

    with database_away(own_playground):
        own_playground.start_part("web")
        expect(followed.banner).to_contain_text(re.compile(r"error 50\d"), timeout=UNTIL_LIVE)
        followed.expect_nothing_pretends()
        own_playground.kill("web")
    own_playground.start_part("web")
    followed.expect_alive()
    expect(followed.page.get_by_test_id("live-word")).to_be_empty()


@contextmanager
def database_away(playground: Playground) -> Iterator[None]:
    """The server starts and has no table: every answer is an error."""
    files = [path for path in playground.place.data.iterdir() if ".sqlite3" in path.name]
    assert files
    for path in files:
        path.rename(path.with_name(f"away-{path.name}"))
    yield
    for path in files:
        path.unlink(missing_ok=True)
        path.with_name(f"away-{path.name}").rename(path)


def test_a_server_that_hangs_is_not_live_although_its_socket_is_open(
    followed: Followed, own_playground: Playground
) -> None:
    cluster = own_playground.create_cluster("kind-1-3")
    followed.open(f"{own_playground.address}/clusters/{cluster}")
    pid = own_playground.pid("web")
    os.kill(pid, signal.SIGSTOP)
    try:
        followed.expect_not_live()
    finally:
        os.kill(pid, signal.SIGCONT)
    followed.expect_alive()


def test_a_new_version_of_the_server_says_reload_and_the_page_goes_on_meanwhile(
    followed: Followed, own_playground: Playground
) -> None:
    cluster = own_playground.create_cluster("kind-1-3")
    followed.open(f"{own_playground.address}/clusters/{cluster}")
    own_playground.place = replace(
        own_playground.place, environ={**own_playground.place.environ, "PLAYGROUND_BUILD": "a later one"}
    )
    own_playground.restart_part("web")
    outdated = followed.page.get_by_test_id("outdated")
    expect(outdated).to_contain_text("updated", timeout=UNTIL_LIVE)
    followed.expect_alive()

    outdated.get_by_role("button").click()
    followed.board.expect_live()
    expect(outdated).to_have_count(0)
    assert not followed.page.evaluate("window.sameDocument")


def test_a_reset_database_shows_the_new_cluster_or_says_that_there_is_none(
    followed: Followed, own_playground: Playground
) -> None:
    own_playground.create_cluster("kind-1-3", name="mine")
    followed.open(f"{own_playground.address}/clusters/mine")
    followed.board.template("pod-small").click()
    expect(followed.board.pods()).to_have_count(1, timeout=UNTIL_LIVE)

    reset(own_playground)
    gone = followed.page.get_by_role("main")
    expect(gone).to_contain_text("This cluster does not exist", timeout=UNTIL_LIVE)
    expect(followed.page.get_by_test_id("clock")).to_have_count(0)

    own_playground.create_cluster("three-zones", name="mine")
    followed.page.get_by_role("button", name="Try again").click()
    followed.board.expect_live()
    expect(followed.board.pods()).to_have_count(0)
    expect(followed.page.get_by_test_id("zone")).to_have_count(3)


def test_another_cluster_of_the_same_name_is_not_taken_for_the_old_one(
    followed: Followed, own_playground: Playground
) -> None:
    """Its version is further on than the page's: resuming would mix two clusters."""
    own_playground.create_cluster("kind-1-3", name="mine")
    followed.open(f"{own_playground.address}/clusters/mine")
    reset(own_playground, then=lambda: own_playground.create_cluster("three-zones", name="mine"), hidden=followed.page)
    expect(followed.page.get_by_test_id("zone")).to_have_count(3, timeout=UNTIL_LIVE)
    expect(followed.board.node("mine-control-plane")).to_have_count(0)
    followed.expect_alive()


def reset(playground: Playground, then: Callable[[], object] = lambda: None, hidden: Page | None = None) -> None:
    """The data folder's database is deleted, as somebody does who wants to begin anew."""
    for part in ("web", "scheduler", "worker"):
        playground.stop(part)
    for path in playground.place.data.iterdir():
        if ".sqlite3" in path.name:
            path.unlink()
    playground.prepare()
    if hidden:
        # The page must not look before the new cluster is there.
        hidden.context.set_offline(True)
    playground.start_parts("web", "scheduler", "worker")
    then()
    if hidden:
        hidden.context.set_offline(False)


def test_a_lost_network_is_said_and_its_return_is_noticed(
    followed: Followed, playground: Playground, context: BrowserContext
) -> None:
    cluster = playground.create_cluster("kind-1-3")
    followed.open(f"/clusters/{cluster}")
    context.set_offline(True)
    followed.expect_not_live("no network")
    context.set_offline(False)
    followed.expect_alive()


def test_a_page_that_slept_is_not_live_before_the_server_confirmed_it(
    followed: Followed, playground: Playground
) -> None:
    cluster = playground.create_cluster("kind-1-3")
    page = followed.page
    page.clock.install()
    followed.open(f"/clusters/{cluster}")
    held: list[Route] = []
    probe = f"**/api/clusters/{cluster}/"
    page.route(probe, lambda route: held.append(route))
    page.clock.fast_forward(60_000)
    expect(page.get_by_test_id("connection")).to_have_attribute("data-kind", "stale")
    expect(page.get_by_test_id("pause")).to_be_disabled()
    for route in held:
        route.continue_()
    page.unroute(probe)
    expect(page.get_by_test_id("connection")).to_have_attribute("data-kind", "live", timeout=UNTIL_LIVE)
    expect(page.get_by_test_id("pause")).to_be_enabled()
