import { expect, test } from "vitest";
import { kubeletAnswer } from "./kubelet_answer";

const status = (plugin: string, ...reasons: string[]) => ({ code: "Unschedulable", plugin, reasons });
const node = (effect = "NoSchedule", allocatable: Record<string, number> = { cpu: 4000 }) => ({
  allocatable,
  taints: [{ effect }],
});
const rejects = (reason: string) => ({ kind: "rejects", reason });
const RUNS = { kind: "runs" };

test.each([
  ["cpu that is short", status("NodeResourcesFit", "Insufficient cpu"), node(), rejects("OutOfcpu")],
  ["a full node", status("NodeResourcesFit", "Too many pods"), node(), rejects("OutOfpods")],
  [
    "GPUs that are all taken",
    status("NodeResourcesFit", "Insufficient nvidia.com/gpu"),
    node("NoSchedule", { "nvidia.com/gpu": 4 }),
    rejects("OutOfnvidia.com/gpu"),
  ],
  ["a GPU the node never had", status("NodeResourcesFit", "Insufficient nvidia.com/gpu"), node(), RUNS],
  [
    "a GPU it never had, and memory",
    status("NodeResourcesFit", "Insufficient nvidia.com/gpu", "Insufficient memory"),
    node(),
    rejects("OutOfmemory"),
  ],
  ["node affinity", status("NodeAffinity", "node(s) didn't match"), node(), rejects("NodeAffinity")],
  ["a NoSchedule taint", status("TaintToleration", "untolerated taint"), node(), RUNS],
  ["a NoExecute taint", status("TaintToleration", "untolerated taint"), node("NoExecute"), rejects("TaintToleration")],
  ["a cordon", status("NodeUnschedulable", "node(s) were unschedulable"), node(), RUNS],
  ["spread", status("PodTopologySpread", "didn't match pod topology spread constraints"), node(), RUNS],
])("%s", (_name, rejection, where, answer) => {
  expect(kubeletAnswer([rejection], where)).toEqual(answer);
});

test("one rejection that the kubelet shares is enough", () => {
  const all = [status("NodeUnschedulable", "node(s) were unschedulable"), status("NodePorts", "no free ports")];
  expect(kubeletAnswer(all, node())).toEqual(rejects("NodePorts"));
});

test("without the scheduler's answer nothing is promised", () => {
  expect(kubeletAnswer(undefined, node())).toEqual({ kind: "unknown" });
});
