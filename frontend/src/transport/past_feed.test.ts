import { expect, test } from "vitest";
import { stateOfSnapshot } from "../model/apply_event";
import type { PastBatch } from "../model/rewind";
import type { ClusterState } from "../model/state";
import { createStore } from "../model/store";
import { batchFrame, podCard, snapshotFrame } from "../model/testing";
import { ApiError } from "./errors";
import { isAtOldest, PastFeed, type PastWorld } from "./past_feed";

/** Version n is at second n and added pod pn; the history begins at `oldest`. */
function pretended(newest = 300, oldest = 5) {
  const asked: string[] = [];
  const timers: (() => void)[] = [];
  let readOnly = false;
  const pod = (n: number) => podCard(`p${n}`);
  const world: PastWorld = {
    history: async (version) => {
      if (version < oldest) throw new ApiError(410, "expired", "gone");
      return { oldest, oldest_at: oldest };
    },
    snapshot: async (version) => {
      asked.push(`snapshot ${version}`);
      const versions = Array.from({ length: version }, (_, n) => n + 1);
      return snapshotFrame({ version, objects: versions.map(pod) });
    },
    messages: async (after, limit): Promise<PastBatch> => {
      asked.push(`messages ${after} ${limit}`);
      const versions = Array.from({ length: Math.min(limit, newest - after) }, (_, n) => after + n + 1);
      const messages = versions.map(
        (version) => ({ type: "object", event: "ADDED", version, object: pod(version) }) as const,
      );
      return { ...batchFrame(after, messages), times: versions };
    },
    later: (_, callback) => {
      timers.push(callback);
      return () => timers.splice(timers.indexOf(callback) >>> 0, 1);
    },
    readOnly: (only) => {
      readOnly = only;
    },
  };
  const live = createStore<ClusterState | undefined>(stateOfSnapshot(snapshotFrame({ version: newest })));
  const feed = new PastFeed(live, world);
  return {
    feed,
    live,
    asked,
    shown: () => feed.shown.get() as ClusterState,
    isReadOnly: () => readOnly,
    tick: () => timers.shift()?.(),
    settle: async () => {
      for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
    },
  };
}

test("a version of the past is shown as it was, at its time, and read-only", async () => {
  const { feed, shown, settle, isReadOnly } = pretended();
  feed.goTo(100);
  await settle();
  expect(shown().version).toBe(100);
  expect(shown().pods.size).toBe(100);
  expect(shown().cluster).toMatchObject({ state: "paused", clock_at: 100 });
  expect(isReadOnly()).toBe(true);
});

test("live messages keep arriving and are not shown, until one returns", async () => {
  const { feed, live, shown, settle, isReadOnly } = pretended();
  feed.goTo(100);
  await settle();
  let calls = 0;
  feed.shown.subscribe(() => {
    calls += 1;
  });
  live.set(stateOfSnapshot(snapshotFrame({ version: 301 })));
  expect([shown().version, calls]).toEqual([100, 0]);
  feed.goLive();
  expect([shown().version, calls, isReadOnly()]).toEqual([301, 1, false]);
});

test("steps go change by change, and a step back asks nobody", async () => {
  const { feed, shown, settle, asked } = pretended();
  feed.goTo(100);
  await settle();
  const before = asked.length;
  feed.step(-1);
  expect(shown().version).toBe(99);
  feed.step(1);
  expect(shown().version).toBe(100);
  expect(asked).toHaveLength(before);
});

test("a step back from live shows the change before the last", async () => {
  const { feed, shown, settle } = pretended();
  feed.step(-1);
  await settle();
  expect(shown().version).toBe(299);
});

test("a step back before what was read reads more", async () => {
  const { feed, shown, settle } = pretended();
  feed.goTo(100);
  await settle();
  for (let step = 0; step < 45; step += 1) {
    feed.step(-1);
    await settle();
  }
  expect(shown().version).toBe(55);
});

test("the oldest version is shown although nothing lies before it", async () => {
  const { feed, shown, settle } = pretended();
  feed.goTo(5);
  await settle();
  expect(shown().version).toBe(5);
  expect(shown().cluster.clock_at).toBe(5);
});

test("before the history begins the page stays where it is and says so", async () => {
  const { feed, shown, settle } = pretended();
  feed.goTo(2);
  await settle();
  expect(shown().version).toBe(300);
  expect(feed.standing.get()).toMatchObject({ past: undefined, wanted: undefined, error: { status: 410 } });
});

test("of the versions a hand scrubs over only the last is read after the first", async () => {
  const { feed, shown, settle, asked } = pretended();
  for (const version of [290, 250, 200, 150, 90]) feed.goTo(version);
  await settle();
  expect(shown().version).toBe(90);
  expect(asked.filter((one) => one.startsWith("snapshot"))).toEqual(["snapshot 250", "snapshot 50"]);
});

test("returning to live while a version is read stays live", async () => {
  const { feed, shown, settle, isReadOnly } = pretended();
  feed.goTo(100);
  feed.goLive();
  await settle();
  expect([shown().version, isReadOnly()]).toEqual([300, false]);
});

test("played, it goes on change by change up to the newest and stops there", async () => {
  const { feed, shown, settle, tick } = pretended(110);
  feed.goTo(106);
  await settle();
  feed.play();
  const seen = [shown().version];
  for (let turn = 0; turn < 8; turn += 1) {
    tick();
    await settle();
    seen.push(shown().version);
  }
  expect([...new Set(seen)]).toEqual([106, 107, 108, 109, 110]);
  expect(feed.standing.get()).toMatchObject({ playing: false, atNewest: true });
});

test("paused, it stays", async () => {
  const { feed, shown, settle, tick } = pretended();
  feed.goTo(106);
  await settle();
  feed.play();
  feed.pause();
  tick();
  expect(shown().version).toBe(106);
});

test("what cannot be read is not told to somebody who has called it off", async () => {
  const { feed, settle } = pretended();
  feed.goTo(2);
  feed.goLive();
  await settle();
  expect(feed.standing.get()).toMatchObject({ past: undefined, wanted: undefined, error: undefined });
});

test("a version that cannot be read does not hinder the one that is wanted by now", async () => {
  const { feed, shown, settle } = pretended();
  feed.goTo(2);
  feed.goTo(100);
  await settle();
  expect(shown().version).toBe(100);
  expect(feed.standing.get().error).toBeUndefined();
});

test("the past is read-only from the moment it is shown, also while another moment is read", async () => {
  const { feed, settle, isReadOnly } = pretended();
  const writable: boolean[] = [];
  feed.standing.subscribe(() => feed.standing.get().past && writable.push(!isReadOnly()));
  feed.goTo(250);
  feed.standing.subscribe(() => feed.standing.get().past && feed.standing.get().wanted === 250 && feed.goTo(100));
  await settle();
  expect(writable).not.toContain(true);
  expect(writable.length).toBeGreaterThan(0);
});

test("at the oldest version a step back stays there and asks nobody", async () => {
  const { feed, shown, settle, asked } = pretended();
  feed.goTo(6);
  await settle();
  feed.step(-1);
  await settle();
  expect(isAtOldest(feed.standing.get())).toBe(true);
  const before = asked.length;
  feed.step(-1);
  await settle();
  expect([shown().version, asked.length, feed.standing.get().error]).toEqual([5, before, undefined]);
});
