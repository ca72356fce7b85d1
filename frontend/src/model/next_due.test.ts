import { expect, test } from "vitest";
import { stateOfSnapshot } from "./apply_event";
import { hasReadyPod, nextDue } from "./next_due";
import { bindingCard, queuedPod, snapshotFrame } from "./testing";

const due = (...queue: Parameters<typeof queuedPod>[]) =>
  nextDue(stateOfSnapshot(snapshotFrame({ queue: queue.map((one) => queuedPod(...one)) })));

test("a backoff ends at the first full second after it", () => {
  expect(due(["web", { queue: "backoffQ", backoff_until: 1003.2 }])).toMatchObject({
    what: "backoff",
    pod: "web",
    at: 1004,
  });
});

test("after five minutes a pod leaves unschedulablePods, at the next look", () => {
  expect(due(["web", { queue: "unschedulablePods", since: 1000 }])).toMatchObject({ what: "leftover", at: 1320 });
});

test("the first of several is told, and how many share its time", () => {
  const found = due(
    ["a", { queue: "unschedulablePods", since: 1000 }],
    ["b", { queue: "backoffQ", backoff_until: 1003.2 }],
    ["c", { queue: "backoffQ", backoff_until: 1003.9 }],
    ["d", { queue: "waiting", waits_until: 1100 }],
  );
  expect(found).toMatchObject({ pod: "b", at: 1004, others: 1 });
});

test("a binding whose answer is awaited", () => {
  const state = stateOfSnapshot(
    snapshotFrame({
      queue: [queuedPod("web", { queue: "binding" })],
      bindings: [bindingCard("web", { due_at: 1005 })],
    }),
  );
  expect(nextDue(state)).toMatchObject({ what: "binding", at: 1005 });
});

test("nothing is due where pods are gated or ready", () => {
  expect(due(["a", { queue: "gated" }], ["b", {}])).toBeUndefined();
});

test("a pod in activeQ is tried before time goes on", () => {
  expect(hasReadyPod(stateOfSnapshot(snapshotFrame({ queue: [queuedPod("a")] })))).toBe(true);
  expect(hasReadyPod(stateOfSnapshot(snapshotFrame({ queue: [queuedPod("a", { queue: "gated" })] })))).toBe(false);
});
