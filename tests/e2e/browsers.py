"""The system's browser; Playwright's own cannot be downloaded everywhere."""

from __future__ import annotations

import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium_program() -> str | None:
    """None: let Playwright use its own."""
    return next(filter(None, map(shutil.which, NAMES)), None)
