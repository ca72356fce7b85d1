import { expect, it } from "vitest";
import { described } from "./configuration_change";

it("a single value has a before and an after", () => {
  expect(described({ path: "weights.A", before: 1, after: 5 }, "none")).toEqual({
    kind: "value",
    path: "weights.A",
    before: "1",
    after: "5",
  });
  expect(described({ path: "x", before: null, after: { a: 1 } }, "none")).toMatchObject({
    before: "none",
    after: '{"a":1}',
  });
});

it("of a list is told who came and who went", () => {
  const fact = { path: "plugins.score", before: ["A", "B"], after: ["B", "C"] };
  expect(described(fact, "none")).toMatchObject({ kind: "list", added: ["C"], removed: ["A"] });
});

it("a list that is new or gone is told as one", () => {
  expect(described({ path: "p", before: null, after: ["A"] }, "none")).toMatchObject({ added: ["A"], removed: [] });
  expect(described({ path: "p", before: ["A"], after: null }, "none")).toMatchObject({ added: [], removed: ["A"] });
});

it("where only the order changed nobody came or went", () => {
  const fact = { path: "p", before: ["A", "B"], after: ["B", "A"] };
  expect(described(fact, "none")).toMatchObject({ added: [], removed: [], after: ["B", "A"] });
});
