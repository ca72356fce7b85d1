import { expect, test, vi } from "vitest";
import { DEFAULTS, preferencesOf } from "./preferences";

test("what was kept is found again", () => {
  const kept = { ...DEFAULTS, theme: "dark", boardMode: "heat", leftWidth: 300, leftOpen: false, groupBy: "" };
  expect(preferencesOf(JSON.stringify(kept))).toEqual(kept);
});

test("of what another version kept, only what still means something is taken", () => {
  const old = { theme: "solarized", boardMode: 3, dropWay: null, leftWidth: "wide", queueHeight: -5, rightOpen: "no" };
  const more = { __proto__: { theme: "dark" }, constructor: 1, sidebar: true, colourBy: "namespace" };
  expect(preferencesOf(JSON.stringify({ ...old, ...more }))).toEqual({ ...DEFAULTS, colourBy: "namespace" });
});

test("what is no set of preferences leaves the defaults", () => {
  for (const text of ["null", "3", "[1, 2]", '"dark"']) expect(preferencesOf(text)).toEqual(DEFAULTS);
});

test("a browser that refuses to keep anything gets the defaults", async () => {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };
  Object.defineProperty(globalThis, "localStorage", { configurable: true, get: refuse });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.resetModules();
  const { preferences, prefer } = await import("./preferences");
  expect(preferences.get()).toEqual(DEFAULTS);
  prefer({ theme: "dark" });
  expect(preferences.get().theme).toBe("dark");
  Reflect.deleteProperty(globalThis, "localStorage");
});
