import { describe, expect, it } from "vitest";
import { stateOfSnapshot } from "./apply_event";
import { heldUp } from "./held_up";
import type { SnapshotFrame } from "./messages.generated";
import type { ClusterState } from "./state";
import { bindingCard, clusterCard, podCard, queuedPod, snapshotFrame } from "./testing";

const START = 1_800_000_000;

const stateOf = (frame: Partial<SnapshotFrame>): ClusterState => stateOfSnapshot(snapshotFrame(frame));

const ready = queuedPod("web", { queue: "activeQ", since: START });
const binding = queuedPod("web", { queue: "binding", since: START });

describe("a cluster is held up", () => {
  it("by its scheduler when a pod is ready and none is tried", () => {
    const state = stateOf({ queue: [ready] });
    expect(heldUp(state, START + 4)).toBeUndefined();
    expect(heldUp(state, START + 8)).toEqual({ by: "scheduler", seconds: 8 });
  });

  it("by its scheduler when a new pod is not even queued", () => {
    const pod = podCard("web", { created_at: new Date(START * 1000).toISOString() });
    expect(heldUp(stateOf({ objects: [pod] }), START + 8)?.by).toBe("scheduler");
    const foreign = { ...pod, scheduler_name: "another" };
    expect(heldUp(stateOf({ objects: [foreign] }), START + 8)).toBeUndefined();
  });

  it("by its binding workers, counted from when the API server is due to answer", () => {
    const slow = bindingCard("web", { due_at: START + 20 });
    expect(heldUp(stateOf({ queue: [binding] }), START + 8)?.by).toBe("binding");
    expect(heldUp(stateOf({ queue: [binding], bindings: [slow] }), START + 8)).toBeUndefined();
    expect(heldUp(stateOf({ queue: [binding], bindings: [slow] }), START + 28)?.seconds).toBe(8);
  });

  it("only while its clock runs, in seconds by the wall", () => {
    const paused = clusterCard({ state: "paused" });
    expect(heldUp(stateOf({ queue: [ready], cluster: paused }), START + 60)).toBeUndefined();
    const fast = clusterCard({ speed: 10 });
    expect(heldUp(stateOf({ queue: [ready], cluster: fast }), START + 40)).toBeUndefined();
    expect(heldUp(stateOf({ queue: [ready], cluster: fast }), START + 80)?.seconds).toBe(8);
  });

  it("not by pods that rightly wait", () => {
    const waiting = queuedPod("web", { queue: "unschedulablePods", since: START });
    expect(heldUp(stateOf({ queue: [waiting] }), START + 600)).toBeUndefined();
  });
});
