import { expect, test } from "vitest";
import { podCard } from "../../model/testing";
import { podRects } from "./board_scene";

const BOX = { x: 10, y: 20, size: 8, columns: 4, count: 8 };
const rectsOf = (from: number, to: number) => podRects({ pod: podCard("web"), from, to }, BOX);

test("a pod within a row is one stretch", () => {
  expect(rectsOf(1, 2.5)).toEqual([{ x: 18, y: 20, width: 11, height: 7 }]);
});

test("a pod that goes beyond a row goes on in the next one", () => {
  expect(rectsOf(3, 5)).toEqual([
    { x: 34, y: 20, width: 7, height: 7 },
    { x: 10, y: 28, width: 7, height: 7 },
  ]);
});

test("a pod that asks for next to nothing is seen all the same", () => {
  expect(rectsOf(0, 0.01)).toMatchObject([{ width: 0.5 }]);
});
