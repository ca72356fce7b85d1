import { describe, expect, it } from "vitest";
import type { FilterReport, ScoreReport } from "../../model/messages.generated";
import { filterCsv, filterGroups, filterRows, scoreCsv, scoreRows, toCsv } from "./decision_tables";

const FILTER: FilterReport = {
  nodes: ["n1", "n2", "n3", "n4"],
  status: [0, -1, 1, 0],
  statuses: [
    { code: "Unschedulable", plugin: "NodeResourcesFit", reasons: ["Insufficient cpu", "Insufficient memory"] },
    { code: "UnschedulableAndUnresolvable", plugin: "TaintToleration", reasons: ["untolerated taint {a: }"] },
  ],
  total_nodes: 4,
  evaluated: 4,
  absent: null,
};

const SCORE: ScoreReport = {
  nodes: ["n1", "n2", "n3"],
  plugins: [
    { plugin: "Fit", weight: 1, raw: [50, 70, 70], normalized: [50, 70, 70], weighted: [50, 70, 70] },
    { plugin: "Taint", weight: 3, raw: [1, 0, 0], normalized: [0, 100, 100], weighted: [0, 300, 300] },
  ],
  totals: [50, 370, 370],
  best: ["n2", "n3"],
  chosen: "n3",
};

describe("the filter table", () => {
  it("has a row for each node with its first rejection", () => {
    expect(filterRows(FILTER).map(({ node, status }) => [node, status?.plugin])).toEqual([
      ["n1", "NodeResourcesFit"],
      ["n2", undefined],
      ["n3", "TaintToleration"],
      ["n4", "NodeResourcesFit"],
    ]);
  });

  it("groups nodes: those that pass first, then the commonest rejection", () => {
    expect(filterGroups(filterRows(FILTER)).map(({ nodes }) => nodes)).toEqual([["n2"], ["n1", "n4"], ["n3"]]);
  });

  it("can be copied as CSV", () => {
    expect(filterCsv(filterRows(FILTER)).split("\r\n")[1]).toBe(
      "n1,Unschedulable,NodeResourcesFit,Insufficient cpu; Insufficient memory",
    );
  });
});

describe("the score table", () => {
  it("is sorted by total, the chosen node before those it was tied with", () => {
    expect(scoreRows(SCORE).map(({ node, best, chosen }) => [node, best, chosen])).toEqual([
      ["n3", true, true],
      ["n2", true, false],
      ["n1", false, false],
    ]);
  });

  it("keeps the arithmetic of each plugin", () => {
    expect(scoreRows(SCORE)[2]?.scores[1]).toEqual({ raw: 1, normalized: 0, weight: 3, weighted: 0 });
  });

  it("can be copied as CSV, chosen node first", () => {
    const lines = scoreCsv(SCORE).split("\r\n");
    expect(lines[0]).toContain("Taint normalized");
    expect(lines[1]).toBe("n3,70,70,1,70,0,100,3,300,370,yes");
  });
});

it("quotes a CSV cell with a comma, a quote or a line break", () => {
  expect(toCsv([['say "hi", there', 1, "two\nlines"]])).toBe('"say ""hi"", there",1,"two\nlines"');
});
