import { expect, test } from "vitest";
import { shortReason } from "./reason";

test.each([
  [
    "0/4 nodes are available: 1 node(s) had untolerated taint {a: b}, 3 Insufficient cpu. preemption: 0/4 nodes are available: 4 x.",
    "3 Insufficient cpu",
  ],
  ["0/1 nodes are available: 1 Too many pods.", "1 Too many pods"],
  ["0/0 nodes are available: no nodes available to schedule pods.", "no nodes available to schedule pods"],
  ["running PreBind plugin: boom", "running PreBind plugin: boom"],
  ["", ""],
])("%s", (message, short) => {
  expect(shortReason(message)).toBe(short);
});
