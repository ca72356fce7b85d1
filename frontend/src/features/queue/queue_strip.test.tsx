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
  expect(screen.getByTestId("move-log").textContent).toContain("no node fits");
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

test("of a long lane only the tickets in view are drawn, and all are counted", () => {
  renderInCluster(strip, { queue: Array.from({ length: 20_000 }, (_, n) => queuedPod(`p${n}`, { position: n })) });
  expect(ticketsIn("activeQ").length).toBeLessThan(30);
  expect(ticketsIn("activeQ")[0]).toBe("p0");
  expect(lane("activeQ").textContent).toContain("20,000");
  fireEvent.scroll(within(lane("activeQ")).getByRole("list"), { target: { scrollTop: 24 * 10_000 } });
  expect(ticketsIn("activeQ")).toContain("p10000");
});

const refused = (name: string, reason: string) =>
  queuedPod(name, { queue: "unschedulablePods", message: `0/3 nodes are available: 3 ${reason}.` });

test("unschedulable pods stand under their reasons, which fold away", () => {
  const queue = [refused("a", "Insufficient cpu"), refused("b", "Insufficient cpu"), refused("c", "Too many pods")];
  renderInCluster(strip, { queue });
  const groups = () => within(lane("unschedulablePods")).getAllByTestId("lane-group");
  expect(groups().map(({ textContent }) => textContent)).toEqual(["3 Insufficient cpu2", "3 Too many pods1"]);
  expect(ticketsIn("unschedulablePods")).toEqual(["a", "b", "c"]);
  // The heading says the reason, and a ticket only its pod.
  expect(within(lane("unschedulablePods")).getAllByTestId("ticket")[0]?.textContent).toBe("a");
  fireEvent.click(groups()[0] as HTMLElement);
  expect(ticketsIn("unschedulablePods")).toEqual(["c"]);
});

test("a reason that names the pod itself is one reason for all", () => {
  const queue = ["a-1", "a-2"].map((name) => refused(name, `gates of pod ${name} are closed`));
  renderInCluster(strip, { queue: [...queue, refused("c", "Too many pods")] });
  const groups = within(lane("unschedulablePods")).getAllByTestId("lane-group");
  expect(groups.map(({ textContent }) => textContent)).toEqual(["3 gates of pod … are closed2", "3 Too many pods1"]);
});

test("a ring shows how much of the backoff is left", () => {
  renderInCluster(strip, {
    cluster: clusterCard({ state: "paused", clock_at: 1000 }),
    queue: [queuedPod("web", { queue: "backoffQ", since: 998, backoff_until: 1006 })],
  });
  expect(lane("backoffQ").querySelector("[data-left]")?.getAttribute("data-left")).toBe("0.75");
});

test("pods held at Permit stand under their PodGroup", () => {
  const labels = { "scheduling.x-k8s.io/pod-group": "gang" };
  renderInCluster(strip, {
    objects: [podCard("a", { labels }), podCard("b")],
    queue: ["a", "b"].map((name) => queuedPod(name, { queue: "waiting", node: "n1" })),
  });
  const groups = within(lane("waiting")).getAllByTestId("lane-group");
  expect(groups.map(({ textContent }) => textContent)).toEqual(["PodGroup gang1", "no PodGroup1"]);
});

test("where several schedulers work, the lanes of one can be shown", () => {
  renderInCluster(strip, { queue: [queuedPod("a"), queuedPod("b", { scheduler: "second" })] });
  expect(ticketsIn("activeQ")).toEqual(["a", "b"]);
  fireEvent.change(screen.getByTestId("scheduler-filter"), { target: { value: "second" } });
  expect(ticketsIn("activeQ")).toEqual(["b"]);
});

test("the latest move is told with its reason, many at once as a count", () => {
  const { say } = renderInCluster(strip, { queue: [queuedPod("a")] });
  const woken = { source: "unschedulablePods", target: "activeQ", event: "NodeAdd", object: "Node/n7" };
  const moves = ["a", "b"].map((name) => queueMove(name, { ...woken, plugin: "NodeResourcesFit", hint: "Queue" }));
  say(
    batchFrame(1, [{ type: "queue", scheduler: "kube-scheduler", version: 2, moves, pods: [], gone: [], events: [] }]),
  );
  expect(screen.getByTestId("latest-move").textContent).toBe(
    "2 pods unschedulablePods → activeQ node n7 added → NodeResourcesFit: Queue",
  );
});
