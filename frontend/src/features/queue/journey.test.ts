import { expect, test } from "vitest";
import { queueMove } from "../../model/testing";
import { travelSince } from "./journey";

const moves = (...list: [name: string, source: string, target: string][]) =>
  list.map(([name, source, target], index) => ({
    id: index + 1,
    version: index + 1,
    move: queueMove(name, { source, target }),
  }));

test("a pod's moves since the last look are one journey through its lanes", () => {
  const all = moves(["web", "", "activeQ"], ["web", "activeQ", "inFlight"], ["web", "inFlight", "binding"]);
  expect(travelSince(all, 1).journeys).toEqual([
    { uid: "uid-web", name: "web", lanes: ["inFlight", "binding"], last: all[2]?.move },
  ]);
});

test("nothing new is no travel", () => {
  const all = moves(["web", "", "activeQ"]);
  expect(travelSince(all, 1).journeys).toEqual([]);
});

test("many pods are told as counts of where they ended", () => {
  const all = moves(
    ...Array.from({ length: 20 }, (_, n): [string, string, string] => [
      `p${n}`,
      "activeQ",
      n < 15 ? "bound" : "backoffQ",
    ]),
  );
  const { journeys, counts } = travelSince(all, 0);
  expect(journeys).toEqual([]);
  expect([...counts]).toEqual([
    ["bound", 15],
    ["backoffQ", 5],
  ]);
});
