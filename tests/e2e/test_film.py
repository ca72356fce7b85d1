"""A scheduling cycle as a film, scores with other weights, why not there, preemption drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.board import Board
from tests.services.running import Playground, wait_for

CLASSES = """
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: low}
value: 10
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
"""

# n2 has the image and little room, n3 much room: which wins is a question of weights. n1 is tainted, n4 full.
NODES = """
apiVersion: v1
kind: Node
metadata: {name: n1}
spec: {taints: [{key: gpu, effect: NoSchedule}]}
status: {allocatable: {cpu: "8", memory: 16Gi, pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
status:
  allocatable: {cpu: "2", memory: 4Gi, pods: "110"}
  images: [{names: ["registry.example/big:1"], sizeBytes: 900000000}]
---
apiVersion: v1
kind: Node
metadata: {name: n3}
status: {allocatable: {cpu: "16", memory: 32Gi, pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: n4}
status: {allocatable: {cpu: 100m, memory: 4Gi, pods: "110"}}
"""


def pod(name: str, cpu: str, priority_class: str = "low", **labels: str) -> str:
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: {name}, labels: {labels or {"app": name}}}}
spec:
  priorityClassName: {priority_class}
  containers:
  - {{name: main, image: "registry.example/big:1", resources: {{requests: {{cpu: {cpu}, memory: 512Mi}}}}}}
"""


class Story:
    """One cluster with its page."""

    def __init__(self, page: Page, playground: Playground, cluster: str) -> None:
        self.page, self.playground, self.cluster = page, playground, cluster
        self.board = Board(page)
        self.film = page.get_by_test_id("film")
        self.words = page.get_by_test_id("film-words")
        self.inspector = page.get_by_test_id("inspector")

    def apply(self, *documents: str) -> None:
        answer = self.playground.http.post(
            f"/api/clusters/{self.cluster}/apply/", json={"yaml": "\n---\n".join(documents)}
        )
        assert [each["error"] for each in answer.json()["results"] if each["error"]] == []

    def until_idle(self) -> None:
        self.playground.http.post(f"/api/clusters/{self.cluster}/run-until-idle/", json={"timeout_seconds": 30})

    def decision(self, name: str, outcome: str) -> dict:
        path = f"/api/clusters/{self.cluster}/decisions/"

        def found() -> dict | None:
            results = self.playground.http.get(path, params={"pod": name, "outcome": outcome}).json()["results"]
            return self.playground.http.get(f"{path}{results[0]['sequence']}/").json() if results else None

        return wait_for(found, what=f"a decision about {name}")

    def select(self, name: str) -> None:
        self.page.locator(f'[data-pod="{name}"], [data-testid="ticket"]:has-text("{name}")').first.click()

    def verdict(self, node: str) -> Locator:
        return self.board.node(node)


@pytest.fixture
def story(page: Page, playground: Playground, open_cluster: Callable[[str], str]) -> Story:
    made = Story(page, playground, open_cluster("empty"))
    made.apply(CLASSES, NODES)
    return made


def test_nodes_drop_out_plugin_by_plugin_and_the_pod_reaches_its_node(story: Story) -> None:
    story.apply(pod("web", "500m"))
    report = story.decision("web", "scheduled")
    story.select("web")
    story.inspector.get_by_test_id("film-open").first.press("Enter")
    expect(story.film).to_be_focused()
    story.film.press("Home")
    expect(story.words).to_contain_text("default/web is taken from activeQ, attempt 1. The cluster has 4 nodes.")
    expect(story.verdict("n1")).not_to_have_attribute("data-verdict", re.compile("."))

    until(story, "TaintToleration rejects 1 node")
    expect(story.verdict("n1")).to_have_attribute("data-verdict", "unresolvable")
    expect(story.verdict("n4")).not_to_have_attribute("data-verdict", re.compile("."))
    until(story, "NodeResourcesFit rejects 1 node: Insufficient cpu")
    expect(story.verdict("n4")).to_have_attribute("data-verdict", re.compile("rejected|unresolvable"))

    until(story, "ImageLocality")
    expect(story.verdict("n2").get_by_test_id("node-verdict")).to_contain_text(re.compile(r"\d+"))
    story.film.press("End")
    expect(story.words).to_have_text(f"default/web is bound to {report['node']}.")
    expect(story.verdict(report["node"])).to_have_attribute("data-verdict", "chosen")
    # One frame back, and put away: the board is as ever.
    story.film.press("ArrowLeft")
    expect(story.words).not_to_have_text(f"default/web is bound to {report['node']}.")
    story.film.press("Escape")
    expect(story.film).to_have_count(0)
    expect(story.page.get_by_test_id("film-toggle")).to_be_focused()
    expect(story.verdict("n1")).not_to_have_attribute("data-verdict", re.compile("."))


def until(story: Story, words: str) -> None:
    """Steps with the arrow key until the film says so."""
    for _ in range(40):
        if words in story.words.inner_text():
            return
        story.film.press("ArrowRight")
    raise AssertionError(f"the film never says {words!r}")


def test_a_film_plays_by_itself_and_stops_at_a_step_by_hand(story: Story) -> None:
    story.apply(pod("web", "500m"))
    story.decision("web", "scheduled")
    story.select("web")
    story.inspector.get_by_test_id("film-open").first.click()
    scrub = story.page.get_by_test_id("film-scrub")
    expect(scrub).not_to_have_value("0")
    story.page.get_by_test_id("film-back").click()
    at = scrub.input_value()
    expect(story.page.get_by_test_id("film-play")).to_have_attribute("aria-label", "Play")
    story.film.press(" ")
    expect(scrub).not_to_have_value(at)
    # Space belongs to the film: the clock runs on.
    expect(story.page.get_by_test_id("paused")).to_have_count(0)


def test_live_the_next_cycle_is_played_when_it_was_made(story: Story) -> None:
    story.page.get_by_test_id("film-toggle").click()
    expect(story.film).to_contain_text("The next cycle is played as soon as a pod is tried.")
    story.apply(pod("web", "500m"))
    expect(story.words).to_contain_text("default/web")
    story.film.press("End")
    story.apply(pod("second", "500m"))
    expect(story.words).to_contain_text("default/second")


# What is launched over the page: pictures of pods that travel.
COUNT_TRAVELLERS = """
window.travellers = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...told) {
  if (this.parentElement === document.body) window.travellers += 1;
  return animate.apply(this, told);
};
"""


@pytest.mark.parametrize(("motion", "travellers"), [("no-preference", 1), ("reduce", 0)])
def test_the_pod_travels_to_its_node_unless_motion_is_reduced(
    browser: Browser, playground: Playground, base_url: str, motion: Literal["no-preference", "reduce"], travellers: int
) -> None:
    cluster = playground.create_cluster("empty")
    page = browser.new_context(reduced_motion=motion, base_url=base_url).new_page()
    story = Story(page, playground, cluster)
    story.apply(CLASSES, NODES, pod("web", "500m"))
    story.decision("web", "scheduled")
    story.until_idle()
    page.add_init_script(COUNT_TRAVELLERS)
    page.goto(f"/clusters/{cluster}")
    story.select("web")
    story.inspector.get_by_test_id("film-open").first.click()
    story.film.press("End")
    expect(story.words).to_contain_text("default/web is bound to")
    page.wait_for_function(f"window.travellers === {travellers}")
    page.context.close()


def test_another_weight_changes_the_winner_and_the_profile_on_demand(story: Story) -> None:
    story.apply(pod("web", "500m"))
    report = story.decision("web", "scheduled")
    loser = "n2" if report["node"] == "n3" else "n3"
    story.select("web")
    story.page.get_by_test_id("try-weights").click()
    verdict = story.page.get_by_test_id("tried-verdict")
    expect(verdict).to_have_text(f"Still {report['node']}.")
    # What speaks for n2 is its image, what speaks for n3 is its room.
    for plugin in ("NodeResourcesFit", "NodeResourcesBalancedAllocation", "ImageLocality"):
        slider = story.page.locator(f'[data-testid="weight"][data-plugin="{plugin}"]')
        slider.press("End" if (plugin == "ImageLocality") == (loser == "n2") else "Home")
    expect(verdict).to_have_text(re.compile(rf"Would be {loser}, total \d+\."))
    # The cluster is as it was, until it is told.
    path = f"/api/clusters/{story.cluster}/profiles/"
    assert story.playground.http.get(path).json()["revision"] == 0
    story.page.get_by_test_id("use-weights").click()
    dialog = story.page.get_by_test_id("use-weights-dialog")
    expect(dialog).to_contain_text("ImageLocality")
    dialog.get_by_test_id("apply-weights").click()
    expect(dialog.get_by_test_id("weights-applied")).to_be_visible()
    assert story.playground.http.get(path).json()["revision"] == 1
    story.apply(pod("next", "500m"))
    assert story.decision("next", "scheduled")["node"] == loser


def test_why_not_there_names_every_plugin_and_what_would_have_to_change(story: Story) -> None:
    story.apply(pod("huge", "9"))
    story.apply(pod("filler", "15"))
    story.until_idle()
    story.apply(pod("stuck", "9"))
    story.until_idle()
    story.select("stuck")
    story.page.get_by_test_id("why-not-node").fill("n1")
    now = story.page.get_by_test_id("why-not-now")
    expect(now).to_contain_text("tolerate gpu:NoSchedule")
    expect(now).to_contain_text("needs 1 more CPU")
    # At its attempt only the first plugin was asked.
    expect(story.page.get_by_test_id("why-not-then")).to_contain_text("TaintToleration rejected it")
    expect(story.page.get_by_test_id("why-not-then")).not_to_contain_text("NodeResourcesFit")

    ways = story.page.get_by_test_id("what-would-group")
    expect(ways.first).to_contain_text("NodeResourcesFit")
    expect(ways.first).not_to_contain_text("TaintToleration")
    expect(ways.first).to_contain_text(re.compile(r"needs [\d.]+m? more CPU"))


def test_of_a_bound_pod_it_says_by_which_scores_a_node_lost(story: Story) -> None:
    story.apply(pod("web", "500m"))
    report = story.decision("web", "scheduled")
    loser = "n2" if report["node"] == "n3" else "n3"
    totals = dict(zip(report["score"]["nodes"], report["score"]["totals"], strict=True))
    story.select("web")
    story.page.get_by_test_id("why-not-node").fill(loser)
    then = story.page.get_by_test_id("why-not-then")
    expect(then).to_contain_text(f"{totals[report['node']] - totals[loser]} point")
    expect(story.page.get_by_test_id("why-not-now")).to_contain_text("It fits there now")


def test_preemption_is_drawn_with_victims_budgets_and_the_rule_that_decided(story: Story) -> None:
    budget = """
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: keep, namespace: default}
spec: {minAvailable: 1, selector: {matchLabels: {app: kept}}}
"""
    story.apply(budget, pod("big", "15", app="kept"), pod("small", "1800m"))
    story.until_idle()
    story.apply(pod("vip", "1900m", "high"))
    report = story.decision("vip", "unschedulable")
    assert report["preemption"]["node"]
    story.select("vip")
    story.page.get_by_test_id("tab-" + str(report["sequence"])).click()
    drawn = story.page.get_by_test_id("preemption")
    chosen = report["preemption"]["node"]
    expect(drawn.locator(f'th[data-node="{chosen}"]')).to_have_attribute("data-chosen", "true")
    for candidate in report["preemption"]["candidates"]:
        for victim in candidate["victims"]:
            expect(drawn).to_contain_text(victim["name"])
    expect(drawn.get_by_test_id("touched-budget")).to_contain_text("default/keep")
    expect(drawn.locator('tr[data-decided="true"]')).to_have_attribute("data-rule", "violations")
    expect(drawn.locator('td[data-out="true"]')).to_contain_text("1")

    # On the board the film shows where room can be made, and then where it is made.
    story.inspector.get_by_test_id("film-open").first.click()
    until(story, "Removing pods of lower priority would help on 2 nodes")
    until(story, f"{chosen} is nominated")
    expect(story.verdict(chosen)).to_have_attribute("data-verdict", "nominated")
