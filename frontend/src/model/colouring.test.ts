import { describe, expect, test } from "vitest";
import {
  type ColourBy,
  categoriesOf,
  colourByOf,
  decisionColumns,
  idOf,
  MOST_CATEGORIES,
  paintOfNode,
  paintOfPod,
} from "./colouring";
import { loadOf } from "./load";
import type { CycleReport } from "./messages.generated";
import { nodeCard, podCard } from "./testing";

const node = nodeCard("n1", { allocatable: { cpu: 1000, pods: 110 } });
const plain = (by: ColourBy) => ({ by, categories: undefined, decision: undefined });
const cpu = plain({ kind: "utilisation", resource: "cpu" });

describe("utilisation", () => {
  test.each([
    [0, { level: 0, over: false, word: "0%" }],
    [500, { level: 0.5, over: false, word: "50%" }],
    [1000, { level: 1, over: false, word: "100%" }],
    [1500, { level: 1, over: true, word: "150%" }],
  ])("%im of one core", (requested, expected) => {
    const load = loadOf([podCard("p", { node_name: "n1", requests: { cpu: requested } })]);
    expect(paintOfNode(cpu, node, load)).toEqual({ kind: "level", ...expected });
  });

  test("a resource that the node does not have is no utilisation, unless somebody asks for it", () => {
    const gpu = plain({ kind: "utilisation", resource: "nvidia.com/gpu" });
    expect(paintOfNode(gpu, node, loadOf([])).kind).toBe("none");
    const load = loadOf([podCard("p", { requests: { "nvidia.com/gpu": 1 } })]);
    expect(paintOfNode(gpu, node, load)).toMatchObject({ over: true, word: "∞" });
  });
});

const report = {
  filter: {
    nodes: ["n1", "n2", "n3"],
    status: [-1, 0, 1],
    statuses: [
      { plugin: "NodeResourcesFit", code: "Unschedulable", reasons: ["Insufficient cpu"] },
      { plugin: "NodeAffinity", code: "UnschedulableAndUnresolvable", reasons: ["no match"] },
    ],
  },
  score: {
    nodes: ["n1", "n4"],
    totals: [250, 200],
    plugins: [{ plugin: "ImageLocality", raw: [1, 2], normalized: [25, 100], weight: 1, weighted: [25, 100] }],
  },
} as unknown as CycleReport;

describe("a decision", () => {
  const decision = decisionColumns(report);
  const paint = (by: ColourBy, name: string) =>
    paintOfNode({ by, categories: undefined, decision }, nodeCard(name), loadOf([]));

  test("says of every node whether it fits, and the first reason", () => {
    const filter = { kind: "filter" } as const;
    expect(paint(filter, "n1")).toEqual({ kind: "verdict", verdict: "fits", word: "" });
    expect(paint(filter, "n2")).toEqual({
      kind: "verdict",
      verdict: "rejected",
      word: "NodeResourcesFit: Insufficient cpu",
    });
    expect(paint(filter, "n3")).toMatchObject({ verdict: "unresolvable" });
    expect(paint(filter, "never-looked-at").kind).toBe("none");
  });

  test("gives scores of a plugin from 0 to 100, totals from the lowest to the highest", () => {
    expect(paint({ kind: "score", plugin: "ImageLocality" }, "n1")).toMatchObject({ level: 0.25, word: "25" });
    expect(paint({ kind: "score", plugin: "total" }, "n1")).toMatchObject({ level: 1, word: "250" });
    expect(paint({ kind: "score", plugin: "total" }, "n4")).toMatchObject({ level: 0, word: "200" });
  });
});

describe("kinds of pods", () => {
  const of = (name: string, namespace: string) => podCard(name, { namespace, node_name: "n1" });
  const loads = new Map([["n1", loadOf([of("a", "shop"), of("b", "shop"), of("c", "data")])]]);

  test("are listed by name with their numbers; a node has the colour of most of its pods", () => {
    const categories = categoriesOf("namespace", loads);
    expect(categories.shown).toEqual([
      { name: "data", pods: 1 },
      { name: "shop", pods: 2 },
    ]);
    const context = { by: { kind: "namespace" } as const, categories, decision: undefined };
    expect(paintOfNode(context, node, loads.get("n1") ?? loadOf([]))).toEqual({
      kind: "category",
      index: 1,
      word: "shop",
    });
    expect(paintOfPod(context, of("x", "other"))).toMatchObject({ index: MOST_CATEGORIES, word: "other" });
  });

  test("beyond the colours there are, the rest is counted together", () => {
    const pods = Array.from({ length: 12 }, (_, n) => of(`p${n}`, `ns-${n}`));
    const categories = categoriesOf("namespace", new Map([["n1", loadOf(pods)]]));
    expect(categories.shown).toHaveLength(MOST_CATEGORIES);
    expect(categories.others).toBe(4);
  });

  test("a pod of a Deployment belongs to the Deployment, not to a hash", () => {
    const pod = podCard("web-5f-x", {
      labels: { "pod-template-hash": "5f" },
      owner: { kind: "ReplicaSet", name: "web-5f", uid: "rs" },
    });
    expect(categoriesOf("owner", new Map([["n1", loadOf([pod])]])).shown[0]?.name).toBe("web");
  });
});

test.each(["utilisation:nvidia.com/gpu", "score:total", "filter", "namespace", "owner", "priority"])(
  "%s is read as it was written",
  (id) => {
    expect(idOf(colourByOf(id))).toBe(id);
  },
);

test.each(["", "score:", "rainbow", "utilisation:", "constructor"])("%j is read as utilisation of cpu", (id) => {
  expect(idOf(colourByOf(id))).toBe("utilisation:cpu");
});
