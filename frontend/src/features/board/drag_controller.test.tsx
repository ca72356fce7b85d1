import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { prefer, preferences } from "../../app/preferences";
import type { Grip } from "../../interaction/drag";
import { applyBatch, stateOfSnapshot } from "../../model/apply_event";
import type { ClusterState } from "../../model/state";
import { createStore } from "../../model/store";
import { batchFrame, nodeCard, podCard, snapshotFrame } from "../../model/testing";
import type { Template } from "../../transport/api_types";
import { Doer, outcome, refusal } from "../touch/doer";
import { DragController, drag } from "./drag_controller";

const pod: Grip = { kind: "pod", pod: { namespace: "default", name: "web", uid: "uid-web" } };
const template = (kind: Template["kind"]): Grip => ({
  kind: "template",
  template: { id: "small", title: "Small", description: "", kind, manifest: { apiVersion: "v1", kind, metadata: {} } },
});
const VERDICTS = {
  nodes: [
    { node: "n1", fits: true, plugin: "", code: "Success", reasons: [], score: 80 },
    {
      node: "n2",
      fits: false,
      plugin: "NodeResourcesFit",
      code: "Unschedulable",
      reasons: ["Insufficient cpu"],
      score: null,
    },
  ],
};

let asked: { line: string; body: unknown }[];
let refuse: { status: number; body: unknown } | undefined;
const snapshot = () => stateOfSnapshot(snapshotFrame({ objects: [nodeCard("n1"), nodeCard("n2"), podCard("web")] }));
const state = createStore<ClusterState | undefined>(snapshot());
const controller = new DragController("demo", state, new Doer("demo"));

beforeEach(() => {
  asked = [];
  refuse = undefined;
  prefer({ dropWay: "hand" });
  state.set(snapshot());
  controller.cancel();
  vi.stubGlobal("fetch", async (path: string, options: RequestInit) => {
    asked.push({ line: `${options.method} ${path}`, body: options.body && JSON.parse(String(options.body)) });
    if (path.endsWith("/would-fit/")) return Response.json(VERDICTS);
    if (refuse) return Response.json(refuse.body, { status: refuse.status });
    return Response.json({ metadata: { name: "small-x1" } }, { status: 201 });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const verdictsReady = () => vi.waitFor(() => expect(drag.get()).toMatchObject({ verdicts: { kind: "ready" } }));
const atRest = () => vi.waitFor(() => expect(drag.get().kind).toBe("idle"));
const over = (name: string) => controller.moveOver({ kind: "node", name });

describe("a pending pod", () => {
  test("is asked about as soon as it is picked up", async () => {
    controller.pickUp(pod);
    await verdictsReady();
    expect(asked).toEqual([
      { line: "POST /api/clusters/demo/would-fit/", body: { namespace: "default", name: "web" } },
    ]);
  });

  test("dropped on a node that fits is bound by a Binding", async () => {
    controller.pickUp(pod);
    await verdictsReady();
    over("n1");
    controller.drop();
    await atRest();
    expect(asked.at(-1)).toMatchObject({
      line: "POST /k8s/demo/api/v1/namespaces/default/pods/web/binding",
      body: { kind: "Binding", target: { kind: "Node", name: "n1" } },
    });
    expect(outcome.get()?.text).toBe("web bound to n1");
  });

  test("dropped on a node asks how until somebody said what to do from now on", async () => {
    prefer({ dropWay: "ask" });
    controller.pickUp(pod);
    await verdictsReady();
    over("n1");
    controller.drop();
    expect(drag.get().kind).toBe("asking");
    controller.confirm("affinity", true);
    await atRest();
    expect(asked.map(({ line }) => line)).toContain("POST /k8s/demo/api/v1/namespaces/default/pods");
    expect(preferences.get().dropWay).toBe("affinity");
  });

  test("dropped with a key held goes the way of the key", async () => {
    controller.pickUp(pod);
    await verdictsReady();
    over("n1");
    controller.drop("ask");
    expect(drag.get().kind).toBe("asking");
  });

  test("dropped on a node that does not fit is bound only once confirmed", async () => {
    controller.pickUp(pod);
    await verdictsReady();
    over("n2");
    controller.drop();
    expect(drag.get().kind).toBe("asking");
    expect(asked).toHaveLength(1);
    controller.confirm("hand", false);
    await atRest();
    expect(asked.at(-1)?.line).toContain("/binding");
  });

  test("that the server refuses to bind leaves the server's words at the node", async () => {
    refuse = { status: 409, body: { kind: "Status", reason: "Conflict", message: "pod web is already assigned" } };
    controller.pickUp(pod);
    await verdictsReady();
    over("n1");
    controller.drop();
    await atRest();
    expect(refusal.get()).toMatchObject({ node: "n1", failures: [{ error: { message: /already assigned/ } }] });
  });

  test("is asked about again when a node changes under the hand", async () => {
    vi.useFakeTimers();
    controller.pickUp(pod);
    await vi.advanceTimersByTimeAsync(0);
    const bound = podCard("other", { node_name: "n1" });
    state.set(applyBatch(snapshot(), batchFrame(1, [{ type: "object", version: 2, event: "ADDED", object: bound }])));
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveLength(2);
    controller.drop();
    state.set(snapshot());
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toHaveLength(2);
  });
});

describe("a template", () => {
  test("dropped on the board makes a pod that the scheduler places", async () => {
    controller.pickUp(template("Pod"));
    controller.moveOver({ kind: "board" });
    controller.drop();
    await atRest();
    const created = asked.find(({ line }) => line.endsWith("/pods"));
    expect(created?.body).toMatchObject({ metadata: { generateName: "small-" } });
    expect(created?.body).not.toHaveProperty("spec.nodeName");
  });

  test("dropped on a node makes a pod that is on that node from the start", async () => {
    controller.pickUp(template("Pod"));
    await verdictsReady();
    over("n1");
    controller.drop();
    await atRest();
    expect(asked[1]?.body).toMatchObject({ spec: { nodeName: "n1" } });
    expect(outcome.get()?.text).toBe("small-x1 created for n1");
  });

  test("of a node adds a node wherever it is dropped, without asking", async () => {
    controller.pickUp(template("Node"));
    over("n2");
    controller.drop();
    await atRest();
    expect(asked.map(({ line }) => line)).toEqual(["POST /k8s/demo/api/v1/nodes"]);
  });
});

describe("a node that goes", () => {
  const without = (name: string) => {
    const left = snapshotFrame({
      objects: [nodeCard("n1"), nodeCard("n2"), podCard("web")].filter((one) => one.name !== name),
    });
    state.set(stateOfSnapshot(left));
  };

  test("under the hand takes nothing, and that is said", async () => {
    controller.pickUp(pod);
    await verdictsReady();
    over("n1");
    without("n1");
    controller.drop();
    expect(drag.get().kind).toBe("idle");
    expect(refusal.get()).toMatchObject({ node: "n1", failures: [{ what: "n1", error: { status: 404 } }] });
    expect(asked.map(({ line }) => line)).not.toContain("POST /k8s/demo/api/v1/namespaces/default/pods/web/binding");
  });

  test("while it is asked about takes nothing either", async () => {
    prefer({ dropWay: "ask" });
    controller.pickUp(pod);
    await verdictsReady();
    over("n1");
    controller.drop();
    expect(drag.get().kind).toBe("asking");
    without("n1");
    controller.confirm("hand", false);
    expect(drag.get().kind).toBe("idle");
    expect(refusal.get()?.node).toBe("n1");
  });
});

test("a page that shows the past lets go of what is held and of what is asked", async () => {
  prefer({ dropWay: "ask" });
  controller.pickUp(pod);
  controller.letGo();
  expect(drag.get().kind).toBe("idle");
  controller.pickUp(pod);
  await verdictsReady();
  over("n2");
  controller.drop();
  controller.letGo();
  expect(drag.get().kind).toBe("idle");
});

test("an answer that comes after a newer one does not replace it", async () => {
  const answers: ((fits: boolean) => void)[] = [];
  const verdict = { node: "n1", plugin: "", code: "Success", reasons: [], score: null };
  const answered = (fits: boolean) => Response.json({ nodes: [{ ...verdict, fits }] });
  vi.stubGlobal("fetch", () => new Promise((resolve) => answers.push((fits) => resolve(answered(fits)))));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  controller.pickUp(pod);
  state.set(stateOfSnapshot(snapshotFrame({ objects: [nodeCard("n1"), podCard("web")] })));
  vi.advanceTimersByTime(1_000);
  vi.useRealTimers();
  expect(answers).toHaveLength(2);
  answers[1]?.(true);
  await verdictsReady();
  answers[0]?.(false);
  await new Promise((resolve) => setTimeout(resolve));
  expect(drag.get()).toMatchObject({ verdicts: { byNode: new Map([["n1", { ...verdict, fits: true }]]) } });
});
