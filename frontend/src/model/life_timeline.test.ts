import { expect, test } from "vitest";
import { type LifeEntry, lifeTimeline, pannedLife, zoomedLife } from "./life_timeline";
import type { DecisionSummary } from "./messages.generated";
import { bindingCard, queueMove } from "./testing";

const moved = (at: number, source: string, target: string): LifeEntry => ({
  move: queueMove("web", { at, source, target }),
  attempt: null,
  binding: null,
});

const tried = (at: number, attempt: number): LifeEntry => ({
  move: null,
  attempt: { at, attempt, sequence: attempt * 10, outcome: "unschedulable" } as DecisionSummary,
  binding: null,
});

test("a stay lasts until the next move, the last one until now", () => {
  const life = lifeTimeline([moved(10, "", "activeQ"), moved(12, "activeQ", "backoffQ")], 20);
  expect(life?.stays.map(({ lane, from, to, open }) => [lane, from, to, open])).toEqual([
    ["activeQ", 10, 12, false],
    ["backoffQ", 12, 20, true],
  ]);
  expect([life?.from, life?.to]).toEqual([10, 20]);
});

test("once it is bound or gone, its life in the queues is over", () => {
  const bound = lifeTimeline([moved(10, "", "activeQ"), moved(12, "activeQ", "bound")], 500);
  expect([bound?.stays.length, bound?.to]).toEqual([1, 12]);
  expect(lifeTimeline([moved(10, "", "gated"), moved(15, "gated", "")], 500)?.to).toBe(15);
});

test("attempts and bindings are part of it", () => {
  const binding = bindingCard("web", { at: 12, ended_at: 14 });
  const life = lifeTimeline(
    [moved(10, "", "activeQ"), tried(11, 1), moved(12, "activeQ", "bound"), { move: null, attempt: null, binding }],
    20,
  );
  expect(life?.tried).toEqual([{ at: 11, attempt: 1, sequence: 10, outcome: "unschedulable" }]);
  expect(life?.to).toBe(14);
});

test("nothing happened: nothing is drawn", () => {
  expect(lifeTimeline([], 20)).toBeUndefined();
});

test("zooming and moving stay within the life", () => {
  const life = { from: 0, to: 100 };
  expect(zoomedLife(life, life, 0.5, 50)).toEqual({ from: 25, to: 75 });
  expect(zoomedLife(life, { from: 0, to: 10 }, 0.5, 0)).toEqual({ from: 0, to: 5 });
  expect(zoomedLife(life, { from: 25, to: 75 }, 4, 50)).toEqual(life);
  expect(pannedLife(life, { from: 40, to: 60 }, 0.5)).toEqual({ from: 50, to: 70 });
  expect(pannedLife(life, { from: 90, to: 100 }, 1)).toEqual({ from: 90, to: 100 });
});
