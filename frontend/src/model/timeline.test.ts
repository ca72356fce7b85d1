import { expect, test } from "vitest";
import { columnsOf, type History, panned, placeOf, type Slot, scaleOf, ticksOf, versionAt, zoomed } from "./timeline";

const slot = (first: number, last: number, begins: number, ends: number, over: Partial<Slot> = {}): Slot => ({
  first,
  last,
  begins,
  ends,
  scheduled: 0,
  unschedulable: 0,
  errors: 0,
  preemptions: 0,
  first_sequence: 0,
  last_sequence: 0,
  bound: 0,
  failed_bindings: 0,
  pods_created: 0,
  pods_deleted: 0,
  node_changes: 0,
  changes: last - first + 1,
  ...over,
});

/** A burst at second 0, an idle hour, another burst. */
const history = (over: Partial<History> = {}): History => ({
  oldest: 0,
  newest: 100,
  oldest_at: 1000,
  newest_at: 4610,
  first: 0,
  last: 100,
  slots: [
    slot(1, 50, 1000, 1005, { scheduled: 20, first_sequence: 1, last_sequence: 20 }),
    slot(51, 90, 1005, 1010, { scheduled: 4, unschedulable: 6, first_sequence: 21, last_sequence: 30 }),
    slot(91, 100, 4600, 4610, { errors: 1, first_sequence: 31, last_sequence: 31 }),
  ],
  ...over,
});

test("over time an idle hour is wide, over changes it is nothing", () => {
  const [time, changes] = [scaleOf(history(), "time"), scaleOf(history(), "changes")];
  expect(placeOf(time, 4600)).toBeCloseTo(0.997, 3);
  expect(placeOf(changes, 90)).toBe(0.9);
});

test("a place of the scale is a version", () => {
  const [time, changes] = [scaleOf(history(), "time"), scaleOf(history(), "changes")];
  expect(versionAt(history(), changes, 0.42)).toBe(42);
  // In the idle hour: what was there before it.
  expect(versionAt(history(), time, 0.5)).toBe(90);
  expect(versionAt(history(), time, 0)).toBe(1);
  expect(versionAt(history(), time, 1)).toBe(100);
});

test("slots in one column are added up", () => {
  const [first, ...others] = columnsOf(history(), scaleOf(history(), "time"), 10);
  expect(first).toMatchObject({ left: 0, first: 1, last: 90, scheduled: 24, unschedulable: 6, changes: 90 });
  expect([first?.first_sequence, first?.last_sequence]).toEqual([1, 30]);
  expect(others).toHaveLength(1);
  expect(others[0]).toMatchObject({ left: 0.9, errors: 1 });
});

test("a history of one moment still has a width", () => {
  const still = history({ newest_at: 1000, slots: [slot(1, 100, 1000, 1000)] });
  const scale = scaleOf(still, "time");
  expect(scale.to).toBeGreaterThan(scale.from);
  expect(versionAt(still, scale, 0.5)).toBe(100);
});

test("zooming keeps what is under the pointer where it is", () => {
  expect(zoomed(history(), 0.5, 50)).toEqual({ first: 25, last: 75 });
  expect(zoomed(history(), 0.5, 100)).toEqual({ first: 50, last: 100 });
  expect(zoomed(history(), 2, 50)).toBeUndefined();
});

test("zooming and moving end at the history's ends", () => {
  const near = history({ first: 0, last: 20 });
  expect(zoomed(near, 0.001, 0)).toEqual({ first: 0, last: 8 });
  expect(panned(near, 0.5)).toEqual({ first: 10, last: 30 });
  expect(panned(near, -0.5)).toEqual({ first: 0, last: 20 });
  expect(panned(history(), 0.5)).toBeUndefined();
});

test.each([
  ["time", 1000, 1060, 6, [1000, 1010, 1020, 1030, 1040, 1050, 1060]],
  ["time", 0, 40 * 86_400, 4, [0, 864_000, 1_728_000, 2_592_000, 3_456_000]],
  ["changes", 0, 100, 5, [0, 20, 40, 60, 80, 100]],
  ["changes", 3, 9, 20, [3, 4, 5, 6, 7, 8, 9]],
] as const)("ticks over %s from %d to %d", (axis, from, to, most, ticks) => {
  expect(ticksOf({ axis, from, to }, most)).toEqual(ticks);
});
