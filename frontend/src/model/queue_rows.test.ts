import { expect, test } from "vitest";
import { groupedBy, groupedRows, type LaneRows, plainRows, shareLeft } from "./queue_rows";
import { queuedPod } from "./testing";

const cards = [
  queuedPod("a", { message: "taint" }),
  queuedPod("b", { message: "cpu" }),
  queuedPod("c", { message: "cpu" }),
];
const groups = groupedBy(cards, ({ message }) => message);

const told = (rows: LaneRows) =>
  Array.from({ length: rows.count }, (_, row) => {
    const found = rows.at(row);
    return found?.kind === "group" ? `${found.group.label} ${found.open}` : found?.card.pod.name;
  });

test("the largest group comes first", () => {
  expect(groups.map(({ label, cards: of }) => [label, of.length])).toEqual([
    ["cpu", 2],
    ["taint", 1],
  ]);
});

test("rows are headings and the pods below them", () => {
  expect(told(groupedRows(groups, new Set()))).toEqual(["cpu true", "b", "c", "taint true", "a"]);
});

test("a closed group is its heading only", () => {
  expect(told(groupedRows(groups, new Set(["cpu"])))).toEqual(["cpu false", "taint true", "a"]);
});

test("without groups rows are the pods in their order", () => {
  expect(told(plainRows(cards))).toEqual(["a", "b", "c"]);
  expect(plainRows(cards).at(3)).toBeUndefined();
});

test("a ring is full at the beginning of a wait and empty at its end", () => {
  expect([100, 105, 110, 120].map((now) => shareLeft(100, 110, now))).toEqual([1, 0.5, 0, 0]);
  expect(shareLeft(100, 100, 90)).toBe(0);
});
