import { expect, test } from "vitest";
import type { NodeVerdict } from "../transport/api_types";
import { togetherOn } from "./verdicts_of_many";

const verdict = (node: string, fits: boolean): NodeVerdict => ({
  node,
  fits,
  plugin: fits ? "" : "NodeResourcesFit",
  code: fits ? "Success" : "Unschedulable",
  reasons: fits ? [] : ["Insufficient cpu"],
  score: fits ? 90 : null,
  rejections: [],
});

test("a node fits several pods only if it fits each, and has no score for all of them", () => {
  const together = togetherOn([
    [verdict("n1", true), verdict("n2", true)],
    [verdict("n1", true), verdict("n2", false)],
  ]);
  expect(together.get("n1")).toMatchObject({ fits: true, score: null });
  expect(together.get("n2")).toMatchObject({ fits: false, reasons: ["Insufficient cpu"] });
});

test("one pod's answer is its own", () => {
  const one = verdict("n1", true);
  expect(togetherOn([[one]]).get("n1")).toBe(one);
});
