import { expect, test } from "vitest";
import { cellsOf, packPods } from "./core_cells";
import { podCard } from "./testing";

test.each([
  [500, { count: 1, coresPerCell: 1 }],
  [4000, { count: 4, coresPerCell: 1 }],
  [32000, { count: 32, coresPerCell: 1 }],
  [96000, { count: 24, coresPerCell: 4 }],
  [0, { count: 1, coresPerCell: 1 }],
])("%im of cpu are %j", (millis, grid) => {
  expect(cellsOf(millis)).toEqual(grid);
});

test("pods lie behind each other, as long as their requests", () => {
  const pods = [podCard("a", { requests: { cpu: 500 } }), podCard("b", { requests: { cpu: 2000 } })];
  const packed = packPods(pods, cellsOf(4000)).map(({ from, to }) => [from, to]);
  expect(packed).toEqual([
    [0, 0.5],
    [0.5, 2.5],
  ]);
});

test("a pod that asks for nothing is seen, one that ended is not", () => {
  const pods = [podCard("idle", { requests: {} }), podCard("done", { phase: "Succeeded" })];
  expect(packPods(pods, cellsOf(4000)).map(({ pod, to }) => [pod.name, to])).toEqual([["idle", 0.05]]);
});
