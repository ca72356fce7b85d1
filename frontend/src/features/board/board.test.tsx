import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderInCluster } from "../../app/testing";
import { clearWorkbench, workbench } from "../../app/workbench";
import { batchFrame, nodeCard, podCard, queuedPod } from "../../model/testing";
import { Board } from "./board";

beforeEach(clearWorkbench);
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

test("many nodes become cells by themselves", () => {
  renderInCluster(<Board />, { objects: Array.from({ length: 30 }, (_, n) => nodeCard(`n${n}`)) });
  expect(node("n1").dataset.density).toBe("cells");
});

test("what the server says against a cordon stands on the node's card", async () => {
  const refusal = { kind: "Status", reason: "Conflict", message: "the object has been modified" };
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(refusal), { status: 409 }));
  renderInCluster(<Board />, { objects: [nodeCard("n1"), nodeCard("n2")] });
  const list = within(node("n1")).getByRole("menu", { hidden: true });
  fireEvent(list, Object.assign(new Event("toggle"), { newState: "open" }));
  fireEvent.click(within(node("n1")).getByTestId("menu-cordon"));
  await waitFor(() => expect(within(node("n1")).getByRole("alert").textContent).toContain("has been modified"));
  expect(within(node("n2")).queryByRole("alert")).toBeNull();
});

test("an empty board says what to do next", () => {
  renderInCluster(<Board />);
  expect(screen.getByText("No nodes yet")).toBeTruthy();
});
