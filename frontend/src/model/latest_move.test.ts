import { expect, test } from "vitest";
import { latestMove } from "./latest_move";
import { queueMove } from "./testing";

const moved = (id: number, version: number, over: Parameters<typeof queueMove>[1] = {}) => ({
  id,
  version,
  move: queueMove(`p${id}`, over),
});

test("pods that one event moved are one latest move", () => {
  const woken = { source: "unschedulablePods", target: "activeQ", event: "NodeAdd", object: "Node/n7" };
  const moves = [moved(1, 7, woken), moved(2, 8, woken), moved(3, 8, { target: "backoffQ" }), moved(4, 8, woken)];
  expect(latestMove(moves)).toMatchObject({ move: { pod: { name: "p4" } }, count: 2 });
});

test("where nothing moved there is none", () => {
  expect(latestMove([])).toBeUndefined();
});
