"""What the page costs: `python -m tests.benchmarks.bench_ui`.

On the embedded default stack and the system's Chromium, headless (on most
machines that means drawing by processor):

- the first load: scripts and styles as gzip;
- from the request to the first drawn board with 10, 1,000 and 5,000 nodes of ten pods each;
- milliseconds between frames while the board is panned and zoomed, all nodes in view and closer;
- one pod that comes and goes on the full board: tiles drawn, processor time of the page.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from playground.config import environment
from tests.e2e.browsers import chromium_program
from tests.e2e.frames import PAN, ZOOM, record_frames
from tests.e2e.page_load import gzip_kilobytes, loaded
from tests.services.running import Playground, clean_environ

SIZE = {"width": 1920, "height": 1080}
PATIENCE_MS = 120_000
PODS_A_NODE = 10
SINGLE_PODS = 10

# Cards are there with the first of them, a canvas once it has drawn.
DRAWN = """() => document.querySelector('[data-testid="node"], canvas[data-painted]') && performance.now()"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--nodes", type=int, nargs="*", default=[10, 1000, 5000])
    sizes = parser.parse_args().nodes
    print(f"cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="pg-") as folder, sync_playwright() as playwright:
        running = Playground.start_all(Path(folder), clean_environ())
        browser = playwright.chromium.launch(executable_path=chromium_program())
        try:
            for nodes in sizes:
                _measure(running, browser, nodes)
        finally:
            browser.close()
            running.close()


def _measure(running: Playground, browser: Browser, nodes: int) -> None:
    name, pods = f"nodes-{nodes}", nodes * PODS_A_NODE
    _fill(running, name, nodes, pods)
    page = browser.new_context(viewport=SIZE).new_page()  # type: ignore[arg-type]
    page.add_init_script("localStorage.setItem('playground.tour', 'seen')")
    first = _open(page, f"{running.address}/clusters/{name}")
    print(f"\n{nodes:,} nodes, {pods:,} pods")
    scripts, styles = (gzip_kilobytes(loaded(page, suffix)) for suffix in (".js", ".css"))
    print(f"  first load                        {scripts:.0f} KB of scripts, {styles:.0f} KB of styles, gzip")
    print(f"  request -> first board            {first:.0f} ms")
    if page.get_by_test_id("board-canvas").count():
        _print_frames(page)
        _print_live(running, page, name)
    page.context.close()


def _fill(running: Playground, name: str, nodes: int, pods: int) -> None:
    command = [sys.executable, "-m", "tests.benchmarks.fill_cluster", name, str(nodes), str(pods)]
    subprocess.run(command, cwd=environment.PROJECT, env=running.place.child_environ(), check=True)


def _open(page: Page, address: str) -> float:
    page.goto(address, wait_until="commit")
    return float(page.wait_for_function(DRAWN, timeout=PATIENCE_MS).json_value())


def _print_frames(page: Page) -> None:
    print(f"  frames, panned, all in view       {record_frames(page, PAN)}")
    print(f"  frames, zoomed                    {record_frames(page, ZOOM)}")
    for _ in range(5):
        page.get_by_test_id("zoom-controls").get_by_role("button").first.click()
    print(f"  frames, panned, five steps closer {record_frames(page, PAN)}")
    page.get_by_test_id("zoom-controls").get_by_role("button").last.click()


def _print_live(running: Playground, page: Page, cluster: str) -> None:
    """Pods one after the other onto the full board."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    before, tiles = _task_seconds(session), 0
    for number in range(SINGLE_PODS):
        _come_and_be_seen(running, page, cluster, number)
        tiles = max(tiles, int(page.locator("canvas[data-painted]").get_attribute("data-painted") or 0))
    spent = (_task_seconds(session) - before) * 1000 / SINGLE_PODS
    print(
        f"  one more pod                      at most {tiles} tiles drawn, {spent:.0f} ms of the page's processor time"
    )


def _come_and_be_seen(running: Playground, page: Page, cluster: str, number: int) -> None:
    manifest = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"single-{number}"},
        "spec": {"nodeName": f"node-{number:04}", "containers": [{"name": "main", "image": "registry.example/app:1"}]},
    }
    summary = page.get_by_test_id("board-summary")
    shown = summary.inner_text()
    answer = running.http.post(f"/k8s/{cluster}/api/v1/namespaces/default/pods", json=manifest)
    assert answer.status_code == 201, answer.text
    page.wait_for_function(
        "(shown) => document.querySelector('[data-testid=board-summary]').innerText !== shown", arg=shown
    )
    page.wait_for_timeout(300)


def _task_seconds(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


if __name__ == "__main__":
    main()
