"""What is done by hand: each kind of drag, by mouse and by keyboard, several at once, nodes in trouble, undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.board import Board
from tests.services.running import Playground

Open = Callable[[str], str]

ZONE = "topology.kubernetes.io/zone"


@pytest.fixture
def board(page: Page) -> Board:
    return Board(page)


class Cluster:
    """The cluster behind the page, asked over REST."""

    def __init__(self, playground: Playground, name: str) -> None:
        self.http = playground.http
        self.name = name

    def node(self, name: str) -> Any:
        return self.http.get(f"/k8s/{self.name}/api/v1/nodes/{name}").json()

    def nodes(self) -> list[str]:
        items = self.http.get(f"/k8s/{self.name}/api/v1/nodes").json()["items"]
        return [item["metadata"]["name"] for item in items]

    def pods(self) -> list[Any]:
        return list(self.http.get(f"/k8s/{self.name}/api/v1/pods").json()["items"])

    def apply(self, manifests: str) -> None:
        answer = self.http.post(
            f"/api/clusters/{self.name}/apply/", content=manifests, headers={"content-type": "application/yaml"}
        )
        assert answer.status_code == 200, answer.text
        assert all(result["result"] == "created" for result in answer.json()["results"]), answer.text


def pod(name: str, cpu: str = "100m", **metadata: Any) -> str:
    labels = metadata.get("labels", f"{{app: {name}}}")
    return f"""\
---
apiVersion: v1
kind: Pod
metadata: {{name: {name}, labels: {labels}}}
spec:
  containers:
  - name: app
    image: app
    resources: {{requests: {{cpu: "{cpu}"}}}}
"""


def pause(page: Page) -> None:
    page.get_by_test_id("pause").click()
    expect(page.get_by_test_id("paused")).to_be_visible()


def zone(page: Page, name: str) -> Locator:
    return page.locator(f'[data-testid="zone"][data-group="{name}"]')


def drag_to(board: Board, what: Locator, target: Locator) -> None:
    """By hand with a rest over the target, so that the scheduler's answer is there."""
    board.hold_over(what, target)
    expect(target).to_have_attribute("data-over", "true")
    expect(target.get_by_test_id("node-verdict")).not_to_contain_text("asking")
    board.page.mouse.up()


def test_a_pending_pod_dropped_on_a_node_asks_how_and_remembers(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    pause(page)
    cluster.apply(pod("web") + pod("db"))
    expect(board.tickets("activeQ")).to_have_count(2)
    worker = board.node(f"{cluster.name}-worker")

    drag_to(board, board.tickets("activeQ").filter(has_text="web"), worker)
    question = page.get_by_test_id("drop-question")
    expect(question).to_have_attribute("data-at-node", f"{cluster.name}-worker")
    question.get_by_role("checkbox").check()
    question.get_by_test_id("drop-by-hand").click()
    expect(board.pods(node=worker)).to_have_count(1)
    expect(page.get_by_test_id("outcome")).to_contain_text("web bound to")

    # What was remembered is asked no more.
    drag_to(board, board.tickets("activeQ").filter(has_text="db"), worker)
    expect(board.pods(node=worker)).to_have_count(2)
    expect(page.get_by_test_id("drop-way")).to_have_value("hand")


def test_a_binding_by_hand_is_undone_by_the_pod_waiting_again(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    pause(page)
    cluster.apply(pod("web"))
    page.get_by_test_id("drop-way").select_option("hand")
    drag_to(board, board.tickets("activeQ"), board.node(f"{cluster.name}-worker"))
    expect(board.pods()).to_have_count(1)
    page.keyboard.press("Control+z")
    expect(board.tickets("activeQ")).to_have_count(1)
    expect(board.pods()).to_have_count(0)
    page.keyboard.press("Control+Shift+z")
    expect(board.pods()).to_have_count(1)


def test_a_template_dropped_with_alt_gets_node_affinity(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    worker = board.node(f"{cluster.name}-worker2")
    board.hold_over(board.template("pod-small"), worker)
    expect(worker).to_have_attribute("data-verdict", "fits")
    page.keyboard.down("Alt")
    page.mouse.up()
    page.keyboard.up("Alt")
    expect(board.pods(phase="running", node=worker)).to_have_count(1)
    (made,) = cluster.pods()
    required = made["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert required["nodeSelectorTerms"][0]["matchFields"][0]["values"] == [f"{cluster.name}-worker2"]


def test_a_drop_where_it_does_not_fit_says_why_at_the_node_and_what_would_have_to_change(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    pause(page)
    cluster.apply(pod("big", cpu="64"))
    worker = board.node(f"{cluster.name}-worker")
    drag_to(board, board.tickets("activeQ"), worker)
    question = page.get_by_test_id("drop-question")
    expect(question).to_contain_text("Insufficient cpu")
    expect(question).to_contain_text("would have to")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(board.pods()).to_have_count(0)


def test_escape_ends_a_drag_and_changes_nothing(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    board.hold_over(board.template("pod-small"), board.node(f"{cluster.name}-worker"))
    expect(page.get_by_test_id("drag-preview")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("drag-preview")).to_have_count(0)
    page.mouse.up()
    expect(page.get_by_test_id("drag-announcer")).to_have_text("Dropped nowhere; nothing was changed.")
    assert cluster.pods() == []


def test_a_running_pod_is_moved_and_moved_back(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    cluster.apply(pod("web"))
    expect(board.pods(phase="running")).to_have_count(1)
    (before,) = cluster.pods()
    home = before["spec"]["nodeName"]
    other = next(name for name in cluster.nodes() if "worker" in name and name != home)
    drag_to(board, board.pods(phase="running"), board.node(other))
    expect(board.pods(phase="running", node=board.node(other))).to_have_count(1)
    expect(board.pods(node=board.node(home))).to_have_count(0, timeout=60_000)
    page.get_by_test_id("outcome-undo").click()
    expect(board.pods(phase="running", node=board.node(home))).to_have_count(1)
    expect(board.pods(node=board.node(other))).to_have_count(0)


def test_a_pod_that_a_budget_protects_stays_and_the_node_says_why(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    cluster.apply(
        pod("web")
        + """\
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: keep-web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
"""
    )
    expect(board.pods(phase="running")).to_have_count(1)
    home = cluster.pods()[0]["spec"]["nodeName"]
    other = next(name for name in cluster.nodes() if "worker" in name and name != home)
    drag_to(board, board.pods(phase="running"), board.node(other))
    refused = page.get_by_test_id("drop-refused")
    expect(refused).to_have_attribute("data-at-node", other)
    expect(refused).to_contain_text("disruption budget")
    assert cluster.pods()[0]["spec"]["nodeName"] == home


def test_a_pod_of_a_deployment_says_before_the_drop_what_its_controller_does(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    cluster.apply(
        """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec: {containers: [{name: app, image: app}]}
"""
    )
    expect(board.pods(phase="running")).to_have_count(1)
    home = cluster.pods()[0]["spec"]["nodeName"]
    other = next(name for name in cluster.nodes() if "worker" in name and name != home)
    board.hold_over(board.pods(phase="running"), board.node(other))
    expect(page.get_by_test_id("drag-preview")).to_contain_text("makes a replacement of its own")
    page.keyboard.press("Escape")
    page.mouse.up()


def test_a_taint_is_edited_dragged_onto_a_node_and_undone(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    worker = f"{cluster.name}-worker"
    line = page.get_by_test_id("mark-taint-0")
    line.get_by_role("textbox").fill("team=blue:NoExecute")
    drag_to(board, page.get_by_test_id("hold-taint-0"), board.node(worker))
    expect(board.node(worker)).to_contain_text("team=blue:NoExecute")
    expect(page.get_by_test_id("outcome")).to_contain_text(f"team=blue:NoExecute on {worker}")
    page.get_by_test_id("undo").click()
    expect(board.node(worker)).not_to_contain_text("team=blue:NoExecute")
    assert "taints" not in cluster.node(worker)["spec"]


def test_what_cannot_be_read_as_a_taint_cannot_be_dragged(page: Page, open_cluster: Open) -> None:
    open_cluster("kind-1-3")
    line = page.get_by_test_id("mark-taint-0")
    line.get_by_role("textbox").fill("team=blue:Never")
    expect(line).to_contain_text("The effect is NoSchedule, PreferNoSchedule or NoExecute.")
    expect(page.get_by_test_id("hold-taint-0")).to_be_disabled()


def test_an_undo_that_would_take_away_what_came_since_says_why(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    worker = f"{cluster.name}-worker"
    drag_to(board, page.get_by_test_id("hold-taint-0"), board.node(worker))
    expect(page.get_by_test_id("outcome")).to_contain_text("dedicated=gpu")
    taints = [*cluster.node(worker)["spec"]["taints"], {"key": "other", "effect": "NoSchedule"}]
    answer = cluster.http.patch(
        f"/k8s/{cluster.name}/api/v1/nodes/{worker}",
        json={"spec": {"taints": taints}},
        headers={"content-type": "application/merge-patch+json"},
    )
    assert answer.status_code == 200, answer.text
    page.get_by_test_id("undo").click()
    expect(page.get_by_test_id("outcome")).to_contain_text("was changed again since")
    assert len(cluster.node(worker)["spec"]["taints"]) == 2


def test_labels_and_images_are_dragged_onto_every_picked_node(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    workers = [f"{cluster.name}-worker", f"{cluster.name}-worker2"]
    for name in workers:
        board.node(name).get_by_role("button", name=name, exact=True).click(modifiers=["Control"])
    expect(page.get_by_test_id("picked-bar")).to_contain_text("2 nodes")
    drag_to(board, page.get_by_test_id("hold-label-0"), board.node(workers[0]))
    expect(board.node(workers[1])).to_contain_text("disktype=ssd")
    drag_to(board, page.get_by_test_id("hold-image-0"), board.node(workers[1]))
    expect(page.get_by_test_id("outcome")).to_contain_text("app:1.0 on 2 nodes")
    for name in workers:
        images = cluster.node(name)["status"]["images"]
        assert ["registry.example/app:1.0"] in [image["names"] for image in images]
    assert "disktype" not in cluster.node(f"{cluster.name}-worker3")["metadata"]["labels"]


def test_a_node_carried_to_another_zone_gets_its_label(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("three-zones"))
    zones = {name: cluster.node(name)["metadata"]["labels"].get(ZONE, "") for name in cluster.nodes()}
    carried, home = next((name, home) for name, home in zones.items() if home)
    there = next(other for other in zones.values() if other and other != home)
    name = board.node(carried).get_by_role("button", name=carried, exact=True)
    board.hold_over(name, zone(page, there).locator("h2"))
    expect(zone(page, there)).to_have_attribute("data-over", "true")
    page.mouse.up()
    expect(zone(page, there).locator(f'[data-testid="node"][data-node="{carried}"]')).to_be_visible()
    page.get_by_test_id("undo").click()
    expect(zone(page, home).locator(f'[data-testid="node"][data-node="{carried}"]')).to_be_visible()


def test_by_keyboard_a_pod_is_picked_up_carried_and_dropped_and_each_step_is_said(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    pause(page)
    cluster.apply(pod("web"))
    page.get_by_test_id("drop-way").select_option("hand")
    said = page.get_by_test_id("drag-announcer")
    board.tickets("activeQ").focus()
    board.pick_up()
    expect(said).to_contain_text("Picked up web.")
    page.keyboard.press("ArrowUp")
    expect(said).to_contain_text("Over node")
    expect(said).not_to_contain_text("asking")
    for _ in range(4):
        if "fits" in said.inner_text():
            break
        page.keyboard.press("ArrowLeft")
        expect(said).to_contain_text("Over node")
    expect(said).to_contain_text("fits")
    page.keyboard.press("Enter")
    expect(board.pods()).to_have_count(1)
    expect(page.get_by_test_id("outcome")).to_contain_text("web bound to")


def test_by_keyboard_a_node_is_carried_to_another_zone(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("three-zones"))
    name = f"{cluster.name}-a1"
    said = page.get_by_test_id("drag-announcer")
    board.node(name).get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Shift+Space")
    expect(said).to_contain_text(f"Picked up {name}.")
    for _ in range(4):
        page.keyboard.press("ArrowDown")
        expect(said).to_contain_text("Over node")
        if "to north-b" in said.inner_text():
            break
    expect(said).to_contain_text("to north-b")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("outcome")).to_contain_text(f"zone=north-b on {name}")
    assert cluster.node(name)["metadata"]["labels"][ZONE] == "north-b"


def test_by_keyboard_a_running_pod_is_moved_from_its_inspector(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    cluster.apply(pod("web"))
    board.pods(phase="running").click()
    home = cluster.pods()[0]["spec"]["nodeName"]
    other = next(name for name in cluster.nodes() if "worker" in name and name != home)
    page.get_by_test_id("move-pod").press("Enter")
    form = page.get_by_test_id("move-form")
    form.locator(f'[data-node-choice="{other}"] input').check()
    form.get_by_test_id("move-confirm").press("Enter")
    expect(form).to_have_count(0)
    expect(board.pods(phase="running", node=board.node(other))).to_have_count(1)


def test_nodes_are_picked_by_lasso_and_by_key(page: Page, open_cluster: Open, board: Board) -> None:
    cluster = open_cluster("kind-1-3")
    worker = board.node(f"{cluster}-worker")
    expect(worker).to_be_visible()
    area = board.area.bounding_box()
    assert area is not None
    page.keyboard.down("Shift")
    page.mouse.move(area["x"] + 4, area["y"] + 4)
    page.mouse.down()
    page.mouse.move(area["x"] + area["width"] - 20, area["y"] + area["height"] - 60, steps=6)
    expect(page.get_by_test_id("lasso")).to_be_visible()
    page.mouse.up()
    page.keyboard.up("Shift")
    expect(page.get_by_test_id("picked-bar")).to_contain_text("4 nodes")

    worker.get_by_role("button", name=f"{cluster}-worker", exact=True).focus()
    page.keyboard.press("Space")
    expect(page.get_by_test_id("picked-bar")).to_contain_text("3 nodes")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("picked-bar")).to_have_count(0)
    page.keyboard.press("Control+a")
    expect(page.get_by_test_id("picked-said")).to_have_text("4 nodes picked")


def test_picked_nodes_are_cordoned_together_and_that_is_one_undo(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    expect(board.node(f"{cluster.name}-worker")).to_be_visible()
    board.node(f"{cluster.name}-worker").get_by_role("button", name=f"{cluster.name}-worker", exact=True).focus()
    page.keyboard.press("Control+a")
    page.get_by_test_id("picked-menu").click()
    page.get_by_test_id("menu-cordon").last.click()
    for name in cluster.nodes():
        expect(board.node(name)).to_have_attribute("data-cordoned", "true")
    page.get_by_test_id("outcome-undo").click()
    for name in cluster.nodes():
        expect(board.node(name)).to_have_attribute("data-cordoned", "false")


def test_several_pods_are_deleted_together_and_come_back(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    cluster.apply(pod("a") + pod("b"))
    expect(board.pods(phase="running")).to_have_count(2)
    for name in ("a", "b"):
        page.locator(f'[data-testid="pod"][data-pod="{name}"]').click(modifiers=["Control"])
    page.get_by_test_id("picked-delete-pods").click()
    expect(page.get_by_test_id("command-line")).to_contain_text("kubectl delete pod -n default a b")
    page.get_by_test_id("touch-form-confirm").click()
    expect(board.pods()).to_have_count(0, timeout=60_000)
    page.get_by_test_id("undo").click()
    expect(board.pods(phase="running")).to_have_count(2)


def test_a_drain_shows_its_progress_and_the_budget_that_holds_it_up(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    worker = f"{cluster.name}-worker"
    there = f"{{nodeName: {worker}, containers: [{{name: app, image: app}}]}}"
    cluster.apply(
        f"""\
apiVersion: v1
kind: Pod
metadata: {{name: web, labels: {{app: web}}}}
spec: {there}
---
apiVersion: v1
kind: Pod
metadata: {{name: free}}
spec: {there}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{name: keep-web}}
spec: {{minAvailable: 1, selector: {{matchLabels: {{app: web}}}}}}
"""
    )
    expect(board.pods(phase="running", node=board.node(worker))).to_have_count(2)
    board.node(worker).get_by_role("button", name=worker, exact=True).click()
    board.node(worker).get_by_test_id("node-menu").click()
    board.node(worker).get_by_test_id("menu-drain").click()
    form = page.get_by_test_id("touch-form")
    form.get_by_test_id("touch-form-confirm").click()
    # Pods that nobody makes again: kubectl wants to be told.
    expect(form).to_contain_text("--force")
    form.get_by_label("--force").check()
    expect(form.get_by_test_id("command-line")).to_contain_text(f"kubectl drain {worker} --ignore-daemonsets --force")
    form.get_by_test_id("touch-form-confirm").click()
    expect(form).to_have_count(0)
    expect(page.get_by_test_id("drain-blocked")).to_contain_text("keep-web")
    expect(page.get_by_test_id("drain-progress")).to_have_text("1 of 2 pods gone", timeout=60_000)
    page.get_by_test_id("cancel-drain").click()
    expect(page.get_by_test_id("drain")).to_contain_text("drain cancelled")


def test_a_node_fails_and_recovers_from_its_menu(page: Page, open_cluster: Open, board: Board) -> None:
    cluster = open_cluster("kind-1-3")
    worker = board.node(f"{cluster}-worker")
    worker.get_by_test_id("node-menu").click()
    worker.get_by_test_id("menu-fail").click()
    expect(worker).to_contain_text("kubelet stopped")
    worker.get_by_test_id("node-menu").click()
    worker.get_by_test_id("menu-recover").click()
    expect(worker).not_to_contain_text("kubelet stopped")


def test_allocatable_is_changed_in_place_checked_at_the_field_and_undone(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    worker = f"{cluster.name}-worker"
    before = cluster.node(worker)["status"]["allocatable"]["cpu"]
    board.node(worker).get_by_role("button", name=worker, exact=True).click()
    page.get_by_test_id("allocatable-cpu").click()
    field = page.get_by_test_id("amount-field")
    field.fill("lots")
    field.press("Enter")
    expect(page.get_by_test_id("inspector").get_by_role("alert")).to_contain_text("An amount is written like")
    field.fill("500m")
    field.press("Enter")
    expect(page.get_by_test_id("allocatable-cpu")).to_have_text("500m")
    assert cluster.node(worker)["status"]["allocatable"]["cpu"] == "500m"
    page.get_by_test_id("undo").click()
    expect(page.get_by_test_id("allocatable-cpu")).not_to_have_text("500m")
    assert cluster.node(worker)["status"]["allocatable"]["cpu"] == before


def test_a_deleted_node_comes_back_with_what_it_had(
    page: Page, playground: Playground, open_cluster: Open, board: Board
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    worker = f"{cluster.name}-worker"
    board.node(worker).get_by_test_id("node-menu").click()
    board.node(worker).get_by_test_id("menu-delete").click()
    page.get_by_test_id("touch-form-confirm").click()
    expect(board.node(worker)).to_have_count(0)
    page.get_by_test_id("outcome-undo").click()
    expect(board.node(worker)).to_be_visible()


@pytest.mark.parametrize("view", ["cells", "heat", "table"])
def test_every_picture_of_the_board_takes_a_drop(
    page: Page, playground: Playground, open_cluster: Open, board: Board, view: str
) -> None:
    cluster = Cluster(playground, open_cluster("kind-1-3"))
    page.get_by_test_id("board-view").click()
    page.get_by_test_id(f"menu-view-{view}").click()
    page.get_by_test_id("drop-way").select_option("affinity")
    worker = f"{cluster.name}-worker"
    if view == "table":
        expect(page.get_by_test_id("node-table")).to_be_visible()
        drag_to(board, board.template("pod-small"), board.node(worker))
    else:
        tile = page.get_by_test_id("focused-tile")
        tile.focus()
        board.template("pod-small").focus()
        board.pick_up()
        said = page.get_by_test_id("drag-announcer")
        for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"):
            page.keyboard.press(key)
            expect(said).to_contain_text("Over node")
            expect(said).not_to_contain_text("asking")
            if "fits" in said.inner_text():
                break
        expect(said).to_contain_text("fits")
        page.keyboard.press("Enter")
    expect(page.get_by_test_id("outcome")).to_contain_text("created for")
    expect(board.lane("bound")).to_contain_text("1")
