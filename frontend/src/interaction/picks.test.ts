import { describe, expect, test } from "vitest";
import {
  boxBetween,
  heldWith,
  isInside,
  NO_PICKS,
  overlaps,
  pickedToo,
  rangeTo,
  toggledNode,
  toggledPod,
  withoutGone,
} from "./picks";

const ORDER = ["n1", "n2", "n3", "n4"];

describe("nodes are picked", () => {
  test("one by one, and put back the same way", () => {
    const one = toggledNode(NO_PICKS, "n1");
    expect([...one.nodes]).toEqual(["n1"]);
    expect([...toggledNode(one, "n1").nodes]).toEqual([]);
  });

  test("from the last one up to another, in either direction", () => {
    expect([...rangeTo(toggledNode(NO_PICKS, "n2"), "n4", ORDER).nodes]).toEqual(["n2", "n3", "n4"]);
    expect(rangeTo(toggledNode(NO_PICKS, "n3"), "n1", ORDER).nodes).toEqual(new Set(["n1", "n2", "n3"]));
  });

  test("alone where there was none before, or it is gone", () => {
    expect([...rangeTo(NO_PICKS, "n2", ORDER).nodes]).toEqual(["n2"]);
    expect([...rangeTo({ ...NO_PICKS, anchor: "gone" }, "n2", ORDER).nodes]).toEqual(["n2"]);
  });
});

test("a hand on one that is picked holds all, on another one that one", () => {
  const picked = toggledPod(toggledPod(NO_PICKS, "a"), "b").pods;
  expect(heldWith(picked, "a")).toEqual(["a", "b"]);
  expect(heldWith(picked, "c")).toEqual(["c"]);
});

test("what is gone is not picked any more", () => {
  const picks = pickedToo(NO_PICKS, ["n1", "n2"], ["a"]);
  const left = withoutGone(
    picks,
    (name) => name === "n1",
    () => true,
  );
  expect([...left.nodes]).toEqual(["n1"]);
  expect(
    withoutGone(
      picks,
      () => true,
      () => true,
    ),
  ).toBe(picks);
});

test("a lasso drawn backwards is the same box", () => {
  const box = boxBetween(10, 8, 2, 4);
  expect(box).toEqual({ left: 2, top: 4, right: 10, bottom: 8 });
  expect(overlaps(box, boxBetween(9, 7, 20, 20))).toBe(true);
  expect(overlaps(box, boxBetween(11, 0, 20, 20))).toBe(false);
  expect(isInside(boxBetween(3, 5, 4, 6), box)).toBe(true);
});
