import { expect, test } from "vitest";
import { nextSpeed, SPEEDS, speedStep } from "./speed";

test("a speed is shown at the nearest step", () => {
  expect(SPEEDS[speedStep(1)]).toBe(1);
  expect(SPEEDS[speedStep(0.25)]).toBe(0.2);
  expect(SPEEDS[speedStep(1000)]).toBe(100);
});

test("faster and slower go step by step and stop at the ends", () => {
  expect([nextSpeed(1, 1), nextSpeed(1, -1), nextSpeed(0.25, 1)]).toEqual([2, 0.5, 0.5]);
  expect([nextSpeed(100, 1), nextSpeed(0.1, -1), nextSpeed(1000, 1)]).toEqual([100, 0.1, 1000]);
});
