"""axe-core in the page: what it finds against WCAG 2.2 AA, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from playground.config import environment

SCRIPT = environment.PROJECT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
# Levels A and AA, and what axe calls good practice of landmarks and headings.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
# Off in axe itself: it compares a whole name with every figure that stands in a control.
LEFT_OUT = {"label-content-name-mismatch": {"enabled": False}}

RUN = """
async ([tags, rules]) => {
  const results = await axe.run(document, {runOnly: tags, rules, resultTypes: ['violations']});
  return results.violations.map(({id, help, nodes}) => ({
    id, help, nodes: nodes.map(({target, failureSummary}) => `${target.join(' ')}: ${failureSummary}`),
  }));
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    rule: str
    help: str
    places: tuple[str, ...]

    def __str__(self) -> str:
        places = "\n".join(f"    {' '.join(place.split())}" for place in self.places[:4])
        return f"{self.rule} ({len(self.places)}): {self.help}\n{places}"


def findings(page: Page) -> list[Finding]:
    page.evaluate("() => Promise.all(document.getAnimations().map((animation) => animation.finished))")
    if not page.evaluate("() => 'axe' in window"):
        # Not as a script tag: the page's content security policy lets none in.
        page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    return [_finding(each) for each in page.evaluate(RUN, [TAGS, LEFT_OUT])]


def _finding(each: dict[str, Any]) -> Finding:
    return Finding(rule=each["id"], help=each["help"], places=tuple(each["nodes"]))
