import { expect, test } from "vitest";
import { isAStep, type Place, placeOf, searchOf, usualLook } from "./address";

const USUAL: Place = { selection: undefined, panel: "inspector", look: usualLook(), filter: "" };

test("what is as usual needs no address", () => {
  expect(searchOf(USUAL)).toBe("");
  expect(placeOf("")).toEqual(USUAL);
});

test.each<Partial<Place>>([
  { selection: { kind: "pod", uid: "u1", sequence: 12 } },
  { selection: { kind: "pod", uid: "u1" } },
  { selection: { kind: "node", uid: "n 1" }, panel: "events" },
  { look: { boardMode: "heat", groupBy: "", colourBy: "namespace" }, filter: "app=web -ns:a&b" },
])("%j leads back to itself", (part) => {
  const place = { ...USUAL, ...part };
  expect(placeOf(searchOf(place))).toEqual(place);
});

test("an address that means nothing is as none", () => {
  expect(placeOf("?view=sideways&panel=moon&decision=x&pod=")).toEqual(USUAL);
  expect(placeOf("?pod=u1&decision=1e99").selection).toEqual({ kind: "pod", uid: "u1" });
});

test("parameters of others are let stand", () => {
  expect(searchOf({ ...USUAL, filter: "a" }, "?filter=b&moment=7")).toBe("?moment=7&filter=a");
});

test("a selection is a step to go back from, a filter is not", () => {
  const selected: Place = { ...USUAL, selection: { kind: "node", uid: "n1" } };
  expect(isAStep(USUAL, selected)).toBe(true);
  expect(isAStep(selected, { ...selected, filter: "web" })).toBe(false);
});
