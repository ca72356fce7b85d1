import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderInCluster } from "../../app/testing";
import { batchFrame, bindingCard, clusterCard, podCard, queuedPod, queueMove } from "../../model/testing";
import { QueueStrip } from "./queue_strip";

const strip = <QueueStrip open onToggle={() => undefined} />;
const lane = (name: string) => screen.getByTestId(`lane-${name}`);
const ticketsIn = (name: string) =>
  within(lane(name))
    .queryAllByTestId("ticket")
    .map((ticket) => ticket.dataset.pod);

test("activeQ shows its pods in the order in which they will be tried", () => {
  renderInCluster(strip, {
    queue: [
      queuedPod("late", { position: 2 }),
      queuedPod("first", { position: 0 }),
      queuedPod("next", { position: 1 }),
    ],
  });
  expect(ticketsIn("activeQ")).toEqual(["first", "next", "late"]);
});

test("a message moves a pod from lane to lane, and the log tells why", () => {
  const { say } = renderInCluster(strip, { queue: [queuedPod("web")] });
  const card = queuedPod("web", {
    queue: "unschedulablePods",
    message: "0/3 nodes are available: 3 Insufficient cpu.",
  });
  const move = queueMove("web", {
    source: "inFlight",
    target: "unschedulablePods",
    event: "ScheduleAttemptFailure",
  });
  say(
    batchFrame(1, [
      { type: "queue", scheduler: "kube-scheduler", version: 2, moves: [move], pods: [card], gone: [], events: [] },
    ]),
  );
  expect(ticketsIn("activeQ")).toEqual([]);
  expect(within(lane("unschedulablePods")).getByTestId("ticket").textContent).toContain("3 Insufficient cpu");
  fireEvent.click(screen.getByRole("button", { name: "Moves" }));
  expect(screen.getByTestId("move-log").textContent).toContain("ScheduleAttemptFailure");
});

test("backoff counts down in cluster time", () => {
  renderInCluster(strip, {
    cluster: clusterCard({ state: "paused", clock_at: 1000 }),
    queue: [queuedPod("web", { queue: "backoffQ", backoff_until: 1007.4 })],
  });
  expect(within(lane("backoffQ")).getByTestId("ticket").textContent).toContain("8s");
});

test("a pod held at Permit counts down to the end of the first plugin's patience", () => {
  renderInCluster(strip, {
    cluster: clusterCard({ state: "paused", clock_at: 1000 }),
    queue: [queuedPod("web", { queue: "waiting", node: "n1", waits_until: 1012 })],
  });
  expect(within(lane("waiting")).getByTestId("ticket").textContent).toContain("12s→ n1");
});

test("a binding pod counts down to a slow API server's answer, and only to one that is awaited", () => {
  renderInCluster(strip, {
    cluster: clusterCard({ state: "paused", clock_at: 1000 }),
    queue: ["slow", "quick"].map((name) => queuedPod(name, { queue: "binding", node: "n1" })),
    bindings: [bindingCard("slow", { due_at: 1005 }), bindingCard("quick")],
  });
  const texts = within(lane("binding"))
    .getAllByTestId("ticket")
    .map((ticket) => ticket.textContent);
  expect(texts.sort()).toEqual(["quick→ n1", "slow5s→ n1"]);
});

test("a gated pod names its gate", () => {
  renderInCluster(strip, {
    objects: [podCard("web", { scheduling_gates: ["example.com/quota"] })],
    queue: [queuedPod("web", { queue: "gated" })],
  });
  expect(within(lane("gated")).getByTestId("ticket").textContent).toContain("example.com/quota");
});

test("pending pods of another scheduler have a lane of their own", () => {
  renderInCluster(strip, { objects: [podCard("other", { scheduler_name: "my-scheduler" })] });
  expect(within(lane("unqueued")).getByTestId("ticket").textContent).toContain("my-scheduler");
});

test("a long lane draws some tickets and counts the rest", () => {
  renderInCluster(strip, { queue: Array.from({ length: 200 }, (_, n) => queuedPod(`p${n}`, { position: n })) });
  expect(ticketsIn("activeQ")).toHaveLength(60);
  expect(lane("activeQ").textContent).toContain("140 more");
});
