import { describe, expect, test } from "vitest";
import { paintOfNode } from "./colouring";
import { parseQuery } from "./filter_language";
import { groupNodes } from "./grouping";
import { pageOfPlugin } from "./kubernetes_pages";
import { loadOf } from "./load";
import { missingShare } from "./nearest";
import { shareOf } from "./node_rows";
import { barsOf } from "./node_view";
import { own } from "./own";
import { rescore } from "./rescore";
import { nodeCard, podCard, scoreReport } from "./testing";

/** What every object of JavaScript has without being asked. */
const INHERITED = ["__proto__", "constructor", "toString", "hasOwnProperty"];

const node = nodeCard("n1", { labels: {} });
const load = loadOf([podCard("web", { node_name: "n1" })]);

describe.each(INHERITED)("of %s a map without it has nothing", (key) => {
  test("whoever looks", () => {
    expect(own({}, key)).toBeUndefined();
    expect(own(JSON.parse(`{"${key}": 1}`), key)).toBe(1);
  });

  test("grouping by it puts all nodes into the group of those without", () => {
    expect(groupNodes([node], key).map(({ name }) => name)).toEqual([""]);
  });

  test("a filter for it finds nothing, and says so without failing", () => {
    const subject = { kind: "node", node } as const;
    expect(parseQuery(`${key}=x`).matches(subject)).toBe(false);
    expect(parseQuery(`${key}!=x`).matches(subject)).toBe(false);
    expect(parseQuery(`${key}:x`).problems).toMatchObject([{ kind: "unknown_key" }]);
    expect(parseQuery(`is:${key}`).problems).toMatchObject([{ kind: "unknown_state" }]);
  });

  test("its amount is 0", () => {
    const colours = { by: { kind: "utilisation", resource: key }, categories: undefined, decision: undefined } as const;
    expect(paintOfNode(colours, node, load)).toMatchObject({ kind: "none" });
    expect(shareOf({ node, load }, key)).toBe(0);
    expect(missingShare({ [key]: 2 }, {}, {})).toBe(1);
  });

  test("a plugin of that name keeps its own weight, and Kubernetes has no page of it", () => {
    const score = scoreReport(["n1", "n2"], { [key]: [1, 2] }, { [key]: 3 });
    expect(rescore(score, {}).changed).toEqual([]);
    expect(pageOfPlugin(key, false)).toBeUndefined();
  });
});

test("a resource named as something inherited is summed and drawn as any other", () => {
  const asking = loadOf([
    podCard("a", { requests: { constructor: 1 } }),
    podCard("b", { requests: { constructor: 2 } }),
  ]);
  const bar = barsOf(nodeCard("n1"), asking.usage).find(({ resource }) => resource === "constructor");
  expect(bar).toMatchObject({ requested: 3, allocatable: 0 });
});
