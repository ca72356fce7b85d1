import { act, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { prefer } from "../../app/preferences";
import { renderInCluster } from "../../app/testing";
import { clearWorkbench, workbench } from "../../app/workbench";
import { ZONE_LABEL } from "../../model/grouping";
import { batchFrame, nodeCard, podCard, queuedPod } from "../../model/testing";
import { Board } from "./board";
import { filterText } from "./board_filter";

beforeEach(() => {
  clearWorkbench();
  filterText.set("");
  prefer({ boardMode: "auto", groupBy: ZONE_LABEL, colourBy: "utilisation:cpu" });
});
afterEach(() => vi.unstubAllGlobals());

const node = (name: string) => screen.getByRole("article", { name });

test("nodes stand in their zones, the nodes without a zone last", () => {
  renderInCluster(<Board />, {
    objects: [nodeCard("loose"), nodeCard("n1", { zone: "a" }), nodeCard("n2", { zone: "b" })],
  });
  const zones = screen.getAllByTestId("zone").map((zone) => zone.getAttribute("aria-label"));
  expect(zones).toEqual(["zone a", "zone b", "zone no zone"]);
});

test("a pod that is bound appears on its node and is counted in its bars", () => {
  const { say } = renderInCluster(<Board />, { objects: [nodeCard("n1"), podCard("web")] });
  expect(within(node("n1")).queryByTestId("pod")).toBeNull();
  const object = podCard("web", { node_name: "n1" });
  say(batchFrame(1, [{ type: "object", version: 2, event: "MODIFIED", object }]));
  expect(within(node("n1")).getByTestId("pod").textContent).toContain("web");
  expect(within(node("n1")).getByRole("meter", { name: "cpu" }).getAttribute("aria-valuenow")).toBe("500");
  expect(screen.getByTestId("board-summary").textContent).toBe("1 node · 1 pod bound");
});

test("pods of a node that was deleted are still told of", () => {
  renderInCluster(<Board />, {
    objects: [nodeCard("n1"), podCard("here", { node_name: "n1" }), podCard("lost", { node_name: "n2" })],
  });
  expect(screen.getByTestId("board-summary").textContent).toBe("1 node · 2 pods bound · 1 of them on a deleted node");
});

test("over-commit is said with its amount", () => {
  renderInCluster(<Board />, {
    objects: [nodeCard("n1", { allocatable: { cpu: 400 } }), podCard("web", { node_name: "n1" })],
  });
  const cpu = within(node("n1")).getByRole("meter", { name: "cpu" });
  expect(cpu.getAttribute("aria-valuetext")).toContain("100m more than allocatable");
});

test("a pod on its way to a node is shown there, not counted", () => {
  renderInCluster(<Board />, {
    objects: [nodeCard("n1"), podCard("web")],
    queue: [queuedPod("web", { queue: "binding", node: "n1" })],
  });
  expect(within(node("n1")).getByTestId("incoming-pod").getAttribute("aria-label")).toBe("web, binding cycle");
});

test("a click on a pod selects it", () => {
  renderInCluster(<Board />, { objects: [nodeCard("n1"), podCard("web", { node_name: "n1" })] });
  fireEvent.click(screen.getByTestId("pod"));
  expect(workbench.get()).toMatchObject({ selection: { kind: "pod", uid: "uid-web" }, rightTab: "inspector" });
});

test("what is not looked for is dimmed, a node stays lit for a pod of its own", () => {
  renderInCluster(<Board />, {
    objects: [
      nodeCard("n1"),
      nodeCard("n2"),
      podCard("web", { node_name: "n1", labels: { app: "web" } }),
      podCard("db", { node_name: "n1" }),
    ],
  });
  act(() => filterText.set("app=web"));
  expect(node("n1").dataset.dimmed).toBeUndefined();
  expect(node("n2").dataset.dimmed).toBe("true");
  const dimmed = within(node("n1"))
    .getAllByTestId("pod")
    .map((pod) => pod.dataset.dimmed);
  expect(dimmed).toEqual(["true", undefined]);
  expect(screen.getByTestId("filter-found").textContent).toContain("0 nodes, 1 pod");
});

test("a word of the filter that nobody knows is told", () => {
  renderInCluster(<Board />, { objects: [nodeCard("n1")] });
  act(() => filterText.set("colour:red"));
  expect(screen.getByTestId("filter-found").textContent).toContain("unknown: colour:");
  expect(node("n1").dataset.dimmed).toBeUndefined();
});

test("nodes are grouped by any label", () => {
  prefer({ groupBy: "disk" });
  renderInCluster(<Board />, { objects: [nodeCard("n1", { labels: { disk: "ssd" } }), nodeCard("n2")] });
  const groups = screen.getAllByTestId("zone").map((zone) => zone.getAttribute("aria-label"));
  expect(groups).toEqual(["disk ssd", "disk no disk"]);
});

test("the table has a row a node, sorted by what is clicked", async () => {
  prefer({ boardMode: "table" });
  renderInCluster(<Board />, {
    objects: [nodeCard("n1"), nodeCard("n2"), nodeCard("n10"), podCard("web", { node_name: "n2" })],
  });
  await screen.findByTestId("node-table");
  const names = () => screen.getAllByTestId("node").map((row) => row.dataset.node);
  expect(names()).toEqual(["n1", "n2", "n10"]);
  fireEvent.click(screen.getByRole("button", { name: "pods" }));
  expect(names()).toEqual(["n2", "n1", "n10"]);
  expect(screen.getByRole("columnheader", { name: "pods" }).getAttribute("aria-sort")).toBe("descending");
});

test("what the server says against a cordon is told at the node", async () => {
  const refusal = { kind: "Status", reason: "Conflict", message: "the object has been modified" };
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(refusal), { status: 409 }));
  renderInCluster(<Board />, { objects: [nodeCard("n1"), nodeCard("n2")] });
  const list = within(node("n1")).getByRole("menu", { hidden: true });
  fireEvent(list, Object.assign(new Event("toggle"), { newState: "open" }));
  fireEvent.click(within(node("n1")).getByTestId("menu-cordon"));
  const note = await screen.findByTestId("drop-refused");
  expect(note.dataset.atNode).toBe("n1");
  expect(note.textContent).toContain("has been modified");
});

test("an empty board says what to do next", () => {
  renderInCluster(<Board />);
  expect(screen.getByText("No nodes yet")).toBeTruthy();
});

test("of a thousand taints a card shows a few and how many more there are", () => {
  const taints = Array.from({ length: 1000 }, (_, at) => ({ key: `k${at}`, value: "", effect: "NoSchedule" }));
  renderInCluster(<Board />, { objects: [nodeCard("n1", { taints })] });
  expect(within(node("n1")).getByText("k0:NoSchedule")).toBeTruthy();
  expect(within(node("n1")).getByText("+994 taints")).toBeTruthy();
  expect(within(node("n1")).queryByText("k6:NoSchedule")).toBeNull();
});
