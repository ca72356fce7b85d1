import { describe, expect, test } from "vitest";
import type { Manifest } from "../transport/api_types";
import type { Mark } from "./marks";
import { isStillThere, patchFor } from "./node_patch";

const since = { key: "gone", effect: "NoExecute", timeAdded: "2027-01-15T08:00:00Z" };
const node = (spec: Manifest["spec"] = {}, status: Manifest["status"] = {}, labels = {}): Manifest => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "n1", labels },
  spec,
  status,
});
const taint = (value: string): Mark => ({ kind: "taint", taint: { key: "gpu", value, effect: "NoSchedule" } });
const image: Mark = { kind: "image", image: { name: "app:1", size_bytes: 5 } };

describe("the patch of a node", () => {
  test("adds a taint to those that are there, with all that is known of them", () => {
    const patch = patchFor(node({ taints: [since] }), { kind: "put", mark: taint("yes") });
    expect(patch).toEqual({ spec: { taints: [since, { key: "gpu", effect: "NoSchedule", value: "yes" }] } });
  });

  test("replaces a taint of the same key and effect in its place", () => {
    const before = { key: "gpu", effect: "NoSchedule", value: "no" };
    const patch = patchFor(node({ taints: [before, since] }), { kind: "put", mark: taint("yes") });
    expect(patch).toEqual({ spec: { taints: [{ ...before, value: "yes" }, since] } });
  });

  test.each([
    [
      "a taint",
      node({ taints: [{ key: "gpu", effect: "NoSchedule", value: "yes" }] }),
      { kind: "put", mark: taint("yes") },
    ],
    ["an image", node({}, { images: [{ names: ["app:1"], sizeBytes: 5 }] }), { kind: "put", mark: image }],
    ["no taint", node(), { kind: "remove", mark: taint("yes") }],
    ["a label", node({}, {}, { disk: "ssd" }), { kind: "label", key: "disk", value: "ssd" }],
    ["no label", node(), { kind: "label", key: "disk", value: null }],
    ["a cordon", node({ unschedulable: true }), { kind: "cordon", unschedulable: true }],
  ] as const)("is none where the node has it already: %s", (_name, manifest, edit) => {
    expect(patchFor(manifest, edit)).toBeUndefined();
  });

  test("takes the last taint away", () => {
    const before = node({ taints: [{ key: "gpu", effect: "NoSchedule" }] });
    expect(patchFor(before, { kind: "remove", mark: taint("") })).toEqual({ spec: { taints: null } });
  });

  test("of a resource that the node has leaves its capacity, of a new one sets both", () => {
    const before = node({}, { capacity: { cpu: "4" }, allocatable: { cpu: "4" } });
    expect(patchFor(before, { kind: "allocatable", resource: "cpu", quantity: "2" })).toEqual({
      status: { allocatable: { cpu: "2" } },
    });
    expect(patchFor(before, { kind: "allocatable", resource: "x.io/gpu", quantity: "1" })).toEqual({
      status: { allocatable: { "x.io/gpu": "1" }, capacity: { "x.io/gpu": "1" } },
    });
  });
});

describe("a patch is still there", () => {
  const patch = { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } };

  test("while what it wrote is as it was written", () => {
    expect(isStillThere(node({ taints: [{ key: "a", effect: "NoSchedule" }] }), patch)).toBe(true);
  });

  test("not once somebody wrote there again", () => {
    expect(isStillThere(node({ taints: [{ key: "a", effect: "NoSchedule" }, since] }), patch)).toBe(false);
    expect(isStillThere(node(), patch)).toBe(false);
  });

  test("also where the server added since when", () => {
    const added = { key: "a", effect: "NoSchedule", timeAdded: "2027-01-15T08:00:00Z" };
    expect(isStillThere(node({ taints: [added] }), patch)).toBe(true);
    expect(isStillThere(node({ taints: [{ ...added, value: "x" }] }), patch)).toBe(false);
  });

  test("where something was taken away and is away", () => {
    expect(isStillThere(node({ taints: [] }), { spec: { taints: null } })).toBe(true);
    expect(isStillThere(node({ unschedulable: true }), { spec: { unschedulable: null } })).toBe(false);
  });
});
