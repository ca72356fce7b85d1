"""How long frames take while a hand pans and zooms the board: measured in the page, frame by frame."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from playwright.sync_api import Page

# One wheel event before each frame, as a hand on a trackpad makes them; the time between frames is noted.
RECORD = """
async ({frames, event}) => {
  const board = document.querySelector('[data-testid="board-canvas"]');
  const box = board.getBoundingClientRect();
  const at = {clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, bubbles: true, cancelable: true};
  const nextFrame = () => new Promise(requestAnimationFrame);
  const times = [];
  let before = await nextFrame();
  for (let i = 0; i < frames; i++) {
    // There and back again, so that the board stays in view.
    const way = Math.floor(i / 20) % 2 ? -1 : 1;
    const turned = Object.fromEntries(Object.entries(event).map(([k, v]) => [k, typeof v === 'number' ? v * way : v]));
    board.dispatchEvent(new WheelEvent('wheel', {...at, ...turned}));
    const now = await nextFrame();
    times.push(now - before);
    before = now;
  }
  return times;
}
"""

PAN = {"deltaX": 12, "deltaY": 7}
ZOOM = {"deltaY": 12, "ctrlKey": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameTimes:
    """Milliseconds between frames."""

    p50: float
    p95: float
    longest: float

    def __str__(self) -> str:
        return f"p50 {self.p50:.1f} ms  p95 {self.p95:.1f} ms  max {self.longest:.1f} ms"


def record_frames(page: Page, event: Mapping[str, object], frames: int = 120) -> FrameTimes:
    times = sorted(page.evaluate(RECORD, {"frames": frames, "event": dict(event)}))
    return FrameTimes(p50=_part(times, 0.5), p95=_part(times, 0.95), longest=times[-1])


def _part(sorted_times: list[float], part: float) -> float:
    return sorted_times[min(len(sorted_times) - 1, math.ceil(part * len(sorted_times)) - 1)]
