import { expect, test } from "vitest";
import { fitted, MOST_SCALE, panned, planeIn, revealing, zoomedAt } from "./viewport";

const bounds = { content: { width: 2000, height: 1000 }, view: { width: 1000, height: 600 } };

test("fitted shows everything, in the middle", () => {
  const { scale, x, y } = fitted(bounds);
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + 2000 * scale).toBeLessThanOrEqual(1000);
  expect(y + 1000 * scale).toBeLessThanOrEqual(600);
  expect(x).toBeCloseTo(1000 - (x + 2000 * scale));
});

test("zooming keeps the point under the hand where it is", () => {
  const before = fitted(bounds);
  const hand = { x: 400, y: 300 };
  const after = zoomedAt(before, 2, hand, bounds);
  expect((hand.x - after.x) / after.scale).toBeCloseTo((hand.x - before.x) / before.scale);
  expect((hand.y - after.y) / after.scale).toBeCloseTo((hand.y - before.y) / before.scale);
});

test("zooming ends at both ends", () => {
  const hand = { x: 500, y: 300 };
  expect(zoomedAt(fitted(bounds), 1e6, hand, bounds).scale).toBe(MOST_SCALE);
  expect(zoomedAt(fitted(bounds), 1e-6, hand, bounds).scale).toBeGreaterThan(0.1);
});

test("however far it is panned, some of the board stays in view", () => {
  for (const [dx, dy] of [
    [1e6, 1e6],
    [-1e6, -1e6],
  ] as const) {
    const plane = planeIn(panned(fitted(bounds), dx, dy, bounds), bounds.view);
    expect(plane.x).toBeLessThan(2000);
    expect(plane.x + plane.width).toBeGreaterThan(0);
    expect(plane.y).toBeLessThan(1000);
    expect(plane.y + plane.height).toBeGreaterThan(0);
  }
});

test("revealing moves no more than is needed", () => {
  const near = zoomedAt(fitted(bounds), 4, { x: 0, y: 0 }, bounds);
  const inView = { ...planeIn(near, bounds.view), width: 10, height: 10 };
  const middle = { ...inView, x: inView.x + 100, y: inView.y + 100 };
  expect(revealing(near, middle, bounds)).toBe(near);
  const moved = revealing(near, { x: 1900, y: 900, width: 50, height: 40 }, bounds);
  const plane = planeIn(moved, bounds.view);
  expect(plane.x + plane.width).toBeGreaterThan(1950);
  expect(plane.y + plane.height).toBeGreaterThan(940);
});
