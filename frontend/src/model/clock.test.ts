import { expect, test } from "vitest";
import { clusterTime, formatAge, formatSpan, formatTimeOfDay } from "./clock";
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

test.each([
  [0, "00:00"],
  [75, "01:15"],
  [3725, "1:02:05"],
])("a span of %d seconds is %s", (seconds, text) => {
  expect(formatSpan(seconds)).toBe(text);
});

test.each([
  [45, "45s"],
  [125, "2m5s"],
  [900, "15m"],
  [7200, "120m"],
  [20_000, "5h"],
  [400_000, "4d"],
])("an age of %d seconds is %s", (seconds, text) => {
  expect(formatAge(seconds)).toBe(text);
});

test("what is no time is told as nothing, not as an error", () => {
  for (const none of [Number.NaN, Number.POSITIVE_INFINITY, 1e20, -1e20]) expect(formatTimeOfDay(none)).toBe("");
});
