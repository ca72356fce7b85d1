import { describe, expect, test } from "vitest";
import { applyBatch, stateOfSnapshot, VersionGap } from "./apply_event";
import type { ObjectMessage, QueuedPodCard } from "./messages.generated";
import { selectLanes, selectSeveralSchedulers } from "./selectors";
import { batchFrame, nodeCard, podCard, queuedPod, queueMove, snapshotFrame } from "./testing";

const object = (version: number, event: ObjectMessage["event"], card: ObjectMessage["object"]): ObjectMessage => ({
  type: "object",
  version,
  event,
  object: card,
});

const web = podCard("web");
const bound = podCard("web", { node_name: "n1", resource_version: 3 });

function twoNodes() {
  return stateOfSnapshot(
    snapshotFrame({
      objects: [nodeCard("n1"), nodeCard("n2"), web, podCard("db", { node_name: "n2" })],
      queue: [queuedPod("web")],
    }),
  );
}

describe("applyBatch", () => {
  test("a bound pod is counted on its node", () => {
    const state = applyBatch(twoNodes(), batchFrame(1, [object(2, "MODIFIED", bound)]));
    expect(state.loads.get("n1")?.pods).toEqual([bound]);
    expect(state.loads.get("n1")?.usage).toEqual({ pods: 1, cpu: 500, memory: 256 * 1024 ** 2 });
  });

  test("what a frame does not touch keeps its identity", () => {
    const before = twoNodes();
    const after = applyBatch(before, batchFrame(1, [object(2, "MODIFIED", bound)]));
    expect(after.loads.get("n2")).toBe(before.loads.get("n2"));
    expect(after.nodes).toBe(before.nodes);
    expect(after.queue).toBe(before.queue);
    expect(before.pods.get(web.uid)).toBe(web);
  });

  test("a pod that succeeded holds no resources", () => {
    const done = podCard("db", { node_name: "n2", phase: "Succeeded" });
    const state = applyBatch(twoNodes(), batchFrame(1, [object(2, "MODIFIED", done)]));
    expect(state.loads.get("n2")?.usage).toEqual({ pods: 0 });
    expect(state.loads.get("n2")?.pods).toHaveLength(1);
  });

  test("a deleted pod leaves its node and its queue", () => {
    const state = applyBatch(
      twoNodes(),
      batchFrame(1, [object(2, "DELETED", podCard("db", { node_name: "n2" })), object(3, "DELETED", web)]),
    );
    expect(state.loads.has("n2")).toBe(false);
    expect(state.queue.size).toBe(0);
    expect(state.version).toBe(3);
  });

  test("a pod that was created, bound and deleted in one frame leaves nothing", () => {
    const flash = podCard("flash", { node_name: "n1" });
    const messages = [object(2, "ADDED", podCard("flash")), object(3, "MODIFIED", flash), object(4, "DELETED", flash)];
    const state = applyBatch(twoNodes(), batchFrame(1, messages));
    expect(state.pods.has(flash.uid)).toBe(false);
    expect(state.loads.has("n1")).toBe(false);
  });

  test("queue messages move cards and number their moves", () => {
    const waiting = queuedPod("web", { queue: "unschedulablePods", message: "0/2 nodes are available" });
    const moves = [
      queueMove("web", { source: "activeQ", target: "inFlight" }),
      queueMove("web", { source: "inFlight", target: "unschedulablePods" }),
    ];
    const state = applyBatch(
      twoNodes(),
      batchFrame(1, [
        { type: "queue", scheduler: "kube-scheduler", version: 2, moves, pods: [waiting], gone: [], events: [] },
      ]),
    );
    expect(state.queue.get("uid-web")).toEqual(waiting);
    expect(state.moves.map((entry) => entry.id)).toEqual([1, 2]);
    const gone = applyBatch(
      state,
      batchFrame(2, [
        {
          type: "queue",
          scheduler: "kube-scheduler",
          version: 3,
          moves: [queueMove("web")],
          pods: [],
          gone: ["uid-web"],
          events: [],
        },
      ]),
    );
    expect(gone.queue.size).toBe(0);
    expect(gone.moves.at(-1)?.id).toBe(3);
  });

  test("messages that the page already has are not applied twice", () => {
    const state = applyBatch(twoNodes(), batchFrame(1, [object(2, "MODIFIED", bound)]));
    const again = applyBatch(state, {
      ...batchFrame(0, [object(2, "MODIFIED", web), object(3, "DELETED", bound)]),
      version: 3,
    });
    expect(again.pods.has(web.uid)).toBe(false);
    expect(applyBatch(again, batchFrame(1, [object(2, "ADDED", web)]))).toBe(again);
  });

  test("a batch from a later version is refused", () => {
    expect(() => applyBatch(twoNodes(), batchFrame(5, [object(6, "ADDED", web)]))).toThrow(VersionGap);
  });

  test("a pod that two schedulers are after stands in both queues until it leaves them", () => {
    const told = (version: number, scheduler: string, pods: QueuedPodCard[], gone: string[] = []) =>
      ({ type: "queue", scheduler, version, moves: [], pods, gone, events: [] }) as const;
    const first = queuedPod("web");
    const second = queuedPod("web", { scheduler: "second", queue: "backoffQ" });
    const both = applyBatch(twoNodes(), batchFrame(1, [told(2, "second", [second])]));
    expect(selectLanes(both).activeQ).toEqual([first]);
    expect(selectLanes(both).backoffQ).toEqual([second]);
    expect(selectSeveralSchedulers(twoNodes())).toBe(false);
    const left = applyBatch(both, batchFrame(2, [told(3, "kube-scheduler", [], ["uid-web"])]));
    expect(left.queue.get("uid-web")).toBe(second);
    expect(selectSeveralSchedulers(left)).toBe(true);
    const none = applyBatch(left, batchFrame(3, [told(4, "second", [], ["uid-web"])]));
    expect([none.queue.size, none.rivals.size]).toEqual([0, 0]);
  });

  test("snapshot + messages = the fresh snapshot", () => {
    const moved = applyBatch(
      twoNodes(),
      batchFrame(1, [
        object(2, "MODIFIED", bound),
        { type: "queue", scheduler: "kube-scheduler", version: 3, moves: [], pods: [], gone: ["uid-web"], events: [] },
      ]),
    );
    const fresh = stateOfSnapshot(
      snapshotFrame({
        version: 3,
        objects: [nodeCard("n1"), nodeCard("n2"), bound, podCard("db", { node_name: "n2" })],
      }),
    );
    expect(moved).toEqual(fresh);
  });
});
