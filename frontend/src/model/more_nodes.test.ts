import { expect, test } from "vitest";
import { inZone, isLabelValue, partsOf, zonesIn } from "./more_nodes";

test("nodes come out even over the zones, the first ones get what is left", () => {
  expect(partsOf(10, ["a", "b", "c"]).map(({ count }) => count)).toEqual([4, 3, 3]);
});

test("without zones there is one part, with more zones than nodes some stay empty", () => {
  expect(partsOf(10, [])).toEqual([{ zone: undefined, count: 10 }]);
  expect(partsOf(1, ["a", "b"])).toEqual([{ zone: "a", count: 1 }]);
});

test("a zone is a label beside the template's own", () => {
  const manifest = { metadata: { labels: { disk: "ssd" } } };
  expect(inZone(manifest, "a").metadata.labels).toEqual({ disk: "ssd", "topology.kubernetes.io/zone": "a" });
  expect(inZone(manifest, undefined)).toBe(manifest);
});

test("zones are read with commas, spaces or both", () => {
  expect(zonesIn(" north-a, north-b north-a ")).toEqual(["north-a", "north-b"]);
});

test.each([
  ["north-a", true],
  ["-north", false],
  ["a".repeat(63), true],
  ["a".repeat(64), false],
  ["süd", false],
])("%j as a label value: %s", (text, fine) => {
  expect(isLabelValue(text)).toBe(fine);
});
