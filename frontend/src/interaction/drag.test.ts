import { describe, expect, test } from "vitest";
import type { NodeVerdict, Template } from "../transport/api_types";
import { ApiError } from "../transport/errors";
import { type DragEvent, type DragSource, type DragState, IDLE, intentOf, nextDrag, type Verdicts } from "./drag";

const pod: DragSource = { kind: "pod", pod: { namespace: "default", name: "web", uid: "u1" } };
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
  ]),
};
const play = (...events: DragEvent[]): DragState => events.reduce(nextDrag, IDLE);
const over = (name: string): DragEvent => ({ type: "moved_over", target: { kind: "node", name } });

describe("a drop means", () => {
  test.each([
    ["a pod on a node that fits", pod, "roomy", "bind"],
    ["a pod on a node that does not fit", pod, "full", "ask"],
    ["a pod template on a node that fits", template("Pod"), "roomy", "create_on_node"],
    ["a pod template on a node that does not fit", template("Pod"), "full", "ask"],
    ["a node template on a node", template("Node"), "roomy", "add_node"],
  ])("%s", (_name, source, node, intent) => {
    expect(intentOf(source, { kind: "node", name: node }, ready)).toBe(intent);
  });

  test.each([
    ["a pod template: create it for the scheduler", template("Pod"), "create"],
    ["a node template: add it", template("Node"), "add_node"],
    ["a pending pod: nothing, the scheduler has it already", pod, "nothing"],
  ])("on the board, %s", (_name, source, intent) => {
    expect(intentOf(source, { kind: "board" }, ready)).toBe(intent);
  });

  test("a question while the scheduler has not answered yet", () => {
    expect(intentOf(pod, { kind: "node", name: "roomy" }, { kind: "asking" })).toBe("ask");
  });

  test("nothing outside of the board", () => {
    expect(intentOf(template("Pod"), undefined, ready)).toBe("nothing");
  });
});

describe("nextDrag", () => {
  const dragged: DragEvent[] = [
    { type: "picked_up", source: pod },
    { type: "verdicts", source: pod, verdicts: ready },
  ];

  test("binds at once where the pod fits", () => {
    const state = play(...dragged, over("roomy"), { type: "dropped" });
    expect(state).toEqual({ kind: "working", source: pod, target: { kind: "node", name: "roomy" } });
    expect(nextDrag(state, { type: "done" })).toBe(IDLE);
  });

  test("asks first where it does not fit, and works once confirmed", () => {
    const asking = play(...dragged, over("full"), { type: "dropped" });
    expect(asking).toMatchObject({ kind: "asking", node: "full", verdict: { reasons: ["Insufficient cpu"] } });
    expect(nextDrag(asking, { type: "cancelled" })).toBe(IDLE);
    expect(nextDrag(asking, { type: "confirmed" })).toMatchObject({ kind: "working", target: { name: "full" } });
  });

  test("a drop outside changes nothing", () => {
    expect(play(...dragged, over("roomy"), { type: "moved_over", target: undefined }, { type: "dropped" })).toBe(IDLE);
  });

  test("an answer about another drag is ignored", () => {
    const state = play(
      { type: "picked_up", source: pod },
      { type: "verdicts", source: template("Pod"), verdicts: ready },
    );
    expect(state).toMatchObject({ verdicts: { kind: "asking" } });
  });

  test("staying over the same node keeps the same state", () => {
    const state = play(...dragged, over("roomy"));
    expect(nextDrag(state, over("roomy"))).toBe(state);
  });

  test("what the server refused stays until it is dismissed", () => {
    const error = new ApiError(409, "Conflict", "pod web is already assigned to a node");
    const state = play(...dragged, over("roomy"), { type: "dropped" }, { type: "failed", error });
    expect(state).toMatchObject({ kind: "failed", error });
    expect(nextDrag(state, { type: "cancelled" })).toBe(IDLE);
  });
});
