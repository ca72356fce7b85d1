import { describe, expect, test } from "vitest";
import { LONGEST_TEXT, parseQuery, type Subject } from "./filter_language";
import { nodeCard, podCard } from "./testing";

const n7 = nodeCard("n7", {
  zone: "north-a",
  labels: { disk: "ssd", "topology.kubernetes.io/zone": "north-a" },
  taints: [{ key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" }],
  unschedulable: true,
  images: ["registry.example/nginx:1"],
  roles: ["worker"],
});
const node: Subject = { kind: "node", node: n7 };
const web: Subject = {
  kind: "pod",
  pod: podCard("web-1", {
    namespace: "shop",
    labels: { app: "web" },
    node_name: "n7",
    phase: "Running",
    priority: 100,
    owner: { kind: "ReplicaSet", name: "web", uid: "uid-rs" },
  }),
  node: n7,
  queue: undefined,
};
const waiting: Subject = {
  kind: "pod",
  pod: podCard("db-1", { labels: { app: "db" } }),
  node: undefined,
  queue: "backoffQ",
};
const things = { node, web, waiting };

const found = (text: string) => {
  const query = parseQuery(text);
  return Object.entries(things).flatMap(([name, thing]) => (query.matches(thing) ? [name] : []));
};

describe("a word", () => {
  test.each([
    ["app=web", ["web"]],
    ["app!=web", ["waiting"]],
    ["disk=SSD", ["node"]],
    ["app=w*b", ["web"]],
    ["app=*", ["web", "waiting"]],
    ["node:n7", ["node", "web"]],
    ["node:n*", ["node", "web"]],
    ["ns:shop", ["web"]],
    ["namespace:default", ["waiting"]],
    ["zone:north-a", ["node", "web"]],
    ["pod:web-*", ["web"]],
    ["owner:web", ["web"]],
    ["owner:ReplicaSet/web", ["web"]],
    ["image:nginx", ["node", "web", "waiting"]],
    ["taint:nvidia.com/gpu=present", ["node"]],
    ["taint:NoSchedule", ["node"]],
    ["role:worker", ["node"]],
    ["priority:100", ["web"]],
    ["priority:>=100", ["web"]],
    ["priority:<100", ["waiting"]],
    ["is:pending", ["waiting"]],
    ["is:running", ["web"]],
    ["is:backoff", ["waiting"]],
    ["is:cordoned", ["node"]],
    ["is:tainted", ["node"]],
    ["web", ["web"]],
    ["shop/web", ["web"]],
    ["topology.kubernetes.io/zone=north-a", ["node"]],
    ["ssd", ["node"]],
    ['"disk=ssd"', ["node"]],
    ['ns:"shop"', ["web"]],
  ])("%j finds %j", (text, expected) => {
    expect(found(text)).toEqual(expected);
    expect(parseQuery(text).problems).toEqual([]);
  });
});

test("all words must hold", () => {
  expect(found("app=web node:n7")).toEqual(["web"]);
  expect(found("app=web is:pending")).toEqual([]);
});

test("a minus turns a word round", () => {
  expect(found("-app=web")).toEqual(["node", "waiting"]);
});

test("the opposite of a word about pods says nothing of nodes", () => {
  expect(found("-is:pending")).toEqual(["web"]);
  expect(found("-is:cordoned")).toEqual([]);
});

test("no words match everything and are empty", () => {
  expect(parseQuery("  ").isEmpty).toBe(true);
  expect(found("  ")).toEqual(["node", "web", "waiting"]);
});

test("free text has no operators, a label does", () => {
  expect(parseQuery("web").hasOperators).toBe(false);
  expect(parseQuery("app=web").hasOperators).toBe(true);
  expect(parseQuery("-web").hasOperators).toBe(true);
});

describe("what cannot be read", () => {
  test.each([
    ["colour:red", "unknown_key"],
    ["constructor:x", "unknown_key"],
    ["is:purple", "unknown_state"],
    ["is:toString", "unknown_state"],
    ["priority:high", "not_a_number"],
    ["app=", "no_value"],
    ["ns:", "no_value"],
    ["=web", "no_value"],
  ])("%j is told as %s", (text, kind) => {
    expect(parseQuery(text).problems.map((problem) => problem.kind)).toEqual([kind]);
  });

  test("leaves the other words at work", () => {
    expect(found("colour:red app=web")).toEqual(["web"]);
  });

  test("a text that never ends is cut and said to be", () => {
    const query = parseQuery(`${"x".repeat(LONGEST_TEXT)} more`);
    expect(query.problems.map(({ kind }) => kind)).toEqual(["too_long"]);
  });

  test("a pattern of many stars costs no time", () => {
    const query = parseQuery(`app=${"*a".repeat(100)}*b`);
    const long: Subject = {
      kind: "pod",
      pod: podCard("p", { labels: { app: "a".repeat(60) } }),
      node: undefined,
      queue: undefined,
    };
    expect(query.matches(long)).toBe(false);
  });
});
