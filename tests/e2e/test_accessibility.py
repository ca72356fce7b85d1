"""Every page and state as axe sees it, at each width and in both themes; the keyboard's way through; larger text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e import axe
from tests.e2e.board import Board
from tests.services.running import Playground

TOO_LARGE = """
apiVersion: v1
kind: Pod
metadata: {name: forecast, labels: {app: forecast}}
spec:
  containers:
  - {name: forecast, image: "forecast:1", resources: {requests: {cpu: "64", memory: 24Gi}}}
"""


class Scene(NamedTuple):
    """A cluster with something of everything."""

    slug: str
    running_pod: str
    pending_pod: str
    decision: int
    node: str


@pytest.fixture(scope="module")
def scene(playground: Playground) -> Scene:
    slug = playground.create_cluster("sample-shop")
    answer = playground.http.post(
        f"/api/clusters/{slug}/apply/", content=TOO_LARGE, headers={"content-type": "application/yaml"}
    )
    assert answer.status_code == 200, answer.text
    assert playground.http.post(f"/api/clusters/{slug}/run-until-idle/", json={}).status_code == 200
    pods = playground.http.get(f"/k8s/{slug}/api/v1/pods").json()["items"]
    running = next(pod for pod in pods if pod["spec"].get("nodeName"))
    pending = next(pod for pod in pods if pod["metadata"]["name"] == "forecast")
    name = running["metadata"]["name"]
    decisions = playground.http.get(f"/api/clusters/{slug}/decisions/?pod={name}").json()["results"]
    nodes = playground.http.get(f"/k8s/{slug}/api/v1/nodes").json()["items"]
    return Scene(
        slug=slug,
        running_pod=running["metadata"]["uid"],
        pending_pod=pending["metadata"]["uid"],
        decision=decisions[0]["sequence"],
        node=nodes[0]["metadata"]["uid"],
    )


def press(page: Page, *test_ids: str) -> None:
    for test_id in test_ids:
        page.get_by_test_id(test_id).first.click()


def show_panel(page: Page, side: str) -> None:
    """A tablet's panels are closed at first."""
    show = page.get_by_role("button", name=f"Show the {side} panel")
    if show.count():
        show.click()


def open_tab(side: str, tab: str, ready: str) -> Callable[[Page], None]:
    def do(page: Page) -> None:
        show_panel(page, side)
        press(page, f"tab-{tab}")
        page.get_by_test_id(ready).first.wait_for()

    return do


def nothing(page: Page) -> None:
    """As it is opened."""


def open_film(page: Page) -> None:
    press(page, "film-open")
    page.get_by_test_id("film").wait_for()


def open_node_menu(page: Page) -> None:
    page.get_by_role("button", name="Actions on node").first.click()
    page.get_by_role("menu").first.wait_for()


def open_menu(test_id: str) -> Callable[[Page], None]:
    def do(page: Page) -> None:
        press(page, test_id)
        page.get_by_role("menu").first.wait_for()

    return do


def open_dialog(*test_ids: str) -> Callable[[Page], None]:
    def do(page: Page) -> None:
        press(page, *test_ids)
        page.get_by_role("dialog").wait_for()

    return do


def open_shortcuts(page: Page) -> None:
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()


def search_for(page: Page) -> None:
    page.get_by_test_id("search").fill("n")
    page.get_by_role("listbox").wait_for()


def lose_the_server(page: Page) -> None:
    page.context.set_offline(True)
    page.get_by_test_id("not-live").wait_for(timeout=20_000)


def start_tour(page: Page) -> None:
    page.evaluate("localStorage.removeItem('playground.tour')")
    page.add_init_script("localStorage.removeItem('playground.tour')")
    page.reload()
    page.get_by_test_id("tour").wait_for()


def open_queue_log(page: Page) -> None:
    page.get_by_role("button", name="Moves").first.click()
    page.get_by_test_id("move-log").wait_for()


def open_timeline_table(page: Page) -> None:
    press(page, "timeline-table")
    page.get_by_role("dialog").wait_for()


def look_back(page: Page) -> None:
    """The first column of the timeline that something happened in, from there into the past."""
    page.get_by_test_id("timeline").get_by_role("slider").first.press("ArrowLeft")
    page.get_by_test_id("rewound").wait_for()


def try_weights(page: Page) -> None:
    press(page, "try-weights")
    page.get_by_test_id("tried-verdict").wait_for()


def write_plugin(page: Page) -> None:
    press(page, "tab-schedulers", "tab-plugins", "cel-examples", "menu-example-FreeCPU")
    page.get_by_test_id("cel-pod").select_option(index=1)
    page.get_by_test_id("cel-node").first.wait_for()


def write_configuration(page: Page) -> None:
    press(page, "tab-schedulers", "tab-configuration")
    page.get_by_test_id("configuration").wait_for()


def pick_all_nodes(page: Page) -> None:
    page.get_by_test_id("node").first.get_by_role("button").first.focus()
    page.keyboard.press("Control+a")
    page.get_by_test_id("picked-bar").wait_for()


def carry_a_pod(page: Page) -> None:
    """Held over the nodes by keyboard, with every verdict shown."""
    board = Board(page)
    board.template("pod-small").focus()
    board.pick_up()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("drag-announcer")).to_contain_text("Over node")


# What is looked at: the address behind the cluster's, and what is done there.
STATES: dict[str, tuple[str, Callable[[Page], None]]] = {
    "cards": ("", nothing),
    "cells": ("?view=cells", nothing),
    "heat map": ("?view=heat", nothing),
    "table": ("?view=table", nothing),
    "coloured by namespace": ("?colour=namespace", nothing),
    "filtered": ("?filter=app%3Dfrontend", nothing),
    "pod that runs": ("?pod={running_pod}", nothing),
    "pod that waits": ("?pod={pending_pod}", nothing),
    "decision": ("?pod={running_pod}&decision={decision}", nothing),
    "node": ("?node={node}", nothing),
    "film": ("?pod={running_pod}&decision={decision}", open_film),
    "weights": ("?pod={running_pod}&decision={decision}", try_weights),
    "plugin in CEL": ("", write_plugin),
    "configuration": ("", write_configuration),
    "new scheduler": ("", open_dialog("tab-schedulers", "deploy-scheduler")),
    "nodes picked": ("", pick_all_nodes),
    "pod carried": ("", carry_a_pod),
    "question where to": ("?pod={running_pod}", open_dialog("move-pod")),
    "events": ("", open_tab("right", "events", "events")),
    "editor": ("", open_tab("right", "editor", "editor")),
    "schedulers": ("", open_tab("right", "schedulers", "schedulers-panel")),
    "workloads": ("", open_tab("left", "workloads", "workloads")),
    "objects": ("", open_tab("left", "objects", "objects")),
    "palette": ("", open_tab("left", "palette", "palette")),
    "menu of clusters": ("", open_menu("cluster-switcher")),
    "menu of themes": ("", open_menu("theme")),
    "menu of a node": ("", open_node_menu),
    "settings": ("", open_dialog("open-settings")),
    "breakpoints": ("", open_dialog("open-breakpoints")),
    "add nodes": ("", open_dialog("add-nodes")),
    "shortcuts": ("", open_shortcuts),
    "search": ("", search_for),
    "queue log": ("", open_queue_log),
    "timeline as a table": ("", open_timeline_table),
    "the past": ("", look_back),
    "not live": ("?pod={running_pod}", lose_the_server),
    "tour": ("", start_tour),
}


def expect_nothing_found(page: Page) -> None:
    found = axe.findings(page)
    assert not found, f"at {page.viewport_size}:\n" + "\n".join(map(str, found))


def expect_no_sideways_scroll(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), page.viewport_size


def expect_nothing_found_in_either_theme(page: Page) -> None:
    """Light and narrow, dark and wide; nothing is caught half-way."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    expect_nothing_found(page)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.set_viewport_size({"width": 1920, "height": 1080})
    expect_nothing_found(page)
    expect_no_sideways_scroll(page)


def open_state(page: Page, scene: Scene, state: str) -> None:
    search, reach = STATES[state]
    page.goto(f"/clusters/{scene.slug}{search.format(**scene._asdict())}")
    Board(page).expect_live()
    reach(page)
    page.wait_for_timeout(200)


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_on_the_cluster_page(page: Page, scene: Scene, state: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    open_state(page, scene, state)
    expect_nothing_found_in_either_theme(page)


@pytest.fixture
def tablet(browser: Browser, playground: Playground) -> Iterator[Page]:
    context = browser.new_context(base_url=playground.address, viewport=UPRIGHT, has_touch=True, is_mobile=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(15_000)
    page.add_init_script("localStorage.setItem('playground.tour', 'seen')")
    yield page
    context.close()


UPRIGHT = {"width": 820, "height": 1180}
LYING = {"width": 1180, "height": 820}


@pytest.mark.parametrize("state", ["cards", "decision", "editor", "events", "palette", "film"])
def test_axe_finds_nothing_on_a_tablet(tablet: Page, scene: Scene, state: str) -> None:
    open_state(tablet, scene, state)
    expect_nothing_found(tablet)
    expect_no_sideways_scroll(tablet)
    tablet.set_viewport_size(LYING)  # type: ignore[arg-type]
    expect_no_sideways_scroll(tablet)


def test_on_a_tablet_panels_are_sheets_and_the_board_keeps_its_place(tablet: Page, scene: Scene) -> None:
    tablet.goto(f"/clusters/{scene.slug}")
    board = Board(tablet)
    board.expect_live()
    expect(tablet.get_by_test_id("panel-left")).to_have_count(0)
    before = board.area.bounding_box()
    board.pods().first.tap()
    sheet = tablet.get_by_test_id("panel-right")
    expect(sheet).to_be_visible()
    assert board.area.bounding_box() == before
    hide = tablet.get_by_role("button", name="Hide the right panel")
    box = hide.bounding_box()
    assert box is not None
    assert box["height"] >= 34
    assert box["width"] >= 34
    hide.tap()
    expect(sheet).to_have_count(0)


def test_axe_finds_nothing_on_the_start_page(page: Page, scene: Scene) -> None:
    page.goto("/")
    page.get_by_test_id(f"cluster-{scene.slug}").wait_for()
    expect_nothing_found_in_either_theme(page)
    page.get_by_test_id(f"cluster-{scene.slug}").get_by_role("button").click()
    page.get_by_test_id("delete-cluster").wait_for()
    expect_nothing_found_in_either_theme(page)


def test_axe_finds_nothing_where_there_is_no_such_cluster(page: Page) -> None:
    page.goto("/clusters/none-of-this-name")
    page.get_by_text("does not exist").first.wait_for()
    expect_nothing_found_in_either_theme(page)


def test_axe_finds_nothing_on_an_empty_cluster(page: Page, playground: Playground) -> None:
    page.goto(f"/clusters/{playground.create_cluster('empty')}")
    Board(page).expect_live()
    expect_nothing_found_in_either_theme(page)


# The keyboard


def focused(page: Page) -> Locator:
    return page.locator(":focus")


def test_the_focus_returns_to_where_a_dialog_or_menu_was_opened(page: Page, scene: Scene) -> None:
    page.goto(f"/clusters/{scene.slug}")
    for opener, kind in (("open-settings", "dialog"), ("theme", "menu"), ("add-nodes", "dialog")):
        page.get_by_test_id(opener).focus()
        page.keyboard.press("Enter")
        page.get_by_role(kind).first.wait_for()  # type: ignore[arg-type]
        page.keyboard.press("Escape")
        expect(page.get_by_test_id(opener)).to_be_focused()


def test_whoever_hides_a_panel_stands_on_the_button_that_shows_it(page: Page, scene: Scene) -> None:
    page.goto(f"/clusters/{scene.slug}")
    page.get_by_role("button", name="Hide the right panel").press("Enter")
    show = page.get_by_role("button", name="Show the right panel")
    expect(show).to_be_focused()
    show.press("Enter")
    expect(page.get_by_role("button", name="Hide the right panel")).to_be_focused()


def test_the_focus_is_visible_wherever_tab_leads(page: Page, scene: Scene) -> None:
    page.goto(f"/clusters/{scene.slug}")
    Board(page).expect_live()
    seen: set[str] = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        where = page.evaluate(FOCUS)
        if where is None:
            continue
        assert where["visible"], where
        seen.add(where["region"])
    assert {"BANNER", "palette", "board"} <= seen, seen


FOCUS = """
() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const style = getComputedStyle(at);
  const label = at.closest('label');
  const drawn = [style, label && getComputedStyle(label)].some(
    (each) => each && (each.outlineStyle !== 'none' && each.outlineWidth !== '0px' || each.boxShadow !== 'none'));
  const region = at.closest('header') ? 'BANNER'
    : at.closest('[data-testid]:is([data-testid=palette], [data-testid=board])')?.dataset.testid ?? 'elsewhere';
  return {visible: drawn || at.tagName === 'CANVAS', region, html: at.outerHTML.slice(0, 160)};
}
"""


def test_a_pod_is_carried_by_the_keyboard_and_each_move_is_said(page: Page, playground: Playground) -> None:
    cluster = playground.create_cluster("kind-1-3")
    page.goto(f"/clusters/{cluster}")
    board = Board(page)
    board.expect_live()
    expect(page.get_by_test_id("node")).to_have_count(4)
    said = page.get_by_test_id("drag-announcer")
    board.template("pod-small").focus()
    board.pick_up()
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text(f"node {cluster}")
    page.keyboard.press("Escape")
    expect(said).not_to_be_empty()


def tab_to(page: Page, wanted: Locator, most: int = 12) -> None:
    """Past whatever else can have the focus."""
    for _ in range(most):
        if wanted.evaluate("(element) => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    expect(wanted).to_be_focused()


def test_a_pod_is_bound_by_hand_with_the_keyboard_alone(page: Page, playground: Playground) -> None:
    cluster = playground.create_cluster("kind-1-3")
    page.goto(f"/clusters/{cluster}")
    board = Board(page)
    board.expect_live()
    expect(page.get_by_test_id("node")).to_have_count(4)
    page.keyboard.press("n")
    expect(board.template("pod-small")).to_be_focused()
    board.pick_up()
    page.keyboard.press("ArrowRight")
    said = page.get_by_test_id("drag-announcer")
    expect(said).to_contain_text(f"node {cluster}")
    expect(said).not_to_contain_text("asking")
    page.keyboard.press("Space")
    expect(page.get_by_test_id("drop-question")).to_be_focused()
    tab_to(page, page.get_by_test_id("drop-by-hand"))
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("drop-question")).to_have_count(0)
    expect(board.template("pod-small")).to_be_focused()
    expect(board.pods()).to_have_count(1)


def test_a_search_leads_to_what_the_inspector_says(page: Page, scene: Scene) -> None:
    page.goto(f"/clusters/{scene.slug}")
    Board(page).expect_live()
    page.keyboard.press("/")
    page.keyboard.type("control-plane")
    page.get_by_role("option").first.wait_for()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tabpanel", name="Inspector")).to_be_focused()
    page.keyboard.press("n")
    page.keyboard.press("i")
    expect(page.get_by_role("tabpanel", name="Inspector")).to_be_focused()


# Larger text, other colours, less motion


def test_at_200_percent_everything_can_be_reached(page: Page, scene: Scene) -> None:
    """A window of 1280 pixels at 200 % is one of 640."""
    page.set_viewport_size({"width": 640, "height": 400})
    for path in ("/", f"/clusters/{scene.slug}?pod={scene.running_pod}"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        expect_no_sideways_scroll(page)
        expect_nothing_found(page)


def test_forced_colours_leave_the_meanings_readable(page: Page, scene: Scene) -> None:
    page.emulate_media(forced_colors="active")
    page.goto(f"/clusters/{scene.slug}?pod={scene.running_pod}&decision={scene.decision}")
    Board(page).expect_live()
    expect_nothing_found(page)
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")


def test_nothing_moves_for_who_asks_for_less_motion(page: Page, playground: Playground) -> None:
    page.emulate_media(reduced_motion="reduce")
    cluster = playground.create_cluster("kind-1-3")
    page.goto(f"/clusters/{cluster}")
    board = Board(page)
    board.expect_live()
    page.evaluate(NOTE_ANIMATIONS)
    board.template("pod-small").click()
    expect(board.pods(phase="running")).to_have_count(1)
    page.get_by_test_id("film-toggle").click()
    page.get_by_test_id("film").wait_for()
    assert page.evaluate("window.moved") == []


NOTE_ANIMATIONS = """
() => {
  window.moved = [];
  const note = ({target}) => {
    for (const animation of target.getAnimations?.() ?? []) {
      const {duration} = animation.effect.getTiming();
      const frames = animation.effect.getKeyframes();
      const moves = frames.some((frame) => 'transform' in frame || 'left' in frame || 'top' in frame);
      if (moves && duration > 1) window.moved.push(`${target.className}: ${duration}`);
    }
  };
  for (const kind of ['animationstart', 'transitionstart']) document.addEventListener(kind, note, true);
}
"""


def test_nothing_jumps_while_pods_come_and_go(page: Page, playground: Playground) -> None:
    cluster = playground.create_cluster("kind-1-3")
    page.goto(f"/clusters/{cluster}")
    board = Board(page)
    board.expect_live()
    page.evaluate(MEASURE_SHIFTS)
    for _ in range(4):
        board.template("pod-small").click()
    expect(board.pods(phase="running")).to_have_count(4)
    assert page.evaluate("window.shifted") < 0.05, page.evaluate("window.shifts")
    # What a click asked the server for comes after it, on a busy machine later than the browser forgives.
    board.pods().first.click()
    page.get_by_test_id("decision").get_by_test_id("score-table").first.wait_for()
    page.evaluate("window.shifted = 0")
    page.get_by_test_id("tab-events").click()
    page.get_by_test_id("tab-inspector").click()
    assert page.evaluate("window.shifted") < 0.05, page.evaluate("window.shifts")


# The browser's own measure: what moved without somebody having pressed something just before.
MEASURE_SHIFTS = """
() => {
  window.shifted = 0;
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      window.shifted += entry.value;
      window.shifts.push([entry.value, ...entry.sources.map(({node}) => node?.outerHTML?.slice(0, 120))]);
    }
  }).observe({type: 'layout-shift'});
}
"""
