import { describe, expect, it } from "vitest";
import { cardPlace, STEPS, stepAfter, stepBefore } from "./steps";

describe("the steps", () => {
  it("lead from the first to the last and back", () => {
    expect(STEPS.map(stepAfter)).toEqual([...STEPS.slice(1), undefined]);
    expect(STEPS.map(stepBefore)).toEqual([undefined, ...STEPS.slice(0, -1)]);
  });
});

describe("the card", () => {
  const page = { width: 1280, height: 800 };
  const card = { width: 320, height: 160 };

  it.each([
    ["right of what stands at the left", { left: 10, top: 100, width: 200, height: 40 }, { left: 222, top: 100 }],
    ["left of what stands at the right", { left: 900, top: 50, width: 380, height: 600 }, { left: 568, top: 50 }],
    ["above a strip at the bottom", { left: 0, top: 640, width: 1280, height: 160 }, { left: 480, top: 468 }],
    ["below a strip at the top", { left: 0, top: 0, width: 1280, height: 48 }, { left: 480, top: 60 }],
    ["in the middle of what fills the page", { left: 0, top: 0, width: 1280, height: 800 }, { left: 480, top: 320 }],
  ])("stands %s", (_, target, place) => {
    expect(cardPlace(target, card, page)).toEqual(place);
  });

  it("stands in the middle of the page where its target is not there", () => {
    expect(cardPlace(undefined, card, page)).toEqual({ left: 480, top: 320 });
  });

  it.each([
    { left: 1270, top: 790, width: 10, height: 10 },
    { left: -50, top: -50, width: 60, height: 60 },
  ])("never leaves the page", (target) => {
    const { left, top } = cardPlace(target, card, page);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(left + card.width).toBeLessThanOrEqual(page.width);
    expect(top + card.height).toBeLessThanOrEqual(page.height);
  });
});
