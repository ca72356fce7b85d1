import { expect, test } from "vitest";
import type { Deed } from "./deeds";
import type { Done } from "./perform";
import { afterRedo, afterUndo, MOST_ENTRIES, NOTHING_DONE, recorded } from "./undo";

const deed = (name: string): Deed => ({ kind: "fail", names: [name] });
const done: Done = { names: ["n1"], failures: [], undo: [], losses: [], sent: [], replaced_by: "" };
const after = (...names: string[]) =>
  names.reduce((history, name) => recorded(history, deed(name), done), NOTHING_DONE);

test("what was undone last is done again first", () => {
  const history = after("a", "b");
  const [a, b] = history.done;
  if (!a || !b) throw new Error("two were recorded");
  const undone = afterUndo(afterUndo(history, b), a);
  expect(undone.done).toEqual([]);
  expect(undone.undone.at(-1)?.deed).toEqual(deed("a"));
  expect(afterRedo(undone, a, done).done.map((entry) => entry.deed)).toEqual([deed("a")]);
});

test("one in the middle is undone by itself", () => {
  const history = after("a", "b", "c");
  const middle = history.done[1];
  if (!middle) throw new Error("three were recorded");
  expect(afterUndo(history, middle).done.map((entry) => entry.deed)).toEqual([deed("a"), deed("c")]);
});

test("a new deed ends what could be done again", () => {
  const history = after("a");
  const [a] = history.done;
  if (!a) throw new Error("one was recorded");
  expect(recorded(afterUndo(history, a), deed("b"), done).undone).toEqual([]);
});

test("the oldest are forgotten", () => {
  const names = Array.from({ length: MOST_ENTRIES + 5 }, (_, at) => `n${at}`);
  const history = after(...names);
  expect(history.done).toHaveLength(MOST_ENTRIES);
  expect(history.done[0]?.deed).toEqual(deed("n5"));
});
