import { beforeEach, describe, expect, test } from "vitest";
import { ApiError } from "../transport/errors";
import type { ApiRequest } from "../transport/rest";
import type { Deed } from "./deeds";
import { perform, type Send, type UndoStep } from "./perform";
import { afterPart, ChangedSince, type Entry, NOTHING_DONE, recorded, takeBack } from "./undo";

const line = ({ method, path }: ApiRequest<unknown>) =>
  `${method} ${path.replace("/k8s/demo/api/v1", "").replace("/api/clusters/demo", "")}`;

let asked: { line: string; body: unknown }[];
let answers: Record<string, unknown>;
const send: Send = async <T>(request: ApiRequest<T>) => {
  asked.push({ line: line(request), body: request.body });
  const answer = answers[line(request)];
  if (answer instanceof ApiError) throw answer;
  return answer as T;
};
const sentLines = () => asked.map((one) => one.line);
const run = (deed: Deed) => perform("demo", deed, send);

const owner = [{ kind: "ReplicaSet", name: "web", controller: true }];
const podOf = (name: string, over: object = {}, spec: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default", uid: `u-${name}`, ...over },
  spec,
});
const POD = "GET /namespaces/default/pods/web";
const WEB = [{ namespace: "default", name: "web" }];

beforeEach(() => {
  asked = [];
  answers = {};
});

describe("a pod that was bound", () => {
  test("is undone by making it anew, without a node, and only if it is still that pod", async () => {
    answers = { [POD]: podOf("web") };
    const done = await run({ kind: "bind", pods: WEB, node: "n1" });
    expect(sentLines()).toEqual([POD, "POST /namespaces/default/pods/web/binding"]);
    asked = [];
    await takeBack("demo", done.undo, send);
    expect(asked).toEqual([
      {
        line: "DELETE /namespaces/default/pods/web",
        body: { gracePeriodSeconds: 0, preconditions: { uid: "u-web" } },
      },
      {
        line: "POST /namespaces/default/pods",
        body: { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "default" }, spec: {} },
      },
    ]);
  });

  test("is not lost where the server goes between its end and its return: what is left is done the next time", async () => {
    answers = { [POD]: podOf("web"), "POST /namespaces/default/pods": new ApiError(0, "unreachable", "gone") };
    const done = await run({ kind: "bind", pods: WEB, node: "n1" });
    const history = recorded(NOTHING_DONE, { kind: "bind", pods: WEB, node: "n1" }, done);
    const entry = history.done[0] as Entry;
    const taken = new Set<UndoStep>();
    await expect(takeBack("demo", done.undo, send, (step) => taken.add(step))).rejects.toThrow("gone");
    const left = afterPart(history, entry, taken).done[0]?.done.undo ?? [];
    answers = {};
    asked = [];
    await takeBack("demo", left, send);
    expect(sentLines()).toEqual(["POST /namespaces/default/pods"]);
  });

  test("of a controller is undone by deleting it: the controller makes another", async () => {
    answers = { [POD]: podOf("web", { ownerReferences: owner }) };
    const done = await run({ kind: "bind", pods: WEB, node: "n1" });
    expect(done.undo).toHaveLength(1);
    expect(done.losses).toEqual(["owned"]);
  });
});

describe("a pod that was moved", () => {
  test("is undone by bringing back the old one first, then deleting the copy", async () => {
    answers = {
      [POD]: podOf("web", {}, { nodeName: "n1" }),
      "POST /pods/default/web/move/": { namespace: "default", name: "web-x", uid: "u-x", replaced_by: "" },
    };
    const done = await run({ kind: "move", pods: WEB, node: "n2" });
    asked = [];
    await takeBack("demo", done.undo, send);
    expect(sentLines()).toEqual(["POST /namespaces/default/pods", "DELETE /namespaces/default/pods/web-x"]);
    expect(asked[0]?.body).toMatchObject({ spec: { nodeName: "n1" } });
  });

  test("that a budget protects is told with the server's words, and nothing can be undone", async () => {
    const refusal = new ApiError(429, "TooManyRequests", "Cannot evict pod as it would violate the disruption budget.");
    answers = { [POD]: podOf("web", {}, { nodeName: "n1" }), "POST /pods/default/web/move/": refusal };
    const done = await run({ kind: "move", pods: WEB, node: "n2" });
    expect(done.failures).toEqual([{ what: "default/web", error: refusal }]);
    expect(done.undo).toEqual([]);
  });
});

test("a pending pod is pinned by a copy, made before the old one goes", async () => {
  answers = { [POD]: podOf("web"), "POST /namespaces/default/pods": podOf("web-x") };
  await run({ kind: "pin", pods: WEB, node: "n1" });
  expect(sentLines()).toEqual([POD, "POST /namespaces/default/pods", "DELETE /namespaces/default/pods/web"]);
});

test("one pod that is refused does not stop the others", async () => {
  const gone = new ApiError(404, "NotFound", 'pods "web" not found');
  answers = { [POD]: gone, "GET /namespaces/default/pods/db": podOf("db") };
  const done = await run({ kind: "bind", pods: [...WEB, { namespace: "default", name: "db" }], node: "n1" });
  expect(done.names).toEqual(["default/db"]);
  expect(done.failures).toEqual([{ what: "default/web", error: gone }]);
});

describe("nodes that were tainted", () => {
  const nodeOf = (name: string, taints: object[] = []) => ({ kind: "Node", metadata: { name }, spec: { taints } });
  const taint = { key: "gpu", value: "", effect: "NoSchedule" };
  const deed: Deed = { kind: "edit_nodes", names: ["n1", "n2"], edit: { kind: "put", mark: { kind: "taint", taint } } };
  const written = [{ key: "gpu", effect: "NoSchedule" }];
  const inverse = { spec: { taints: null } };

  beforeEach(() => {
    answers = {
      "GET /nodes/n1": nodeOf("n1"),
      "GET /nodes/n2": nodeOf("n2"),
      "POST /nodes/batch-patch/": {
        results: [
          { name: "n1", error: "", inverse },
          { name: "n2", error: "", inverse },
        ],
      },
    };
  });

  test("get one patch where they were alike, and one that takes it back", async () => {
    const done = await run(deed);
    expect(asked.at(-1)?.body).toEqual({ names: ["n1", "n2"], patch: { spec: { taints: written } } });
    answers["GET /nodes/n1"] = nodeOf("n1", written);
    answers["GET /nodes/n2"] = nodeOf("n2", written);
    await takeBack("demo", done.undo, send);
    expect(asked.at(-1)?.body).toEqual({ names: expect.arrayContaining(["n1", "n2"]), patch: inverse });
  });

  test("are left as they are by an undo where one was changed since", async () => {
    const done = await run(deed);
    answers["GET /nodes/n2"] = nodeOf("n2", [...written, { key: "other", effect: "NoExecute" }]);
    answers["GET /nodes/n1"] = nodeOf("n1", written);
    asked = [];
    await expect(takeBack("demo", done.undo, send)).rejects.toThrow(new ChangedSince(["n2"]));
    expect(sentLines().every((one) => one.startsWith("GET"))).toBe(true);
  });

  test("that have the taint already are not written", async () => {
    answers["GET /nodes/n1"] = nodeOf("n1", written);
    await run(deed);
    expect(asked.at(-1)?.body).toMatchObject({ names: ["n2"] });
  });

  test("of which one cannot be taken back are tried again for that one only", async () => {
    const done = await run(deed);
    answers["GET /nodes/n1"] = nodeOf("n1", written);
    answers["GET /nodes/n2"] = nodeOf("n2", written);
    answers["POST /nodes/batch-patch/"] = {
      results: [
        { name: "n1", error: "" },
        { name: "n2", error: "invalid" },
      ],
    };
    const taken: string[] = [];
    const note = (step: UndoStep) => step.kind === "patch" && taken.push(step.name);
    await expect(takeBack("demo", done.undo, send, note)).rejects.toThrow("n2: invalid");
    expect(taken).toEqual(["n1"]);
  });

  test("are told one by one where the server refuses", async () => {
    answers["POST /nodes/batch-patch/"] = { results: [{ name: "n1", error: "invalid", inverse: {} }] };
    const done = await run(deed);
    expect(done.failures).toMatchObject([{ what: "n1", error: { message: "invalid" } }]);
  });
});

describe("a drain", () => {
  test("is undone by uncordoning, which ends it; evicted pods stay where they are", async () => {
    answers = {
      "GET /nodes/n1": { metadata: { name: "n1" }, spec: {} },
      "POST /nodes/n1/drain/": { pods: [{}] },
    };
    const done = await run({ kind: "drain", names: ["n1"], options: {} });
    expect(done.losses).toEqual(["evicted"]);
    asked = [];
    await takeBack("demo", done.undo, send);
    expect(sentLines()).toEqual(["POST /nodes/n1/uncordon/"]);
  });

  test("that is refused has cordoned the node all the same, and that can be undone", async () => {
    answers = {
      "GET /nodes/n1": { metadata: { name: "n1" }, spec: {} },
      "POST /nodes/n1/drain/": new ApiError(409, "Conflict", "unable to drain node"),
    };
    const done = await run({ kind: "drain", names: ["n1"], options: {} });
    expect(done.failures).toHaveLength(1);
    expect(done.undo).toHaveLength(1);
  });
});

test("a node that was deleted is made again as it was", async () => {
  answers = {
    "GET /nodes/n1": {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "n1", uid: "u", labels: { a: "b" } },
      spec: {},
    },
    "POST /objects/batch-delete/": { results: [{ kind: "Node", namespace: "", name: "n1", error: "" }] },
  };
  const done = await run({ kind: "delete_nodes", names: ["n1"] });
  asked = [];
  await takeBack("demo", done.undo, send);
  expect(asked).toEqual([
    {
      line: "POST /nodes",
      body: { apiVersion: "v1", kind: "Node", metadata: { name: "n1", labels: { a: "b" } }, spec: {} },
    },
  ]);
});

describe("a server that is gone in the middle", () => {
  const gone = new ApiError(0, "unreachable", "The server cannot be reached.");
  const node = (name: string) => ({ kind: "Node", metadata: { name }, spec: {} });
  const many = ["n1", "n2", "n3", "n4", "n5"];
  const failed = (...names: readonly string[]) => names.map((what) => ({ what, error: gone }));

  test("fails the change of each node, whether it was read or not", async () => {
    const cordon = { kind: "cordon", unschedulable: true } as const;
    answers = { "GET /nodes": gone };
    expect((await run({ kind: "edit_nodes", names: many, edit: cordon })).failures).toEqual(failed(...many));
    answers = { "GET /nodes/n1": node("n1"), "POST /nodes/batch-patch/": gone };
    expect((await run({ kind: "edit_nodes", names: ["n1"], edit: cordon })).failures).toEqual(failed("n1"));
  });

  test("fails the deletion of each node and of each pod", async () => {
    answers = { "GET /nodes/n1": node("n1"), [POD]: podOf("web"), "POST /objects/batch-delete/": gone };
    expect((await run({ kind: "delete_nodes", names: ["n1"] })).failures).toEqual(failed("n1"));
    const done = await run({ kind: "delete_pods", pods: WEB });
    expect(done).toMatchObject({ names: [], failures: failed("default/web"), undo: [] });
  });
});
