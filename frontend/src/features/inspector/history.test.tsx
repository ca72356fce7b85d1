import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInCluster } from "../../app/testing";
import { batchFrame, podCard, queuedPod, queueMove } from "../../model/testing";
import type { PodLife } from "../../transport/api_types";
import { History } from "./history";

afterEach(() => vi.unstubAllGlobals());

const pod = podCard("web");
const came = queueMove("web", { at: 100 });
const popped = queueMove("web", { source: "activeQ", target: "inFlight", event: "Pop", at: 101 });
const failed = queueMove("web", {
  source: "inFlight",
  target: "unschedulablePods",
  event: "ScheduleAttemptFailure",
  at: 102,
});

const lifeOf = (over: Partial<PodLife> = {}): PodLife => ({
  pod,
  now: 200,
  standing: null,
  seconds_in_queue: null,
  entries: [came, popped].map((move) => ({
    at: move.at,
    kind: "move",
    text: "",
    scheduler: "kube-scheduler",
    move,
    attempt: null,
    binding: null,
  })),
  not_woken_by: [],
  complete: true,
  ...over,
});

const answering = (status: number, body: unknown) => {
  const fetching = vi.fn(async (_path: string) => new Response(JSON.stringify(body), { status }));
  vi.stubGlobal("fetch", fetching);
  return fetching;
};

const ways = () => [...screen.getByTestId("history").querySelectorAll("li b")].map((line) => line.textContent);
const told = (version: number, move = failed) =>
  batchFrame(version - 1, [
    { type: "queue", scheduler: "kube-scheduler", version, moves: [move], pods: [], gone: [], events: [] },
  ]);

test("what happened before the page was opened is there", async () => {
  const fetching = answering(200, lifeOf());
  renderInCluster(<History pod={pod} />);
  await waitFor(() => expect(ways()).toEqual(["new → activeQ", "activeQ → scheduling cycle"]));
  expect(fetching.mock.calls[0]?.[0]).toBe("/api/clusters/demo/pods/default/web/life/?uid=uid-web");
});

test("a move that the stream tells is added once, and the life is asked for anew", async () => {
  const fetching = answering(200, lifeOf());
  const { say } = renderInCluster(<History pod={pod} />);
  await waitFor(() => expect(ways()).toHaveLength(2));
  const before = fetching.mock.calls.length;
  say(told(2, popped));
  say(told(3));
  expect(ways()).toEqual(["new → activeQ", "activeQ → scheduling cycle", "scheduling cycle → unschedulablePods"]);
  await waitFor(() => expect(fetching.mock.calls.length).toBeGreaterThan(before));
});

test("other pods' moves are no reason to ask again", async () => {
  const fetching = answering(200, lifeOf());
  const { say } = renderInCluster(<History pod={pod} />);
  await waitFor(() => expect(ways()).toHaveLength(2));
  const before = fetching.mock.calls.length;
  say(told(2, queueMove("other")));
  expect(fetching.mock.calls.length).toBe(before);
});

test("what did not wake the pod is listed with how often and why", async () => {
  const reason = "node labels do not match";
  const skip = { event: "NodeAdd", plugin: "NodeAffinity", reason, count: 12, object: "Node/n7", at: 150 };
  answering(200, lifeOf({ not_woken_by: [{ text: "", skip }] }));
  renderInCluster(<History pod={pod} />, { queue: [queuedPod("web", { queue: "unschedulablePods" })] });
  const list = await screen.findByTestId("not-woken");
  for (const part of ["NodeAdd", "Node/n7", `NodeAffinity: ${reason}`, "12×"]) expect(list.textContent).toContain(part);
});

test("a server that does not tell leaves what the page saw itself, and the page says so", async () => {
  answering(503, {});
  const { say } = renderInCluster(<History pod={pod} />);
  say(told(2));
  expect(ways()).toEqual(["scheduling cycle → unschedulablePods"]);
  await waitFor(() => expect(screen.getByTestId("history").textContent).toContain("while this page watched"));
});
