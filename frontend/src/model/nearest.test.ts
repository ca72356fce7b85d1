import { expect, test } from "vitest";
import { missingShare, nearest } from "./nearest";

const rejection = (plugin: string, ...remedies: string[]) => ({ plugin, reasons: [plugin], remedies });

const CPU = rejection("NodeResourcesFit", "needs 500m more CPU");
const MUCH = rejection("NodeResourcesFit", "needs 60 more CPU");
const TAINT = rejection("TaintToleration", "tolerate gpu:NoSchedule");

test("fewer rejecting plugins are nearer, then less that is missing", () => {
  const groups = nearest([
    { node: "both", rejections: [TAINT, CPU], missing: 0.1 },
    { node: "far", rejections: [MUCH], missing: 15 },
    { node: "near", rejections: [CPU], missing: 0.1 },
  ]);
  expect(groups.map(({ nodes }) => nodes[0])).toEqual(["near", "far", "both"]);
});

test("nodes that ask for the same changes are one group", () => {
  const groups = nearest([
    { node: "n1", rejections: [CPU], missing: 0.2 },
    { node: "n2", rejections: [CPU], missing: 0.1 },
  ]);
  expect(groups).toEqual([{ nodes: ["n1", "n2"], rejections: [CPU], missing: 0.1 }]);
});

test("what is missing is a share of what the node has; what suffices counts nothing", () => {
  expect(missingShare({ cpu: 2000, memory: 10 }, { cpu: 4000, memory: 100 }, { cpu: 3000, memory: 50 })).toBe(0.25);
});

test("of what a node does not have at all, everything is missing", () => {
  expect(missingShare({ "nvidia.com/gpu": 2 }, { cpu: 4000 }, {})).toBe(1);
});
