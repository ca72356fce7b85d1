"""Takes the pictures of the documentation: `./dev screenshots [NAME...]`.

They are taken of the real page on the real stack, so they show what is there;
what a picture shows is put in place over the API, as a user's script would,
and reached by its address or with the clicks that a person makes.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from playground.config import environment
from tests.e2e.board import Board
from tests.e2e.browsers import chromium_program
from tests.services.running import Playground, clean_environ

IMAGES = environment.PROJECT / "docs" / "images"
SHOP = environment.PROJECT / "playground" / "clusters" / "presets" / "sample_shop.yaml"
SIZE = {"width": 1600, "height": 1000}
BOTH = ("light", "dark")
LIGHT = ("light",)

TOO_LARGE = """\
apiVersion: v1
kind: Pod
metadata: {name: forecast}
spec:
  containers:
  - name: forecast
    image: forecast:1
    resources: {requests: {cpu: "12", memory: 24Gi}}
"""

# Two nodes of two CPUs, each with a pod of low priority on it: an important pod must drive one out.
CROWDED = """\
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: important}
value: 1000
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: keep-mail, namespace: default}
spec: {minAvailable: 1, selector: {matchLabels: {app: mail}}}
"""
NODE = """\
apiVersion: v1
kind: Node
metadata: {{name: {name}}}
status: {{allocatable: {{cpu: "2", memory: 4Gi, pods: "110"}}}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: {name}, labels: {{app: {name}}}}}
spec:
  priorityClassName: {priority}
  containers: [{{name: main, image: "app:1", resources: {{requests: {{cpu: "{cpu}"}}}}}}]
"""

# Zones that are used unevenly, for the heat map.
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: batch-{zone}}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: batch-{zone}}}}}
  template:
    metadata: {{labels: {{app: batch-{zone}}}}}
    spec:
      nodeSelector: {{topology.kubernetes.io/zone: north-{zone}}}
      containers: [{{name: main, image: "batch:1", resources: {{requests: {{cpu: 1500m, memory: 2Gi}}}}}}]
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Takes the pictures of the documentation.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="all of them where none is named")
    wanted = parser.parse_args().names or list(PICTURES)
    if unknown := set(wanted) - set(PICTURES):
        parser.error(f"no such picture: {', '.join(sorted(unknown))}; there are {', '.join(PICTURES)}")
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pg-") as folder, sync_playwright() as playwright:
        playground = Playground.start_all(Path(folder), clean_environ())
        browser = playwright.chromium.launch(executable_path=chromium_program())
        try:
            set_the_scene(playground)
            for name in wanted:
                take(playground, browser, name)
        finally:
            browser.close()
            playground.close()


# The scene


def set_the_scene(playground: Playground) -> None:
    """A shop on three zones, a pod that asks for more than there is, a preemption, and many nodes."""
    playground.create_cluster("three-zones", name="shop")
    apply(playground, "shop", SHOP.read_text(encoding="utf-8"), TOO_LARGE)
    playground.create_cluster("empty", name="crowded")
    full = [POD.format(name=name, priority='""', cpu="1800m") for name in ("mail", "report")]
    nodes = [NODE.format(name=name) for name in ("n1", "n2")]
    apply(playground, "crowded", CROWDED, *nodes, *full)
    apply(playground, "crowded", POD.format(name="checkout", priority="important", cpu="1900m"))
    playground.create_cluster("nodes-1000", name="large")
    busy = [DEPLOYMENT.format(zone=zone, replicas=replicas) for zone, replicas in (("a", 900), ("b", 400), ("c", 120))]
    apply(playground, "large", *busy)


def apply(playground: Playground, cluster: str, *streams: str) -> None:
    yaml = {"content-type": "application/yaml"}
    answer = playground.http.post(f"/api/clusters/{cluster}/apply/", content="---\n".join(streams), headers=yaml)
    assert answer.status_code == 200, answer.text
    failed = [result for result in answer.json()["results"] if result["result"] == "error"]
    assert not failed, failed
    summary = playground.http.post(f"/api/clusters/{cluster}/run-until-idle/", json={"timeout_seconds": 120})
    assert summary.status_code == 200, summary.text


# The pictures


def nothing(page: Page, playground: Playground) -> None:
    """As the address shows it."""


def rejected(page: Page, playground: Playground) -> None:
    ticket = Board(page).tickets("unschedulablePods")
    expect(ticket).to_have_count(1)
    ticket.click()


def running_pod(page: Page, playground: Playground) -> None:
    Board(page).pods(phase="running").first.click()
    page.get_by_test_id("decision").wait_for()


def film(page: Page, playground: Playground) -> None:
    running_pod(page, playground)
    page.get_by_test_id("film-open").first.click()
    scrub = page.get_by_test_id("film-scrub")
    scrub.wait_for()
    page.get_by_test_id("film-play").click()
    # Where the scores have been added up.
    scrub.press("End")
    for _ in range(3):
        scrub.press("ArrowLeft")


def scores(page: Page, playground: Playground) -> None:
    running_pod(page, playground)
    page.get_by_test_id("arithmetic").first.click()
    page.get_by_test_id("total").first.scroll_into_view_if_needed()


def preemption(page: Page, playground: Playground) -> None:
    found = playground.http.get("/api/clusters/crowded/decisions/?pod=checkout&outcome=unschedulable").json()
    sequence = found["results"][-1]["sequence"]
    page.get_by_test_id("search").fill("checkout")
    page.keyboard.press("Enter")
    page.get_by_test_id(f"tab-{sequence}").click()
    page.get_by_test_id("preemption").scroll_into_view_if_needed()


def other_weights(page: Page, playground: Playground) -> None:
    running_pod(page, playground)
    page.get_by_test_id("try-weights").first.click()
    page.get_by_test_id("weight").first.press("ArrowRight")
    page.get_by_test_id("use-weights").click()
    page.get_by_test_id("apply-weights").wait_for()


# Name: address, what is done there, in which themes.
PICTURES: dict[str, tuple[str, Callable[[Page, Playground], None], tuple[str, ...]]] = {
    "start": ("/", nothing, BOTH),
    "board": ("/clusters/shop", running_pod, BOTH),
    "rejected": ("/clusters/shop", rejected, BOTH),
    "cells": ("/clusters/shop?view=cells&colour=namespace", nothing, LIGHT),
    "heat-map": ("/clusters/large?view=heat", nothing, BOTH),
    "film": ("/clusters/shop", film, BOTH),
    "scores": ("/clusters/shop", scores, LIGHT),
    "preemption": ("/clusters/crowded", preemption, LIGHT),
    "profile-diff": ("/clusters/shop", other_weights, LIGHT),
}


def take(playground: Playground, browser: Browser, name: str) -> None:
    address, reach, schemes = PICTURES[name]
    for scheme in schemes:
        context = browser.new_context(
            base_url=playground.address,
            viewport=SIZE,  # type: ignore[arg-type]
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
        )
        page = context.new_page()
        # A guest's first visit would be greeted by the tour.
        page.add_init_script("localStorage.setItem('playground.tour', 'seen')")
        page.goto(address)
        if address != "/":
            Board(page).expect_live()
        reach(page, playground)
        save(page, f"{name}-{scheme}" if len(schemes) > 1 else name)
        context.close()


def save(page: Page, name: str) -> None:
    # What a click asked for has arrived.
    page.wait_for_load_state("networkidle")
    page.mouse.move(0, 0)
    path = IMAGES / f"{name}.png"
    page.screenshot(path=path)
    print(path.relative_to(IMAGES.parents[1]))


if __name__ == "__main__":
    main()
