import { expect, test } from "vitest";
import { barsOf, ownLabels, taintText } from "./node_view";
import { nodeCard } from "./testing";

test("cpu, memory and pods come first, then extended resources", () => {
  const node = nodeCard("n1", { allocatable: { "nvidia.com/gpu": 4, memory: 100, pods: 110, cpu: 4000 } });
  expect(barsOf(node, { cpu: 1000 }).map((bar) => bar.resource)).toEqual(["cpu", "memory", "pods", "nvidia.com/gpu"]);
});

test("storage is shown once it is requested", () => {
  const node = nodeCard("n1", { allocatable: { cpu: 1, "ephemeral-storage": 100 } });
  expect(barsOf(node, {}).map((bar) => bar.resource)).toEqual(["cpu"]);
  expect(barsOf(node, { "ephemeral-storage": 10 }).map((bar) => bar.resource)).toEqual(["cpu", "ephemeral-storage"]);
});

test("more than allocatable is told as the excess", () => {
  const [cpu] = barsOf(nodeCard("n1", { allocatable: { cpu: 2000 } }), { cpu: 2500 });
  expect(cpu).toMatchObject({ filled: 1, over: 500 });
});

test("a resource that the node lacks is over-committed as a whole", () => {
  const gpu = barsOf(nodeCard("n1", { allocatable: {} }), { "nvidia.com/gpu": 1 }).find(
    (bar) => bar.resource === "nvidia.com/gpu",
  );
  expect(gpu).toMatchObject({ filled: 1, over: 1 });
});

test("labels that repeat the card are left out", () => {
  const labels = { "kubernetes.io/hostname": "n1", "topology.kubernetes.io/zone": "a", disktype: "ssd" };
  expect(ownLabels(nodeCard("n1", { labels }))).toEqual([["disktype", "ssd"]]);
});

test.each([
  [{ key: "gpu", value: "true", effect: "NoSchedule" }, "gpu=true:NoSchedule"],
  [{ key: "gpu", value: "", effect: "NoExecute" }, "gpu:NoExecute"],
])("a taint is written as kubectl writes it", (taint, text) => {
  expect(taintText(taint)).toBe(text);
});
