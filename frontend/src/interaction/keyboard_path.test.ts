import { expect, test } from "vitest";
import { type ArrowKey, nextSpot } from "./keyboard_path";

const grid = [
  { id: "a", x: 0, y: 0 },
  { id: "b", x: 100, y: 0 },
  { id: "c", x: 0, y: 100 },
  { id: "d", x: 100, y: 100 },
];

test.each<[string, ArrowKey, string | undefined]>([
  ["a", "ArrowRight", "b"],
  ["a", "ArrowDown", "c"],
  ["d", "ArrowLeft", "c"],
  ["d", "ArrowUp", "b"],
  ["a", "ArrowLeft", undefined],
])("from %s, %s leads to %s", (from, key, to) => {
  const start = grid.find((spot) => spot.id === from) ?? { x: 0, y: 0 };
  expect(nextSpot(start, key, grid)?.id).toBe(to);
});

test("from the queue below, up enters the last row", () => {
  expect(nextSpot({ x: 10, y: 300 }, "ArrowUp", grid)?.id).toBe("c");
});
