import { expect, test } from "vitest";
import { filmOf } from "../../model/film";
import { bindingCard, candidate, cycleReport, filterReport, pluginRun, scoreReport, status } from "../../model/testing";
import { filmWords } from "./film_words";

const REPORT = cycleReport("web", {
  node: "n2",
  points: [
    { point: "preFilter", plugins: [pluginRun("NodeResourcesFit")] },
    { point: "filter", plugins: [pluginRun("NodeName"), pluginRun("NodeResourcesFit")] },
    { point: "preScore", plugins: [pluginRun("PodTopologySpread", "Skip")] },
    { point: "score", plugins: [pluginRun("ImageLocality")] },
    { point: "permit", plugins: [pluginRun("Gang", "Wait", { status: status("Wait", "Gang", "2 of 3") })] },
  ],
  filter: filterReport({ n1: "NodeResourcesFit", n2: "", n3: "" }),
  score: scoreReport(["n2", "n3"], { ImageLocality: [10, 10] }, { ImageLocality: 2 }),
});

const story = (...film: Parameters<typeof filmOf>) => {
  const made = filmOf(...film);
  return made.frames.map((_, index) => filmWords(made, index));
};

test("a placed pod's cycle is told from activeQ to its node", () => {
  expect(story(REPORT, bindingCard("web", { node: "n2", phase: "bound" }))).toEqual([
    "default/web is taken from activeQ, attempt 1. The cluster has 3 nodes.",
    "NodeResourcesFit prepares.",
    "NodeName passes all 3 nodes.",
    "NodeResourcesFit rejects 1 node: NodeResourcesFit says no",
    "Every plugin skips here.",
    "ImageLocality × 2 is added.",
    "2 nodes share the highest total, 20: one of them is drawn.",
    "The draw takes n2.",
    "Gang: Wait, 2 of 3",
    "default/web is bound to n2.",
  ]);
});

test("a search that stopped early is told where the count of nodes falls", () => {
  const words = story({ ...REPORT, filter: filterReport({ n2: "", n3: "" }, { evaluated: 500, total_nodes: 5000 }) });
  expect(words[2]).toBe(
    "NodeName passes all 500 nodes. 500 nodes of 5,000 were looked at: in a large cluster the search stops when enough fit.",
  );
  expect(words[3]).not.toContain("looked at");
});

test("preemption says where room can be made, and whom the rule took", () => {
  const words = story(
    cycleReport("vip", {
      outcome: "unschedulable",
      message: "0/1 nodes are available",
      points: [{ point: "postFilter", plugins: [pluginRun("DefaultPreemption")] }],
      filter: filterReport({ n1: "NodeResourcesFit" }),
      preemption: {
        status: status("Success", "DefaultPreemption"),
        candidates: [candidate("n1")],
        node: "n1",
        victims: candidate("n1").victims,
        waiting_victims: [],
        decided_by: "the only candidate",
        nominations_cleared: [],
        not_helpful: null,
      },
    }),
  );
  expect(words.slice(1)).toEqual([
    "Removing pods of lower priority would help on 1 node.",
    "n1 is nominated (the only candidate): 1 pod must leave.",
    "0/1 nodes are available",
  ]);
});
