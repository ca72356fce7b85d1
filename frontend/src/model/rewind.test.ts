import { expect, test } from "vitest";
import { stateOfSnapshot } from "./apply_event";
import type { BatchFrame } from "./messages.generated";
import {
  advance,
  firstVersion,
  LONGEST_WAIT_SECONDS,
  lastVersion,
  longer,
  MOST_MOMENTS,
  type Past,
  pastOf,
  shownOf,
  standingAt,
} from "./rewind";
import { batchFrame, clusterCard, podCard, snapshotFrame } from "./testing";

type Message = BatchFrame["messages"][number];

const start = () => pastOf(stateOfSnapshot(snapshotFrame({ version: 10 })), 1000);

const podAdded = (version: number): Message => ({
  type: "object",
  version,
  event: "ADDED",
  object: podCard(`p${version}`),
});

const batch = (after: number, times: readonly number[]) => ({
  ...batchFrame(
    after,
    times.map((_, place) => podAdded(after + place + 1)),
  ),
  times,
});

const at = (past: Past, version: number): Past => {
  const there = standingAt(past, version);
  if (!there) throw new Error(`no version ${version}`);
  return there;
};

test("a stretch of the past has every state between its ends", () => {
  const past = longer(start(), batch(10, [1001, 1002, 1003]));
  expect([firstVersion(past), lastVersion(past)]).toEqual([10, 13]);
  expect([10, 11, 12, 13].map((version) => shownOf(at(past, version)).state.pods.size)).toEqual([0, 1, 2, 3]);
});

test("whoever stands in it stays there when it gets longer", () => {
  expect(shownOf(longer(start(), batch(10, [1001]))).state.version).toBe(10);
});

test("in the past the clock stands at the moment's time, although it ran then", () => {
  const past = at(longer(start(), batch(10, [1001, 1002])), 12);
  expect(shownOf(past).state.cluster).toMatchObject({ state: "paused", clock_at: 1002 });
});

test("a message about the clock does not start it", () => {
  const message: Message = { type: "cluster", version: 11, cluster: clusterCard({ state: "running", speed: 5 }) };
  const past = at(longer(start(), { ...batchFrame(10, [message]), times: [1004] }), 11);
  expect(shownOf(past).state.cluster).toMatchObject({ state: "paused", speed: 5, clock_at: 1004 });
});

test("a version beside the stretch is not in it", () => {
  const past = longer(start(), batch(10, [1001]));
  expect(standingAt(past, 9)).toBeUndefined();
  expect(standingAt(past, 12)).toBeUndefined();
});

test("too many states: the oldest go, never the one that is shown", () => {
  const times = Array.from({ length: MOST_MOMENTS + 50 }, (_, n) => 1001 + n);
  expect(firstVersion(longer(start(), batch(10, times)))).toBe(10);
  const walked = at(longer(start(), batch(10, times)), 100);
  const later = longer(walked, batch(lastVersion(walked), [9000]));
  expect(shownOf(later).state.version).toBe(100);
  expect(firstVersion(later)).toBe(62);
  expect(later.moments).toHaveLength(MOST_MOMENTS);
});

test("played, a wait lasts as long as it did, divided by the speed", () => {
  const past = longer(start(), batch(10, [1001, 1003]));
  expect(advance(past, 1)).toEqual({ index: 1, wait: 1 });
  expect(advance(past, 4)).toEqual({ index: 1, wait: 0.25 });
});

test("what happened in one blink is shown at once, and an idle hour is cut short", () => {
  const past = longer(start(), batch(10, [4600, 4600.01, 4600.02, 4700]));
  expect(advance(past, 1)).toEqual({ index: 3, wait: LONGEST_WAIT_SECONDS });
});

test("at the end of a stretch there is nothing to go on to", () => {
  expect(advance(start(), 1).index).toBeUndefined();
});
