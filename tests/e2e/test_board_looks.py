"""The board grouped and coloured from its menus; a node's labels, taints and images edited where they stand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.board import Board
from tests.services.running import Playground

pytestmark = [pytest.mark.browser, pytest.mark.services]

Open = Callable[[str], str]


def choose(page: Page, menu: str, item: str) -> None:
    page.get_by_test_id(menu).click()
    page.get_by_test_id(f"menu-{item}").click()


def test_nodes_are_grouped_by_any_label_and_coloured_by_what_the_scheduler_said(
    page: Page, playground: Playground, open_cluster: Open
) -> None:
    cluster = open_cluster("kind-1-3")
    board = Board(page)
    labels = {"names": [f"{cluster}-worker"], "patch": {"metadata": {"labels": {"disk": "ssd"}}}}
    assert playground.http.post(f"/api/clusters/{cluster}/nodes/batch-patch/", json=labels).status_code == 200
    board.drag(board.template("pod-small"), board.area)
    expect(board.pods()).to_have_count(1)
    choose(page, "board-group", "group-disk")
    groups = page.get_by_test_id("zone")
    expect(groups).to_have_count(2)
    expect(groups.first.get_by_test_id("node")).to_have_attribute("data-node", f"{cluster}-worker")
    choose(page, "board-colour", "colour-filter")
    expect(board.node(f"{cluster}-control-plane")).to_contain_text("untolerated taint")
    choose(page, "board-colour", "colour-score:NodeResourcesFit")
    expect(page.get_by_test_id("board-legend")).to_contain_text("score NodeResourcesFit")
    expect(board.node(f"{cluster}-worker2")).to_contain_text("score NodeResourcesFit")
    for way in ("namespace", "owner", "priority"):
        choose(page, "board-colour", f"colour-{way}")
        expect(page.get_by_test_id("board-legend")).to_contain_text(way)


def test_labels_taints_and_images_are_edited_at_the_node(
    page: Page, playground: Playground, open_cluster: Open
) -> None:
    cluster = open_cluster("kind-1-3")
    name = f"{cluster}-worker"
    Board(page).node(name).locator("[data-grip=node]").click()
    page.get_by_test_id("images").locator("summary").click()
    for field, text, shown in (
        ("Add taint", "dedicated=gpu:NoSchedule", "node-taints"),
        ("Add label", "disk=ssd", "node-labels"),
        ("Add image", "registry.example/app:1=200Mi", "node-images"),
    ):
        entry = page.get_by_role("textbox", name=field)
        entry.fill(text)
        entry.press("Enter")
        expect(page.get_by_test_id(shown)).to_contain_text(text.removesuffix("=200Mi"))
    node = playground.http.get(f"/k8s/{cluster}/api/v1/nodes/{name}").json()
    assert node["metadata"]["labels"]["disk"] == "ssd"
    assert [taint["key"] for taint in node["spec"]["taints"]] == ["dedicated"]
    page.get_by_test_id("node-labels").get_by_role("button", name="disk").click()
    expect(page.get_by_test_id("node-labels")).not_to_contain_text("disk=ssd")
