import { expect, test } from "vitest";
import { kubeletAnswer } from "./kubelet_answer";

const verdict = (plugin: string, reason: string) => ({
  node: "n1",
  fits: false,
  plugin,
  code: "Unschedulable",
  reasons: [reason],
  score: null,
});

test.each([
  ["NodeResourcesFit", "Insufficient cpu", [], { kind: "rejects", reason: "OutOfcpu" }],
  ["NodeResourcesFit", "Insufficient nvidia.com/gpu", [], { kind: "rejects", reason: "OutOfnvidia.com/gpu" }],
  ["NodeResourcesFit", "Too many pods", [], { kind: "rejects", reason: "OutOfpods" }],
  [
    "NodeAffinity",
    "node(s) didn't match Pod's node affinity/selector",
    [],
    { kind: "rejects", reason: "NodeAffinity" },
  ],
  ["TaintToleration", "node(s) had untolerated taint {a: b}", ["NoSchedule"], { kind: "runs" }],
  [
    "TaintToleration",
    "node(s) had untolerated taint {a: b}",
    ["NoExecute"],
    { kind: "rejects", reason: "TaintToleration" },
  ],
  ["NodeUnschedulable", "node(s) were unschedulable", [], { kind: "runs" }],
  ["PodTopologySpread", "node(s) didn't match pod topology spread constraints", [], { kind: "runs" }],
])("%s, %s", (plugin, reason, effects, answer) => {
  expect(kubeletAnswer(verdict(plugin, reason), effects)).toEqual(answer);
});

test("without the scheduler's answer nothing is promised", () => {
  expect(kubeletAnswer(undefined, [])).toEqual({ kind: "unknown" });
});
