import { describe, expect, test } from "vitest";
import type { NodeVerdict, Template } from "../transport/api_types";
import {
  type DragEvent,
  type DraggedPod,
  type DragSource,
  type DragState,
  type DropContext,
  type DropTarget,
  dropOn,
  IDLE,
  nextDrag,
  type Verdicts,
} from "./drag";

const pod = (name: string, node = "", owner = ""): DraggedPod => ({
  namespace: "default",
  name,
  uid: `uid-${name}`,
  node,
  owner,
});
const pods = (...all: DraggedPod[]): DragSource => ({ kind: "pods", pods: all });
const web = pods(pod("web"));
const running = pods(pod("web", "n1", "ReplicaSet web"));
const template = (kind: "Pod" | "Node"): DragSource => ({
  kind: "template",
  template: {
    id: "t",
    title: "T",
    description: "",
    kind,
    manifest: { apiVersion: "v1", kind, metadata: {} },
  } satisfies Template,
});
const taint: DragSource = {
  kind: "mark",
  mark: { kind: "taint", taint: { key: "gpu", value: "", effect: "NoSchedule" } },
};
const verdict = (node: string, fits: boolean): NodeVerdict => ({
  node,
  fits,
  plugin: fits ? "" : "NodeResourcesFit",
  code: fits ? "Success" : "Unschedulable",
  reasons: fits ? [] : ["Insufficient cpu"],
  score: fits ? 90 : null,
  rejections: [],
});
const ready: Verdicts = {
  kind: "ready",
  byNode: new Map([
    ["roomy", verdict("roomy", true)],
    ["full", verdict("full", false)],
    ["n1", verdict("n1", true)],
  ]),
};
const ZONE = "topology.kubernetes.io/zone";
const context = (over: Partial<DropContext> = {}): DropContext => ({
  way: "hand",
  pickedNodes: new Set(),
  groupBy: ZONE,
  groupOf: (name) => ({ roomy: "a", full: "b" })[name] ?? "",
  ...over,
});
const on = (name: string): DropTarget => ({ kind: "node", name });
const BOARD: DropTarget = { kind: "board" };
const drop = (
  source: DragSource,
  target: DropTarget | undefined,
  over: Partial<DropContext> = {},
  verdicts: Verdicts = ready,
) => dropOn(source, target, verdicts, context(over));
const deedsOf = (dropped: ReturnType<typeof dropOn>) => (typeof dropped === "string" ? dropped : dropped.deeds);

describe("a pending pod on a node that fits", () => {
  test("is bound by hand where that was said", () => {
    expect(deedsOf(drop(web, on("roomy")))).toEqual([
      { kind: "bind", pods: [{ namespace: "default", name: "web" }], node: "roomy" },
    ]);
  });

  test("is replaced by a copy with nodeAffinity where that was said", () => {
    expect(deedsOf(drop(web, on("roomy"), { way: "affinity" }))).toMatchObject([{ kind: "pin", node: "roomy" }]);
  });

  test("asks which of the two where nobody has said", () => {
    expect(drop(web, on("roomy"), { way: "ask" })).toBe("ask");
  });
});

describe("a pod", () => {
  test.each([
    ["asks where it does not fit", web, "full"],
    ["that runs asks where it does not fit", running, "full"],
    ["of a template asks where it does not fit", template("Pod"), "full"],
  ])("%s", (_name, source, node) => {
    expect(drop(source, on(node))).toBe("ask");
  });

  test("asks while the scheduler has not answered yet", () => {
    expect(drop(web, on("roomy"), {}, { kind: "asking" })).toBe("ask");
  });

  test("that runs is moved, whatever was said of pending ones", () => {
    expect(deedsOf(drop(running, on("roomy"), { way: "ask" }))).toMatchObject([{ kind: "move", node: "roomy" }]);
  });

  test("stays where it is dropped on its own node", () => {
    expect(drop(running, on("n1"))).toBe("nothing");
  });

  test("that is pending is left to the scheduler on the board", () => {
    expect(drop(web, BOARD)).toBe("nothing");
  });
});

test("of several pods the pending are bound and the running moved, those that are there already left", () => {
  const several = pods(pod("a"), pod("b", "n1"), pod("c", "roomy"));
  expect(deedsOf(drop(several, on("roomy")))).toEqual([
    { kind: "bind", pods: [{ namespace: "default", name: "a" }], node: "roomy" },
    { kind: "move", pods: [{ namespace: "default", name: "b" }], node: "roomy" },
  ]);
});

describe("a template", () => {
  test("on the board is created for the scheduler", () => {
    const deeds = deedsOf(drop(template("Pod"), BOARD));
    expect(deeds).toMatchObject([{ kind: "create", of: "Pod", manifest: { metadata: { generateName: "t-" } } }]);
  });

  test("on a node is created there by hand, or with nodeAffinity", () => {
    expect(deedsOf(drop(template("Pod"), on("roomy")))).toMatchObject([{ manifest: { spec: { nodeName: "roomy" } } }]);
    const required = {
      nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["roomy"] }] }],
    };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    expect(deedsOf(drop(template("Pod"), on("roomy"), { way: "affinity" }))).toMatchObject([
      { manifest: { spec: { affinity } } },
    ]);
  });

  test("of a node adds one wherever it is dropped", () => {
    expect(deedsOf(drop(template("Node"), on("full")))).toMatchObject([{ kind: "create", of: "Node" }]);
  });
});

describe("a taint", () => {
  test("is put on the node under it", () => {
    expect(deedsOf(drop(taint, on("full")))).toMatchObject([{ kind: "edit_nodes", names: ["full"] }]);
  });

  test("is put on all nodes that are picked if it is dropped on one of them", () => {
    const picked = { pickedNodes: new Set(["full", "roomy"]) };
    expect(deedsOf(drop(taint, on("full"), picked))).toMatchObject([{ names: ["full", "roomy"] }]);
    expect(deedsOf(drop(taint, on("n1"), picked))).toMatchObject([{ names: ["n1"] }]);
  });
});

describe("a node that is carried", () => {
  const carried: DragSource = { kind: "nodes", names: ["full"] };
  const label = (value: string | null) => ({ kind: "label", key: ZONE, value });

  test.each([
    ["to a region gets its label", { kind: "group", group: "a" } as const, "a"],
    ["onto another node gets that one's label", on("roomy"), "a"],
    ["to the nodes without the label loses it", { kind: "group", group: "" } as const, null],
  ])("%s", (_name, target, value) => {
    expect(deedsOf(drop(carried, target))).toEqual([{ kind: "edit_nodes", names: ["full"], edit: label(value) }]);
  });

  test("stays where it is already, and where the board has no groups", () => {
    expect(drop(carried, { kind: "group", group: "b" })).toBe("nothing");
    expect(drop(carried, on("roomy"), { groupBy: "" })).toBe("nothing");
  });
});

describe("nextDrag", () => {
  const play = (...events: DragEvent[]): DragState => events.reduce(nextDrag, IDLE);
  const over = (name: string): DragEvent => ({ type: "moved_over", target: on(name) });
  const dropped: DragEvent = { type: "dropped", context: context() };
  const dragged: DragEvent[] = [
    { type: "picked_up", source: web },
    { type: "verdicts", source: web, verdicts: ready },
  ];

  test("works at once where nothing has to be asked", () => {
    const state = play(...dragged, over("roomy"), dropped);
    expect(state).toMatchObject({ kind: "working", node: "roomy", deeds: [{ kind: "bind" }] });
    expect(nextDrag(state, { type: "done" })).toBe(IDLE);
  });

  test("asks first where it does not fit, and works in the way that is chosen", () => {
    const asking = play(...dragged, over("full"), dropped);
    expect(asking).toMatchObject({ kind: "asking", node: "full", verdict: { reasons: ["Insufficient cpu"] } });
    expect(nextDrag(asking, { type: "cancelled" })).toBe(IDLE);
    expect(nextDrag(asking, { type: "confirmed", way: "affinity" })).toMatchObject({ deeds: [{ kind: "pin" }] });
  });

  test("a drop outside changes nothing", () => {
    expect(play(...dragged, over("roomy"), { type: "moved_over", target: undefined }, dropped)).toBe(IDLE);
  });

  test("an answer about another drag is ignored", () => {
    const state = play(
      { type: "picked_up", source: web },
      { type: "verdicts", source: template("Pod"), verdicts: ready },
    );
    expect(state).toMatchObject({ verdicts: { kind: "asking" } });
  });

  test("staying over the same node keeps the same state", () => {
    const state = play(...dragged, over("roomy"));
    expect(nextDrag(state, over("roomy"))).toBe(state);
  });
});
