import { expect, test } from "vitest";
import { breakpointText } from "./breakpoint_text";

test.each([
  [{ on: "pod", name: "web-*" }, "before the cycle of web-*"],
  [{ on: "pod", name: "web-1", namespace: "shop" }, "before the cycle of shop/web-1"],
  [{ on: "plugin", plugin: "NodeAffinity" }, "when NodeAffinity rejects"],
  [{ on: "plugin", point: "score", when: "runs" }, "when any plugin runs at score"],
  [{ on: "plugin", plugin: "NodePorts", namespace: "shop" }, "when NodePorts rejects · shop/*"],
  [{ on: "failure" }, "when an attempt fails"],
  [{ on: "preemption", name: "db-*" }, "when an attempt preempts · db-*"],
] as const)("%j", (breakpoint, text) => {
  expect(breakpointText(breakpoint)).toBe(text);
});
