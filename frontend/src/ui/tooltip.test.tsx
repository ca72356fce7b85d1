import { expect, test } from "vitest";
import { tipLines } from "./tooltip";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);

test("a tip of twenty lines is shown whole", () => {
  expect(tipLines(numbered(20).join("\n"))).toEqual(numbered(20));
});

test("of a longer one the first are shown, and how many more there are", () => {
  expect(tipLines(numbered(1000).join("\n"))).toEqual([...numbered(19), "and 981 more lines"]);
});

test("a line without end is cut", () => {
  expect(tipLines("x".repeat(20_000))[0]?.length).toBeLessThan(500);
});
