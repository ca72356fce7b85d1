import { expect, test } from "vitest";
import { toCsv } from "./csv";

test("a cell with a comma, a quote or a line break is quoted", () => {
  expect(toCsv([['say "hi", there', 1, "two\nlines"]])).toBe('"say ""hi"", there",1,"two\nlines"');
});
