"""Odd objects, hostile texts, browsers that keep nothing, and what changes under the hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.board import Board
from tests.services.running import Playground

pytestmark = [pytest.mark.browser, pytest.mark.services]

Open = Callable[[str], str]
Manifest = dict[str, Any]

HOSTILE = '<img src=x onerror="window.hostile = 1"><script>window.hostile = 1</script>'
LONG_NAME = ".".join(["n" * 63] * 3 + ["n" * 61])


def node(name: str, *, cpu: str = "4", taints: int = 0, labels: dict[str, str] | None = None) -> Manifest:
    amounts = {"cpu": cpu, "memory": "8Gi", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels or {}, "annotations": {"note": HOSTILE}},
        "spec": {"taints": [{"key": f"k{at}", "effect": "NoSchedule"} for at in range(taints)]},
        "status": {"capacity": amounts, "allocatable": amounts},
    }


def pod(name: str, *, cpu: str = "100m", containers: int = 1) -> Manifest:
    requests = {"resources": {"requests": {"cpu": cpu}}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "annotations": {"note": HOSTILE}},
        "spec": {"containers": [{"name": f"c{at}", "image": "app:1", **requests} for at in range(containers)]},
    }


def hostile_event() -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "hostile"},
        "involvedObject": {},
        "reason": "Hostile",
        "message": HOSTILE + "m" * 20_000,
        "type": "Warning",
    }


ODD_NODES = (
    node("plain"),
    node("nothing", cpu="0"),
    node("huge", cpu="1e9"),
    node("tainted", taints=1_000),
    node("labelled", labels={f"example.com/l{at}": f"v{at}" for at in range(200)}),
    node("constructor", labels={"constructor": "toString"}),
    node(LONG_NAME),
)
ODD_PODS = (pod("many", containers=20), pod("large", cpu="1e9"), pod("never", cpu="2e9"), pod("constructor"))


@pytest.fixture(scope="module")
def odd(playground: Playground) -> str:
    cluster = playground.create_cluster("empty")
    for manifest in (*ODD_NODES, *ODD_PODS, hostile_event()):
        where = "nodes" if manifest["kind"] == "Node" else f"namespaces/default/{manifest['kind'].lower()}s"
        answer = playground.http.post(f"/k8s/{cluster}/api/v1/{where}", json=manifest)
        assert answer.status_code == 201, answer.text
    playground.http.post(f"/api/clusters/{cluster}/run-until-idle/", json={"timeout_seconds": 30})
    return cluster


LOOKS = (
    "view=cards&group=constructor",
    "view=cards&group=__proto__&colour=utilisation:__proto__",
    "view=cells&colour=nonsense&filter=__proto__%3Dx",
    "view=heat&colour=owner&filter=is:toString",
    "view=table&filter=((*%5B",
    "pod=unknown&decision=99999",
    "node=unknown",
    "panel=events",
    "panel=nonsense&view=nonsense",
)


@pytest.mark.parametrize("look", LOOKS)
def test_no_address_breaks_a_board_of_odd_objects(page: Page, odd: str, look: str) -> None:
    page.goto(f"/clusters/{odd}?{look}")
    Board(page).expect_live()
    expect(page.get_by_test_id("board-summary")).to_contain_text("7 nodes")
    assert page.evaluate("window.hostile") is None, "a text was run"


def test_whatever_is_odd_can_be_inspected(page: Page, odd: str) -> None:
    board = Board(page)
    page.goto(f"/clusters/{odd}?view=cards")
    inspector = page.get_by_test_id("inspector")
    for manifest in ODD_NODES:
        name = manifest["metadata"]["name"]
        board.node(name).locator("[data-grip=node]").click()
        expect(inspector.get_by_role("heading", name=name, exact=True)).to_be_visible()
    board.tickets("unschedulablePods").first.click()
    page.get_by_test_id("film-open").first.click()
    expect(page.get_by_test_id("film")).to_be_visible()
    expect(board.node("tainted").get_by_text("+994 taints")).to_be_attached()
    assert page.evaluate("window.hostile") is None, "a text was run"


REFUSE = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError') }})"
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"
OLD = """localStorage.setItem('playground.preferences', JSON.stringify(
    {theme: 7, boardMode: 'gone', leftWidth: 'wide', queueHeight: -1, colourBy: {}, language: 'xx'}))"""


@pytest.mark.parametrize("storage", [REFUSE, FULL, OLD], ids=["refused", "full", "old"])
def test_a_browser_that_keeps_nothing_or_nonsense_shows_the_cluster(
    browser: Browser, playground: Playground, storage: str
) -> None:
    cluster = playground.create_cluster("kind-1-3")
    context = browser.new_context(base_url=playground.address, timezone_id="Asia/Kathmandu", locale="de-DE")
    page = context.new_page()
    page.add_init_script(storage)
    page.goto(f"/clusters/{cluster}")
    Board(page).expect_live()
    expect(page.get_by_test_id("node")).to_have_count(4)
    context.close()


def held_over_a_node(page: Page, cluster: str) -> str:
    """A template in the hand, over a worker; answers that node's name."""
    board, name = Board(page), f"{cluster}-worker2"
    board.expect_live()
    board.hold_over(board.template("pod-small"), board.node(name))
    expect(board.node(name)).to_have_attribute("data-verdict", "fits")
    return name


def test_a_node_that_is_deleted_under_the_hand_takes_no_pod(
    page: Page, playground: Playground, open_cluster: Open
) -> None:
    cluster = open_cluster("kind-1-3")
    name = held_over_a_node(page, cluster)
    # The page asks anew once it heard of it; the board stays as it is under the hand.
    with page.expect_response("**/would-fit/"):
        assert playground.http.delete(f"/k8s/{cluster}/api/v1/nodes/{name}").status_code == 200
    page.mouse.up()
    expect(page.get_by_test_id("drop-refused")).to_contain_text(f"node {name} was deleted meanwhile")
    page.keyboard.press("Escape")
    expect(Board(page).node(name)).to_have_count(0)
    assert playground.http.get(f"/k8s/{cluster}/api/v1/pods").json()["items"] == []


def test_whoever_goes_back_in_time_lets_go_of_what_is_held(page: Page, open_cluster: Open) -> None:
    held_over_a_node(page, open_cluster("kind-1-3"))
    page.keyboard.press(",")
    expect(page.get_by_test_id("rewound")).to_be_visible()
    page.mouse.up()
    expect(page.get_by_test_id("drop-question")).to_have_count(0)
    expect(page.get_by_test_id("drag-preview")).to_have_count(0)


def test_a_cluster_that_is_deleted_under_the_hand_leaves_no_question(
    page: Page, playground: Playground, open_cluster: Open
) -> None:
    cluster = open_cluster("kind-1-3")
    held_over_a_node(page, cluster)
    playground.http.delete(f"/api/clusters/{cluster}/")
    expect(page.get_by_test_id("connection")).to_have_attribute("data-kind", "gone")
    page.mouse.up()
    expect(page.get_by_test_id("drop-question")).to_have_count(0)


def test_a_fork_of_a_fork_has_its_own_past_and_no_step_before_it(page: Page, playground: Playground) -> None:
    cluster = playground.create_cluster("kind-1-3")
    for _ in range(2):
        cluster = playground.http.post(f"/api/clusters/{cluster}/fork/", json={}).json()["id"]
    page.goto(f"/clusters/{cluster}")
    Board(page).expect_live()
    page.keyboard.press(",")
    expect(page.get_by_test_id("rewound")).to_be_visible()
    expect(page.get_by_test_id("node")).to_have_count(4)
    back = page.get_by_test_id("past-back")
    # Controllers have looked at the fork by now, once or a few times.
    while back.is_enabled():
        shown = page.get_by_test_id("rewound").inner_text()
        back.click()
        expect(page.get_by_test_id("rewound")).not_to_have_text(shown, use_inner_text=True)
    expect(page.get_by_test_id("node")).to_have_count(4)
    page.get_by_test_id("return-to-live").click()
    Board(page).expect_live()
