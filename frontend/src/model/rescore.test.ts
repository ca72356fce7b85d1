import { describe, expect, test } from "vitest";
import { idlePlugins, rescore, weightsOf } from "./rescore";
import { scoreReport } from "./testing";

const score = scoreReport(["n1", "n2", "n3"], { Fit: [60, 50, 50], Image: [0, 40, 40], Taint: [100, 100, 100] });
// With weight 1 for all: 160, 190, 190.

test("the weights of the report give its own totals", () => {
  const again = rescore(score, weightsOf(score));
  expect(again.score).toEqual(score);
  expect(again.changed).toEqual([]);
  expect(again.verdict).toBe("same");
});

describe("with other weights", () => {
  test("totals are normalised times weight, and the winner is another", () => {
    const { score: now, verdict, changed } = rescore(score, { Fit: 10 });
    expect(now.totals).toEqual([700, 640, 640]);
    expect(now.chosen).toBe("n1");
    expect(verdict).toBe("another");
    expect(changed).toEqual(["Fit"]);
  });

  test("a tie among other nodes is a set, of which nobody is chosen", () => {
    const first = { ...rescore(score, { Image: 0 }).score };
    const { score: now, verdict } = rescore(first, { Image: 5 });
    expect(now.best).toEqual(["n2", "n3"]);
    expect(now.chosen).toBe("");
    expect(verdict).toBe("another");
  });

  test("a tie with new partners may be drawn otherwise", () => {
    const { verdict, score: now } = rescore(score, { Image: 0, Fit: 0 });
    expect(now.best).toEqual(["n1", "n2", "n3"]);
    expect(verdict).toBe("tie_with_chosen");
  });

  test("a weight of 0 takes the plugin out of the sums", () => {
    expect(rescore(score, { Taint: 0 }).score.totals).toEqual([60, 90, 90]);
  });
});

test("a plugin that says the same of every node can change nothing", () => {
  expect([...idlePlugins(score)]).toEqual(["Taint"]);
});
