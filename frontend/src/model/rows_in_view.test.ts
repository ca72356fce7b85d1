import { expect, test } from "vitest";
import { rowsInView } from "./rows_in_view";

test("of a long list only what is in view and a little around it is drawn", () => {
  expect(rowsInView(2400, 240, 24, 20_000, 2)).toEqual({ first: 98, end: 112 });
  expect(rowsInView(0, 240, 24, 3)).toEqual({ first: 0, end: 3 });
});

test("a list that became shorter while its end was in view shows its end", () => {
  expect(rowsInView(2400, 240, 24, 10, 2)).toEqual({ first: 8, end: 10 });
});
