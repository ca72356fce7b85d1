import { expect, test } from "vitest";
import { stateOfSnapshot } from "./apply_event";
import { selectIncoming } from "./selectors";
import { podCard, queuedPod, snapshotFrame } from "./testing";

const incomingTo = (node: string, pod = podCard("web")) => {
  const queue = [queuedPod("web", { pod, queue: "binding", node: "n1" })];
  return selectIncoming(stateOfSnapshot(snapshotFrame({ objects: [pod], queue }))).get(node) ?? [];
};

test("a pod in its binding cycle is on its way to its node", () => {
  expect(incomingTo("n1")).toMatchObject([{ name: "web", why: "binding" }]);
});

test("once it is bound it is there, and not on its way as well", () => {
  expect(incomingTo("n1", podCard("web", { node_name: "n1" }))).toEqual([]);
});

test("a nominated pod is on its way to where room is made", () => {
  expect(incomingTo("n2", podCard("web", { nominated_node_name: "n2" }))).toMatchObject([{ why: "nominated" }]);
});
