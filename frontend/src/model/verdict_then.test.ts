import { expect, test } from "vitest";
import { cycleReport, filterReport, scoreReport, status } from "./testing";
import { verdictThen } from "./verdict_then";

const REPORT = cycleReport("web", {
  node: "n1",
  filter: filterReport({ n1: "", n2: "", n3: "", n4: "TaintToleration" }),
  score: scoreReport(["n1", "n2", "n3"], { Fit: [50, 40, 60], Image: [30, 20, 20] }),
});

test("a rejected node names the plugin and its reason", () => {
  expect(verdictThen(REPORT, "n4")).toMatchObject({ kind: "rejected", status: { plugin: "TaintToleration" } });
});

test("a node that lost names the plugins by which it did, worst first, and those that spoke for it", () => {
  expect(verdictThen(REPORT, "n2")).toEqual({
    kind: "lost",
    chosen: "n1",
    behind: 20,
    by: [
      { plugin: "Fit", points: -10 },
      { plugin: "Image", points: -10 },
    ],
  });
});

test("a node with the same total lost the draw alone", () => {
  expect(verdictThen(REPORT, "n3")).toEqual({ kind: "tied", chosen: "n1" });
});

test("the chosen node says so", () => {
  expect(verdictThen(REPORT, "n1")).toEqual({ kind: "chosen" });
});

test("a node that was not looked at is told apart from one that PreFilter left out, and from an unknown one", () => {
  const sampled = cycleReport("web", { filter: filterReport({ n1: "" }, { total_nodes: 9 }) });
  expect(verdictThen(sampled, "n7")).toEqual({ kind: "not_asked" });
  const absent = status("UnschedulableAndUnresolvable", "NodeAffinity", "left out");
  const narrowed = cycleReport("web", { filter: filterReport({ n1: "" }, { total_nodes: 9, absent }) });
  expect(verdictThen(narrowed, "n7")).toEqual({ kind: "rejected", status: absent });
  expect(verdictThen(REPORT, "new")).toEqual({ kind: "unknown" });
});
