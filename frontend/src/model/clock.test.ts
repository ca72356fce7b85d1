import { expect, test } from "vitest";
import { clusterTime, formatTimeOfDay } from "./clock";
import { clusterCard } from "./testing";

test("a running clock goes on at its speed", () => {
  expect(clusterTime(clusterCard({ clock_at: 100, clock_wall: 1000, speed: 5 }), 1002)).toBe(110);
});

test("a paused clock stands", () => {
  expect(clusterTime(clusterCard({ clock_at: 100, clock_wall: 1000, state: "paused" }), 2000)).toBe(100);
});

test("a browser whose clock is behind the server's is corrected by the skew", () => {
  expect(clusterTime(clusterCard({ clock_at: 100, clock_wall: 1000 }), 900, 102)).toBe(102);
});

test("what is no time is told as nothing, not as an error", () => {
  for (const none of [Number.NaN, Number.POSITIVE_INFINITY, 1e20, -1e20]) expect(formatTimeOfDay(none)).toBe("");
});
