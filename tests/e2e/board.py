"""The board in a test's words."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


class Board:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.area = page.get_by_test_id("board")

    def template(self, name: str) -> Locator:
        return self.page.get_by_test_id(f"template-{name}")

    def node(self, name: str) -> Locator:
        return self.page.locator(f'[data-testid="node"][data-node="{name}"]')

    def pods(self, phase: str = "", node: Locator | None = None) -> Locator:
        """Chips of bound pods, those of one phase and one node where these are named."""
        wanted = f'[data-phase="{phase}"]' if phase else ""
        return (node or self.page).locator(f'[data-testid="pod"]{wanted}')

    def lane(self, name: str) -> Locator:
        return self.page.get_by_test_id(f"lane-{name}")

    def tickets(self, lane: str) -> Locator:
        return self.lane(lane).get_by_test_id("ticket")

    def drag(self, what: Locator, target: Locator) -> None:
        """In steps, as a hand does: dnd-kit takes one jump of the mouse for a click."""
        what.drag_to(target, steps=10)

    def hold_over(self, what: Locator, target: Locator) -> None:
        """Begin a drag and rest over the target; `self.page.mouse.up()` drops."""
        start, end = _middle(what), _middle(target)
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(start[0] + 10, start[1] + 10, steps=3)
        self.page.mouse.move(*end, steps=10)

    def pick_up(self) -> None:
        """What has the focus, by keyboard; arrow keys are heard from the browser's next turn on."""
        self.page.keyboard.press("Space")
        expect(self.page.get_by_test_id("drag-announcer")).to_contain_text("Picked up")
        self.page.evaluate("() => new Promise((done) => setTimeout(done))")

    def expect_live(self) -> None:
        expect(self.page.get_by_test_id("connection")).to_have_attribute("data-kind", "live", timeout=30_000)


def _middle(what: Locator) -> tuple[float, float]:
    what.scroll_into_view_if_needed()
    box = what.bounding_box()
    assert box is not None, "not on the page"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
