"""The queue says why, the clock tells what is next, and the past is seen, played and forked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.board import Board
from tests.services.running import Playground, wait_for


@pytest.fixture
def cluster(page: Page, playground: Playground, open_cluster: Callable[[str], str]) -> str:
    """Open, live, its clock standing: what happens is what the story says."""
    slug = open_cluster("kind-1-3")
    Board(page).expect_live()
    page.get_by_test_id("pause").click()
    expect(page.get_by_test_id("paused")).to_be_visible()
    return slug


def make_pod(playground: Playground, cluster: str, name: str, cpu: str = "100m") -> None:
    container = {"name": "c", "image": "nginx", "resources": {"requests": {"cpu": cpu}}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [container]}}
    answer = playground.http.post(f"/k8s/{cluster}/api/v1/namespaces/default/pods", json=pod)
    assert answer.status_code == 201, answer.text


def make_node(playground: Playground, cluster: str, name: str, cpu: str) -> None:
    room = {"cpu": cpu, "memory": "64Gi", "pods": "110"}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": room}}
    answer = playground.http.post(f"/k8s/{cluster}/api/v1/nodes", json=node)
    assert answer.status_code == 201, answer.text


def test_a_node_wakes_a_pod_and_the_queue_says_why_and_what_is_next(
    page: Page, playground: Playground, cluster: str
) -> None:
    board = Board(page)
    make_pod(playground, cluster, "big", cpu="64")
    expect(board.tickets("activeQ")).to_have_count(1)
    expect(page.get_by_test_id("next-due")).to_contain_text("a step tries it")
    page.get_by_test_id("step").click()
    expect(board.tickets("unschedulablePods")).to_have_count(1)

    # Its backoff is not over, the clock stands.
    make_node(playground, cluster, "n7", cpu="80")
    expect(board.tickets("backoffQ").get_by_test_id("ring")).to_be_visible()
    latest = page.get_by_test_id("latest-move")
    expect(latest).to_contain_text("unschedulablePods → backoffQ")
    expect(latest).to_contain_text("node n7 added → NodeResourcesFit")
    expect(page.get_by_test_id("next-due")).to_contain_text("backoff of big in")

    page.get_by_test_id("step").click()
    expect(board.pods(node=board.node("n7"))).to_have_count(1)


def test_a_pods_life_is_drawn_and_its_attempts_open(page: Page, playground: Playground, cluster: str) -> None:
    board = Board(page)
    make_pod(playground, cluster, "big", cpu="64")
    expect(board.tickets("activeQ")).to_have_count(1)
    page.get_by_test_id("step").click()
    board.tickets("unschedulablePods").click()
    picture = page.get_by_test_id("life-picture")
    expect(picture.locator("[data-lane=unschedulablePods]").get_by_test_id("life-stay")).to_have_count(1)
    picture.get_by_test_id("life-attempt").click()
    expect(page.get_by_test_id("attempts")).to_contain_text("3 Insufficient cpu")


def test_the_past_is_read_only_and_the_present_waits_for_who_returns(
    page: Page, playground: Playground, cluster: str
) -> None:
    board = Board(page)
    for number in range(3):
        make_pod(playground, cluster, f"web-{number}")
    expect(board.tickets("activeQ")).to_have_count(3)

    scrubber = page.get_by_test_id("timeline-scrubber")
    scrubber.focus()
    scrubber.press("ArrowLeft")
    rewound = page.get_by_test_id("rewound")
    expect(rewound).to_contain_text("read only")
    for _ in range(12):
        scrubber.press("ArrowLeft")
    expect(board.tickets("activeQ")).not_to_have_count(3)
    then = board.tickets("activeQ").count()

    make_pod(playground, cluster, "later")
    page.get_by_test_id("past-forth").click()
    page.get_by_test_id("past-back").click()
    expect(board.tickets("activeQ")).to_have_count(then)
    expect(page.get_by_test_id("connection")).to_have_count(0)
    board.template("pod-small").click()
    assert len(playground.http.get(f"/k8s/{cluster}/api/v1/namespaces/default/pods").json()["items"]) == 4

    page.get_by_test_id("return-to-live").click()
    expect(rewound).to_have_count(0)
    expect(board.tickets("activeQ")).to_have_count(4)


def test_the_past_plays_up_to_the_present(page: Page, playground: Playground, cluster: str) -> None:
    board = Board(page)
    make_pod(playground, cluster, "web")
    expect(board.tickets("activeQ")).to_have_count(1)
    page.get_by_test_id("step").click()
    expect(board.pods()).to_have_count(1)

    page.get_by_test_id("timeline-scrubber").press("Home")
    expect(page.get_by_test_id("rewound")).to_be_visible()
    expect(board.area.get_by_test_id("node")).to_have_count(0)
    page.get_by_test_id("past-play").click()
    expect(board.pods()).to_have_count(1)
    expect(page.get_by_test_id("rewound")).to_contain_text("newest change")
    page.keyboard.press("l")
    expect(page.get_by_test_id("rewound")).to_have_count(0)


def test_a_drag_over_the_timeline_turns_time_back(page: Page, playground: Playground, cluster: str) -> None:
    board = Board(page)
    make_pod(playground, cluster, "web")
    expect(board.tickets("activeQ")).to_have_count(1)
    page.get_by_test_id("step").click()
    expect(board.pods()).to_have_count(1)

    box = page.get_by_test_id("timeline-track").bounding_box()
    assert box is not None
    # Below the ruler, where a click would choose a column.
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 1, box["y"] + 30, steps=5)
    page.mouse.up()
    expect(page.get_by_test_id("rewound")).to_be_visible()
    expect(board.pods()).to_have_count(0)
    expect(page.get_by_test_id("timeline-detail")).to_have_count(0)


def test_a_moment_of_the_past_becomes_a_cluster_of_its_own(page: Page, playground: Playground, cluster: str) -> None:
    board = Board(page)
    make_pod(playground, cluster, "web")
    expect(board.tickets("activeQ")).to_have_count(1)
    page.get_by_test_id("step").click()
    expect(board.pods()).to_have_count(1)

    page.get_by_test_id("timeline-scrubber").focus()
    while board.tickets("activeQ").count() == 0:
        page.keyboard.press(",")
        expect(page.get_by_test_id("rewound")).to_be_visible()
    page.get_by_test_id("fork").click()
    page.get_by_test_id("fork-name").fill(f"{cluster} before")
    page.get_by_test_id("fork-confirm").click()
    page.wait_for_url(f"**/clusters/{cluster}-before")
    board.expect_live()
    expect(page.get_by_test_id("rewound")).to_have_count(0)
    expect(board.pods()).to_have_count(0)
    expect(page.get_by_test_id("paused")).to_be_visible()
    page.get_by_test_id("step").click()
    expect(board.pods()).to_have_count(1)


def test_a_breakpoint_stops_the_clock_and_says_so(page: Page, playground: Playground, cluster: str) -> None:
    board = Board(page)
    page.get_by_test_id("open-breakpoints").click()
    dialog = page.get_by_test_id("breakpoints")
    dialog.get_by_test_id("breakpoint-on").select_option("failure")
    dialog.get_by_test_id("breakpoint-add").click()
    expect(dialog.get_by_test_id("breakpoint")).to_have_text("Pause when an attempt failsnot hit yet")
    page.keyboard.press("Escape")

    page.get_by_test_id("pause").click()
    make_pod(playground, cluster, "big", cpu="64")
    banner = page.get_by_test_id("breakpoint-hit")
    expect(banner).to_contain_text("default/big")
    expect(page.get_by_test_id("paused")).to_be_visible()
    banner.get_by_test_id("hit-film").click()
    expect(page.get_by_test_id("film")).to_be_visible()

    page.get_by_test_id("open-breakpoints").click()
    expect(dialog.get_by_test_id("breakpoint")).to_contain_text("hit 1 time")
    dialog.get_by_role("button", name="Remove breakpoint").click()
    expect(dialog.get_by_test_id("breakpoint")).to_have_count(0)
    page.keyboard.press("Escape")
    banner.get_by_test_id("hit-resume").click()
    expect(banner).to_have_count(0)
    expect(board.tickets("unschedulablePods")).to_have_count(1)


def test_the_clocks_speed_is_set_by_slider_and_by_key(page: Page, playground: Playground, cluster: str) -> None:
    page.get_by_test_id("speed").click()
    slider = page.get_by_test_id("speed-slider")
    slider.press("End")
    expect(page.get_by_test_id("speed")).to_contain_text("100")
    page.keyboard.press("Escape")
    page.get_by_test_id("board").focus()
    page.keyboard.press("<")
    expect(page.get_by_test_id("speed")).to_contain_text("50")
    wait_for(lambda: playground.http.get(f"/api/clusters/{cluster}/").json()["speed"] == 50, what="the server's speed")


def test_the_timeline_can_be_read_as_a_table_that_leads_to_a_moment(
    page: Page, playground: Playground, cluster: str
) -> None:
    make_node(playground, cluster, "n7", cpu="8")
    page.get_by_test_id("timeline-table").click()
    marks = page.get_by_test_id("timeline-marks")
    expect(marks).to_contain_text("node n7 added")
    marks.get_by_role("row").filter(has_text="node n7 added").get_by_role("button").click()
    expect(page.get_by_test_id("rewound")).to_be_visible()
    expect(Board(page).node("n7")).to_be_visible()
    page.keyboard.press(",")
    expect(Board(page).node("n7")).to_have_count(0)
