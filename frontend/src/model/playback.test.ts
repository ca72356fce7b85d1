import { expect, test } from "vitest";
import { frameMs, nextPlayback, type Playback, type PlaybackEvent } from "./playback";

const START: Playback = { at: 0, frames: 4, playing: true, speed: 1 };

const after = (from: Playback, ...events: readonly PlaybackEvent[]) => events.reduce(nextPlayback, from);

const TICK = { type: "ticked" } as const;

test("it goes on frame by frame and stops at its end", () => {
  expect(after(START, TICK)).toMatchObject({ at: 1, playing: true });
  expect(after(START, TICK, TICK, TICK)).toMatchObject({ at: 3, playing: false });
  expect(after(START, TICK, TICK, TICK, TICK)).toMatchObject({ at: 3, playing: false });
});

test("a step by hand stops it, and goes nowhere beyond its ends", () => {
  expect(after(START, { type: "stepped", by: 1 })).toMatchObject({ at: 1, playing: false });
  expect(after(START, { type: "stepped", by: -1 })).toMatchObject({ at: 0 });
  expect(after(START, { type: "stepped", by: 9 })).toMatchObject({ at: 3 });
});

test("scrubbing shows that very frame and stops it", () => {
  expect(after(START, { type: "sought", at: 2 })).toMatchObject({ at: 2, playing: false });
});

test("played at its end, it begins anew", () => {
  expect(after({ ...START, at: 3, playing: false }, { type: "toggled" })).toMatchObject({ at: 0, playing: true });
  expect(after(START, { type: "toggled" })).toMatchObject({ at: 0, playing: false });
});

test("a film of one frame never plays", () => {
  expect(after({ ...START, frames: 1, playing: false }, { type: "toggled" }).playing).toBe(false);
});

test("a frame in which nodes drop out is looked at longer, a faster film shorter", () => {
  const frame = {
    point: "filter",
    plugin: "NodeName",
    status: undefined,
    left: 3,
    scored: 0,
    scene: "filter",
  } as const;
  expect(frameMs({ ...frame, dropped: 1 }, 1)).toBeGreaterThan(frameMs({ ...frame, dropped: 0 }, 1));
  expect(frameMs({ ...frame, dropped: 1 }, 2)).toBe(frameMs({ ...frame, dropped: 1 }, 1) / 2);
});
