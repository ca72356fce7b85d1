import { expect, test } from "vitest";
import { ownEnding, phaseOf, shortName, statusText } from "./phase";
import { podCard } from "./testing";

test.each([
  [{}, "pending"],
  [{ scheduling_gates: ["a"] }, "gated"],
  [{ node_name: "n1" }, "starting"],
  [{ node_name: "n1", phase: "Running" }, "running"],
  [{ phase: "Succeeded" }, "succeeded"],
  [{ phase: "Failed" }, "failed"],
  [{ phase: "Running", deletion_timestamp: "2027-01-15T08:00:00Z" }, "terminating"],
])("%j is %s", (over, phase) => {
  expect(phaseOf(podCard("web", over))).toBe(phase);
});

test("the status is what kubectl shows", () => {
  expect(statusText(podCard("web", { phase: "Failed", reason: "OutOfcpu" }))).toBe("OutOfcpu");
  expect(statusText(podCard("web", { deletion_timestamp: "2027-01-15T08:00:00Z" }))).toBe("Terminating");
  expect(statusText(podCard("web"))).toBe("Pending");
});

test("the short name of a ReplicaSet's pod ends before the hash", () => {
  const labels = { "pod-template-hash": "756dcf9b8c" };
  expect(shortName(podCard("basket-756dcf9b8c-x2k8p", { labels }))).toBe("basket…");
  expect(ownEnding(podCard("basket-756dcf9b8c-x2k8p", { labels }))).toBe("x2k8p");
  expect(shortName(podCard("plain"))).toBe("plain");
  expect(ownEnding(podCard("plain-pod"))).toBe("");
});
