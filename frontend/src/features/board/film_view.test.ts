import { expect, test } from "vitest";
import { filmOf, overlayAt } from "../../model/film";
import { cycleReport, filterReport, pluginRun, scoreReport } from "../../model/testing";
import { filmView } from "./film_view";

const FILM = filmOf(
  cycleReport("web", {
    node: "n2",
    points: [
      { point: "filter", plugins: [pluginRun("NodeResourcesFit")] },
      { point: "score", plugins: [pluginRun("ImageLocality")] },
    ],
    filter: filterReport({ n1: "NodeResourcesFit", n2: "", n3: "" }),
    score: scoreReport(["n2", "n3"], { ImageLocality: [10, 0] }),
  }),
);

const viewAt = (index: number) => filmView(overlayAt(FILM, index));

test("nodes that dropped out are drawn as rejected, the others keep their colour", () => {
  expect(viewAt(0)?.verdictOn("n1")).toBeUndefined();
  expect(viewAt(1)?.verdictOn("n1")).toEqual({ verdict: "rejected", word: "NodeResourcesFit says no" });
  expect(viewAt(1)?.verdictOn("n2")).toBeUndefined();
});

test("nodes that are scored are marked until the draw, then only the chosen one", () => {
  expect(viewAt(2)?.verdictOn("n3")).toMatchObject({ verdict: "fits" });
  expect(viewAt(FILM.frames.length - 1)?.verdictOn("n3")).toBeUndefined();
});

test("the chosen node is outlined, from the frame on that chose it", () => {
  expect(viewAt(1)?.over).toBeUndefined();
  expect(viewAt(FILM.frames.length - 1)).toMatchObject({ over: "n2" });
});

test("whoever would have to leave is marked", () => {
  const victims = new Set(["uid-old"]);
  expect(filmView({ nodes: new Map(), rest: undefined, victims })?.victims).toEqual(victims);
});

test("without a film nothing is drawn", () => {
  expect(filmView(undefined)).toBeUndefined();
});
