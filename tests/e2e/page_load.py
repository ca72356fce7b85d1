"""What a page loaded, and what that costs on the wire."""

from __future__ import annotations

import gzip
from pathlib import Path
from urllib.parse import urlparse

from playwright.sync_api import Page

from playground.config import environment

DIST = environment.PROJECT / "frontend" / "dist"
NAMES = "() => performance.getEntriesByType('resource').map((entry) => entry.name)"


def loaded(page: Page, *suffixes: str) -> list[Path]:
    """Files of the build that the page asked for so far."""
    paths = [DIST / urlparse(name).path.removeprefix("/static/") for name in page.evaluate(NAMES)]
    return sorted({path for path in paths if path.suffix in suffixes and path.is_file()})


def gzip_kilobytes(paths: list[Path]) -> float:
    return sum(len(gzip.compress(path.read_bytes())) for path in paths) / 1024
