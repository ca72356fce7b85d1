"""Takes the pictures of the documentation: `./dev screenshots`.

They are taken of the real page on the real stack, so they show what is there;
what a picture shows is put in place over the API, as a user's script would.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from playground.config import environment
from tests.e2e.board import Board
from tests.e2e.browsers import chromium_program
from tests.services.running import Playground, clean_environ

IMAGES = environment.PROJECT / "docs" / "images"
SHOP = environment.PROJECT / "playground" / "clusters" / "presets" / "sample_shop.yaml"
SIZE = {"width": 1600, "height": 1000}


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pg-") as folder, sync_playwright() as playwright:
        playground = Playground.start_all(Path(folder), clean_environ())
        browser = playwright.chromium.launch(executable_path=chromium_program())
        try:
            set_the_scene(playground)
            for scheme in ("light", "dark"):
                take_pictures(playground, browser, scheme)
        finally:
            browser.close()
            playground.close()


def set_the_scene(playground: Playground) -> None:
    """A shop on three zones, and a pod that asks for more than there is."""
    playground.create_cluster("three-zones", name="shop")
    yaml = {"content-type": "application/yaml"}
    for stream in (SHOP.read_text(encoding="utf-8"), TOO_LARGE):
        answer = playground.http.post("/api/clusters/shop/apply/", content=stream, headers=yaml)
        assert answer.status_code == 200, answer.text
    summary = playground.http.post("/api/clusters/shop/run-until-idle/", json={"timeout_seconds": 30})
    assert summary.status_code == 200, summary.text


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


def take_pictures(playground: Playground, browser: Browser, scheme: str) -> None:
    context = browser.new_context(viewport=SIZE, color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{playground.address}/clusters/shop")
    board = Board(page)
    board.expect_live()
    expect(board.tickets("unschedulablePods")).to_have_count(1)
    board.tickets("unschedulablePods").click()
    save(page, f"rejected-{scheme}")
    board.pods(phase="running").first.click()
    save(page, f"board-{scheme}")
    context.close()


def save(page: Page, name: str) -> None:
    # What a click asked for has arrived.
    page.wait_for_load_state("networkidle")
    path = IMAGES / f"{name}.png"
    page.screenshot(path=path)
    print(path.relative_to(IMAGES.parents[1]))


if __name__ == "__main__":
    main()
