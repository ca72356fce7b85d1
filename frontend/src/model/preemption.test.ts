import { expect, test } from "vitest";
import { byStaying, judged, RULES } from "./preemption";
import { candidate } from "./testing";

const fell = (...candidates: Parameters<typeof judged>[0]) =>
  Object.fromEntries(
    judged(candidates).map(({ candidate: { node }, fellAt }) => [node, fellAt === undefined ? "" : RULES[fellAt]]),
  );

const victims = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ namespace: "default", name: `v${index}`, uid: `v${index}` }));

test("each rule only breaks the ties of the one before", () => {
  expect(
    fell(
      candidate("budget", { pdb_violations: 1 }),
      candidate("important", { highest_priority: 100, sum_priority: 100 }),
      candidate("cheap"),
      candidate("older", { latest_start: "2027-01-15T07:00:00Z" }),
    ),
  ).toEqual({ budget: "violations", important: "highest", cheap: "", older: "start" });
});

test("more victims are never cheaper for having negative priorities", () => {
  expect(
    fell(
      candidate("two", { highest_priority: -5, sum_priority: -10, victims: victims(2) }),
      candidate("one", { highest_priority: -5, sum_priority: -5, victims: victims(1) }),
    ),
  ).toEqual({ two: "sum", one: "" });
});

test("victims that have not started count as the youngest", () => {
  expect(fell(candidate("started"), candidate("waiting", { latest_start: null }))).toEqual({
    started: "start",
    waiting: "",
  });
});

test("equal candidates all stay, and the chosen stands first", () => {
  const all = judged([candidate("n1"), candidate("n2"), candidate("n3", { pdb_violations: 2 })]);
  expect(all.map(({ fellAt }) => fellAt)).toEqual([undefined, undefined, 0]);
  expect(byStaying(all, "n2").map(({ candidate: { node } }) => node)).toEqual(["n2", "n1", "n3"]);
});
