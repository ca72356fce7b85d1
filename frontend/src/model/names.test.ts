import { expect, test } from "vitest";
import { byName, compareNames } from "./names";

test("numbers in names are compared as numbers", () => {
  expect(["n10", "n2", "a", "n1"].sort(compareNames)).toEqual(["a", "n1", "n2", "n10"]);
  expect([{ name: "n10" }, { name: "n2" }].sort(byName)).toEqual([{ name: "n2" }, { name: "n10" }]);
});
