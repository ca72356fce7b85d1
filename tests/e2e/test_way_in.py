"""A way in: the start page, files dropped on it, the tour; and what a cluster can be extended with, from the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.board import Board
from tests.services.running import Playground

KIND_FILE = """\
kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
name: dropped-kind
nodes:
- role: control-plane
- role: worker
"""
STREAM = """\
apiVersion: v1
kind: Pod
metadata:
  name: dropped
spec:
  containers:
  - name: app
    image: app
---
apiVersion: v1
kind: Pod
metadata:
  name: broken
spec:
  containers:
  - name: app
    immage: app
"""
HOLD = """([name, text]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], name, { type: "application/yaml" }));
  window.held = files;
  const event = new DragEvent("dragover", { dataTransfer: files, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
}"""
LET_GO = """() => {
  const event = new DragEvent("drop", { dataTransfer: window.held, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
}"""
WITHOUT_IMAGES = """\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  plugins:
    score:
      disabled:
      - name: ImageLocality
"""
# To disable a plugin that does not exist is no mistake, to enable one is.
MISSPELT = WITHOUT_IMAGES.replace("disabled", "enabled").replace("ImageLocality", "ImageLocalty")


def drop_file(page: Page, name: str, text: str) -> None:
    """As a hand does that brings a file from elsewhere: first held over the page, then let go."""
    page.evaluate(HOLD, [name, text])
    expect(page.get_by_test_id("drop-overlay")).to_be_visible()
    page.evaluate(LET_GO)
    expect(page.get_by_test_id("drop-overlay")).to_have_count(0)


def code(page: Page, test_id: str) -> Locator:
    return page.get_by_test_id(test_id).locator(".cm-content")


def options(page: Page) -> Locator:
    return page.locator(".cm-tooltip-autocomplete li")


def marked(page: Page, text: str) -> Locator:
    """A part of the text that is marked as an error."""
    return page.locator(".cm-lintRange-error").filter(has_text=text).first


# --- The start page -----------------------------------------------------------------------------------------------


def test_presets_stand_in_groups_each_with_a_line_on_what_to_watch(page: Page) -> None:
    page.goto("/")
    headings = page.get_by_role("heading", level=3)
    expect(headings.first).to_have_text("First steps")
    expect(page.get_by_role("heading", name="Shapes of clusters")).to_be_visible()
    expect(page.get_by_test_id("preset-tainted")).to_contain_text("Four nodes, four answers")


def test_a_cluster_has_a_small_picture_that_is_told_in_words(page: Page, playground: Playground) -> None:
    cluster = playground.create_cluster("almost-full")
    page.goto("/")
    picture = page.get_by_test_id(f"cluster-{cluster}").get_by_test_id("cluster-picture")
    expect(picture).to_have_attribute("aria-label", re.compile(r"3 nodes, 8\d % of CPU"))
    expect(picture.locator("g")).to_have_count(3)


def test_a_kind_file_dropped_on_the_start_page_becomes_a_cluster(page: Page) -> None:
    page.goto("/")
    page.get_by_test_id("kind-file").wait_for()
    drop_file(page, "kind.yaml", KIND_FILE)
    expect(page.get_by_test_id("cluster-name")).to_have_value(re.compile("dropped-kind"))
    page.get_by_test_id("create-from-file").click()
    expect(page).to_have_url(re.compile("/clusters/dropped-kind"))
    expect(page.get_by_test_id("node")).to_have_count(2)


def test_of_a_stream_dropped_on_the_start_page_every_error_is_told_with_its_line(page: Page) -> None:
    page.goto("/")
    page.get_by_test_id("kind-file").wait_for()
    drop_file(page, "shop.yaml", STREAM)
    page.get_by_test_id("create-from-file").click()
    problem = page.get_by_role("alert").filter(has_text="broken")
    expect(problem).to_contain_text("#2 Pod broken")
    expect(problem).to_contain_text("line 17")


def test_a_stream_dropped_on_a_cluster_is_applied_to_it(page: Page, open_cluster: Callable[[str], str]) -> None:
    open_cluster("kind-1-3")
    Board(page).expect_live()
    drop_file(page, "pods.yaml", STREAM)
    results = page.get_by_test_id("apply-result")
    expect(results).to_have_count(2)
    expect(results.nth(0)).to_have_attribute("data-result", "created")
    expect(results.nth(1)).to_contain_text("line 17")
    expect(Board(page).pods()).to_have_count(1)
    expect(marked(page, "immage")).to_be_visible()


def test_a_kind_file_dropped_on_a_cluster_makes_another_one(page: Page, open_cluster: Callable[[str], str]) -> None:
    open_cluster("empty")
    Board(page).expect_live()
    drop_file(page, "another.yaml", KIND_FILE.replace("dropped-kind", "another-kind"))
    page.get_by_test_id("kind-file-dropped").get_by_role("button", name="New cluster").click()
    expect(page).to_have_url(re.compile("/clusters/another-kind"))
    expect(page.get_by_test_id("node")).to_have_count(2)


# --- The tour -----------------------------------------------------------------------------------------------------


def test_the_tour_comes_once_and_points_at_what_is_there(
    browser: Browser, base_url: str, playground: Playground
) -> None:
    cluster = playground.create_cluster("kind-1-3")
    page = browser.new_context(base_url=base_url).new_page()
    page.goto(f"/clusters/{cluster}")
    tour = page.get_by_test_id("tour")
    expect(tour).to_have_attribute("data-step", "palette")
    expect(tour).to_be_focused()
    for step in ("queue", "board", "inspector", "clock"):
        page.keyboard.press("ArrowRight")
        expect(tour).to_have_attribute("data-step", step)
    page.keyboard.press("ArrowLeft")
    expect(tour).to_have_attribute("data-step", "inspector")
    page.keyboard.press("Escape")
    expect(tour).to_have_count(0)
    page.reload()
    page.get_by_test_id("board").wait_for()
    expect(tour).to_have_count(0)
    page.context.close()


def test_the_tour_is_no_trap_and_starts_again_from_the_help(page: Page, open_cluster: Callable[[str], str]) -> None:
    open_cluster("kind-1-3")
    Board(page).expect_live()
    page.get_by_test_id("help").click()
    page.get_by_test_id("menu-tour").click()
    tour = page.get_by_test_id("tour")
    expect(tour).to_be_visible()
    page.get_by_test_id("tab-events").click()
    expect(tour).to_be_visible()
    for _ in range(4):
        page.get_by_test_id("tour-next").click()
    page.get_by_test_id("tour-next").click()
    expect(tour).to_have_count(0)


def test_a_question_mark_lists_the_shortcuts(page: Page, open_cluster: Callable[[str], str]) -> None:
    open_cluster("empty")
    Board(page).expect_live()
    page.keyboard.press("?")
    expect(page.get_by_test_id("shortcuts")).to_contain_text("Keyboard shortcuts")


# --- Manifests ----------------------------------------------------------------------------------------------------


def test_kinds_fields_and_values_are_completed(page: Page, open_cluster: Callable[[str], str]) -> None:
    open_cluster("empty")
    page.get_by_test_id("tab-editor").click()
    editor = code(page, "yaml")
    editor.fill("apiVersion: v1\nkind: No")
    editor.press("Control+End")
    editor.press("Control+Space")
    expect(options(page).first).to_contain_text("Node")
    options(page).first.click()
    page.keyboard.type("\nspec:\n  tai")
    expect(options(page).first).to_contain_text("taints")
    # What it is for, in Kubernetes' words.
    expect(page.locator(".cm-completionInfo")).to_contain_text("node's taints")
    options(page).first.click()
    page.keyboard.type("eff")
    expect(options(page).first).to_contain_text("effect")
    options(page).first.click()
    expect(options(page)).to_have_text(["NoSchedule", "PreferNoSchedule", "NoExecute"])
    options(page).first.click()
    expect(editor).to_contain_text("effect: NoSchedule")


def test_an_unknown_field_is_marked_before_anything_is_sent(page: Page, open_cluster: Callable[[str], str]) -> None:
    open_cluster("empty")
    page.get_by_test_id("tab-editor").click()
    code(page, "yaml").fill("apiVersion: v1\nkind: Pod\nspec:\n  nodeNam: n1\n")
    expect(page.locator(".cm-lintRange-warning")).to_contain_text("nodeNam")


def test_a_mutation_policy_is_written_listed_read_and_changed(page: Page, open_cluster: Callable[[str], str]) -> None:
    open_cluster("empty")
    page.get_by_test_id("tab-objects").click()
    page.get_by_test_id("new-object").click()
    page.get_by_test_id("menu-new-MutatingAdmissionPolicy").click()
    page.get_by_test_id("apply").click()
    expect(page.get_by_test_id("apply-result")).to_have_attribute("data-result", "created")
    page.locator('[data-testid="object"][data-object="example"]').click()
    page.get_by_test_id("edit-object").click()
    editor = page.get_by_test_id("object-editor").locator(".cm-content")
    expect(editor).to_contain_text("reinvocationPolicy: Never")
    text = editor.inner_text().replace("\n\n", "\n")
    editor.fill(text.replace("reinvocationPolicy: Never", "reinvocationPolicy: IfNeeded"))
    page.get_by_test_id("save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()


# --- Schedulers ---------------------------------------------------------------------------------------------------


@pytest.fixture
def schedulers(page: Page, open_cluster: Callable[[str], str]) -> Callable[[str], str]:
    """Opens a cluster with its schedulers in the right panel."""

    def open_it(preset: str) -> str:
        cluster = open_cluster(preset)
        page.get_by_test_id("tab-schedulers").click()
        page.get_by_test_id("schedulers-panel").wait_for()
        return cluster

    return open_it


def test_a_configuration_is_compared_before_it_is_applied(
    page: Page, schedulers: Callable[[str], str], playground: Playground
) -> None:
    cluster = schedulers("kind-1-3")
    page.get_by_test_id("tab-configuration").click()
    code(page, "configuration-yaml").fill(WITHOUT_IMAGES)
    change = page.locator('[data-fact="profiles[default-scheduler].plugins.score"]')
    expect(change).to_contain_text("ImageLocality")
    page.get_by_test_id("apply-configuration").click()
    expect(page.get_by_text("Applied as revision 1")).to_be_visible()
    with urlopen(f"{playground.address}/api/clusters/{cluster}/profiles/") as answer:
        profile = json.load(answer)["profiles"][0]
    assert "ImageLocality" not in profile["plugins"]["score"]


def test_a_mistake_in_a_configuration_stands_at_its_line(page: Page, schedulers: Callable[[str], str]) -> None:
    schedulers("kind-1-3")
    page.get_by_test_id("tab-configuration").click()
    code(page, "configuration-yaml").fill(MISSPELT)
    expect(page.get_by_test_id("dry-run")).to_contain_text("Refused: 1 problem")
    expect(marked(page, "ImageLocalty")).to_be_visible()
    expect(page.get_by_test_id("apply-configuration")).to_be_disabled()


def test_plugin_names_are_completed_by_extension_point(page: Page, schedulers: Callable[[str], str]) -> None:
    schedulers("kind-1-3")
    page.get_by_test_id("tab-configuration").click()
    editor = code(page, "configuration-yaml")
    editor.fill(WITHOUT_IMAGES.rstrip().removesuffix("ImageLocality") + "Node")
    editor.press("Control+End")
    editor.press("Control+Space")
    expect(options(page)).to_have_text(
        ["NodeAffinity", "NodeResourcesBalancedAllocation", "NodeResourcesFit"], use_inner_text=True
    )


def test_a_killed_leader_is_followed_by_a_process_that_stood_by(
    page: Page, schedulers: Callable[[str], str], playground: Playground
) -> None:
    cluster = schedulers("leader-election-lab")
    first = page.get_by_test_id("replica-kube-scheduler-0")
    leader = page.locator('[data-testid^="replica-"][data-state="leads"]')
    expect(first).to_have_attribute("data-state", "leads")
    _post(playground, f"/api/clusters/{cluster}/speed/", {"speed": 10})
    page.get_by_test_id("kill-kube-scheduler-0").click()
    expect(first).to_have_attribute("data-state", "stopped")
    # Two stand by, one of another scheduler that wants the same Lease: who asks first once it has run out is chance.
    expect(leader).to_have_count(1, timeout=60_000)
    name = (leader.get_attribute("data-testid") or "").removeprefix("replica-")
    assert name in {"kube-scheduler-1", "another-scheduler-0"}
    expect(page.get_by_test_id("scheduler-kube-scheduler").get_by_test_id("lease")).to_contain_text(f"held by {name}")
    page.get_by_test_id("start-kube-scheduler-0").click()
    expect(first).to_have_attribute("data-state", "standsBy")


def test_a_plugin_in_cel_is_tried_stored_and_enabled(
    page: Page, schedulers: Callable[[str], str], playground: Playground
) -> None:
    cluster = schedulers("almost-full")
    page.get_by_test_id("tab-plugins").click()
    page.get_by_test_id("cel-examples").click()
    page.get_by_test_id("menu-example-FreeCPU").click()
    page.get_by_test_id("cel-pod").select_option(index=1)
    expect(page.get_by_test_id("cel-node")).to_have_count(3)
    expect(page.get_by_test_id("cel-node").first).to_contain_text("12")
    code(page, "cel-filter").fill('"disk" in node.labels ==')
    expect(page.get_by_test_id("cel-editor")).to_contain_text("1:25")
    code(page, "cel-filter").fill("")
    page.get_by_test_id("save-cel-plugin").click()
    page.get_by_test_id("enable-plugin").click()
    page.get_by_test_id("enable-weight").fill("5")
    expect(page.locator('[data-fact="profiles[default-scheduler].weights.FreeCPU"]')).to_contain_text("5")
    page.get_by_test_id("enable-apply").click()
    expect(page.get_by_test_id("cel-editor")).to_contain_text("runs in default-scheduler")
    with urlopen(f"{playground.address}/api/clusters/{cluster}/profiles/") as answer:
        assert json.load(answer)["profiles"][0]["weights"]["FreeCPU"] == 5


def _post(playground: Playground, path: str, body: object) -> None:
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(playground.address + path, json.dumps(body).encode(), headers)):
        pass


# --- Events -------------------------------------------------------------------------------------------------------


def test_events_arrive_as_they_happen_are_filtered_and_lead_to_their_object(
    page: Page, open_cluster: Callable[[str], str]
) -> None:
    open_cluster("empty")
    board = Board(page)
    board.expect_live()
    page.get_by_test_id("tab-events").click()
    board.template("pod-small").press("Enter")
    event = page.get_by_test_id("event").filter(has_text="FailedScheduling")
    expect(event.first).to_be_visible()
    page.get_by_role("searchbox", name="Filter events").fill("nothing-of-that-name")
    expect(event).to_have_count(0)
    page.get_by_role("searchbox", name="Filter events").fill("failedscheduling")
    event.first.click()
    expect(page.get_by_test_id("tab-inspector")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel").last).to_contain_text("no nodes available")
