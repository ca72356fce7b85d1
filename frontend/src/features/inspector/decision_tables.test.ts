import { describe, expect, it } from "vitest";
import type { FilterReport, ScoreReport } from "../../model/messages.generated";
import { candidate } from "../../model/testing";
import {
  candidatesCsv,
  filterCsv,
  filterGroups,
  filterRows,
  rejectionsCsv,
  scoreCsv,
  scoreRows,
  sortedRows,
} from "./decision_tables";

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

describe("sorted scores", () => {
  const names = (by: "node" | "total" | number, descending: boolean) =>
    sortedRows(scoreRows(SCORE), { by, descending }).map(({ node }) => node);

  it("go by the total, a plugin's column or the name", () => {
    expect(names("total", false)[0]).toBe("n1");
    expect(names(0, false)[0]).toBe("n1");
    expect(names("node", true)).toEqual(["n3", "n2", "n1"]);
  });

  it("keep the order of rows that are equal, the chosen first", () => {
    expect(names(0, true)).toEqual(
      scoreRows(SCORE)
        .map(({ node }) => node)
        .filter((node) => node !== "n1")
        .concat("n1"),
    );
  });
});

describe("copied as CSV", () => {
  it("a candidate has its victims and budgets in one cell each", () => {
    const budgets = [{ namespace: "default", name: "keep", allowed: 0, covered: 1 }];
    expect(candidatesCsv([candidate("n1", { budgets, pdb_violations: 1 })]).split("\r\n")[1]).toBe(
      "n1,default/on-n1,1,0,0,2027-01-15T08:00:00Z,default/keep",
    );
  });

  it("a rejection has a row for each plugin", () => {
    const rejections = [
      { plugin: "TaintToleration", reasons: ["untolerated"], remedies: ["tolerate a", "tolerate b"] },
      { plugin: "NodeResourcesFit", reasons: ["Insufficient cpu"], remedies: [] },
    ];
    expect(
      rejectionsCsv([{ node: "n1", rejections }])
        .split("\r\n")
        .slice(1),
    ).toEqual(["n1,TaintToleration,untolerated,tolerate a; tolerate b", "n1,NodeResourcesFit,Insufficient cpu,"]);
  });
});
