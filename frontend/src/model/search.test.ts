import { expect, test } from "vitest";
import { stateOfSnapshot } from "./apply_event";
import { search } from "./search";
import { nodeCard, podCard, snapshotFrame } from "./testing";

const state = stateOfSnapshot(
  snapshotFrame({
    objects: [
      nodeCard("worker1", { labels: { disktype: "ssd" } }),
      podCard("web-worker"),
      podCard("db", { namespace: "shop" }),
    ],
  }),
);
const names = (text: string) => search(state, text).map((hit) => hit.name);

test("a name that begins with the text comes before one that contains it", () => {
  expect(names("worker")).toEqual(["worker1", "web-worker"]);
});

test.each([
  ["disktype=ssd", ["worker1"]],
  ["shop/db", ["db"]],
  ["DB", ["db"]],
  ["  ", []],
  ["nothing", []],
])("%j finds %j", (text, found) => {
  expect(names(text)).toEqual(found);
});
