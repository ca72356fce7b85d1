import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Frame } from "../model/messages.generated";
import { batchFrame, clusterCard, nodeCard, queueMove, snapshotFrame } from "../model/testing";
import {
  ClusterFeed,
  CONNECT_PATIENCE_MS,
  type FeedWorld,
  PROBE_EVERY_MS,
  PROBE_PATIENCE_MS,
  PROTOCOL,
  type Probe,
  SLEPT_MS,
  type Socket,
  STALE_AFTER_MS,
  TICK_MS,
} from "./cluster_feed";

class FakeSocket implements Socket {
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  closed = false;

  constructor(readonly from: number | undefined) {}

  close(): void {
    this.closed = true;
  }

  say(frame: Frame): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  /** The other side goes away. */
  lose(): void {
    this.onclose?.();
  }
}

let frameQueue: (callback: () => void) => void;
let sockets: FakeSocket[];
let answer: () => Promise<Probe>;
let feed: ClusterFeed;

const world: FeedWorld = {
  open: (from) => {
    const socket = new FakeSocket(from);
    sockets.push(socket);
    return socket;
  },
  probe: () => answer(),
  nextFrame: (callback) => frameQueue(callback),
  now: () => Date.now(),
  random: () => 0.5,
};

const last = (): FakeSocket => {
  const socket = sockets.at(-1);
  if (!socket) throw new Error("no socket was opened");
  return socket;
};
const at = async (version: number): Promise<Probe> => ({ kind: "version", version });
const nobody = () => new Promise<Probe>(() => undefined);
const kind = () => feed.connection.get().kind;
const nodeAdded = (version: number, name: string) =>
  batchFrame(version - 1, [{ type: "object", version, event: "ADDED", object: nodeCard(name) }]);
const resumed = (version: number): Frame => ({
  frame: "resumed",
  protocol: PROTOCOL,
  build: "test",
  version,
  cluster: clusterCard(),
});

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  frameQueue = (callback) => callback();
  answer = () => at(0);
  feed = new ClusterFeed(world);
  feed.start();
});

afterEach(() => {
  feed.stop();
  vi.useRealTimers();
});

test("a snapshot makes the page live, and batches carry it on", () => {
  expect(kind()).toBe("connecting");
  last().say(snapshotFrame());
  last().say(nodeAdded(2, "n1"));
  expect(kind()).toBe("live");
  expect([...(feed.state.get()?.nodes.values() ?? [])].map((node) => node.name)).toEqual(["n1"]);
});

test("a gap found while reconnecting means a snapshot, not a page that never comes back", () => {
  last().say(snapshotFrame());
  frameQueue = () => undefined;
  last().say(nodeAdded(5, "n5"));
  last().lose();
  vi.runOnlyPendingTimers();
  expect(sockets).toHaveLength(2);
  expect(last().from).toBeUndefined();
  last().say(snapshotFrame());
  expect(kind()).toBe("live");
});

test("batches that come before the page is drawn are one change", () => {
  const waiting: (() => void)[] = [];
  frameQueue = (callback) => waiting.push(callback);
  last().say(snapshotFrame());
  let changes = 0;
  feed.state.subscribe(() => {
    changes += 1;
  });
  last().say(nodeAdded(2, "n1"));
  last().say(nodeAdded(3, "n2"));
  expect(changes).toBe(0);
  waiting.shift()?.();
  expect(changes).toBe(1);
  expect(feed.state.get()).toMatchObject({ version: 3 });
});

test("a batch that was not drawn yet counts when the page asks for what came after", async () => {
  frameQueue = () => undefined;
  last().say(snapshotFrame());
  last().say(nodeAdded(2, "n1"));
  last().lose();
  await vi.advanceTimersByTimeAsync(300);
  expect(last().from).toBe(2);
});

describe("after a drop", () => {
  beforeEach(() => {
    last().say(snapshotFrame());
    last().say(nodeAdded(2, "n1"));
    last().lose();
  });

  test("the page says since when, keeps what it has, and asks for what came after", async () => {
    expect(feed.connection.get()).toMatchObject({ kind: "reconnecting", attempt: 1 });
    expect(feed.state.get()?.version).toBe(2);
    await vi.advanceTimersByTimeAsync(300);
    expect(last().from).toBe(2);
    last().say(resumed(4));
    expect(kind()).toBe("live");
    last().say(nodeAdded(3, "n2"));
    expect(feed.state.get()?.nodes.size).toBe(2);
  });

  test("tries come less and less often while the server is away", async () => {
    for (let attempt = 0; attempt < 12; attempt += 1) {
      last().lose();
      await vi.advanceTimersByTimeAsync(10_000);
    }
    const tries = sockets.length;
    last().lose();
    await vi.advanceTimersByTimeAsync(7900);
    expect(sockets.length).toBe(tries);
    await vi.advanceTimersByTimeAsync(200);
    expect(sockets.length).toBe(tries + 1);
  });

  test("a person may try at once", () => {
    feed.reconnectNow();
    expect(sockets).toHaveLength(2);
  });

  test("a snapshot replaces the state where the feed does not go back that far, and keeps the moves seen", async () => {
    await vi.advanceTimersByTimeAsync(300);
    last().say(snapshotFrame({ version: 50 }));
    last().say(
      batchFrame(50, [
        {
          type: "queue",
          scheduler: "kube-scheduler",
          version: 51,
          moves: [queueMove("web")],
          pods: [],
          gone: [],
          events: [],
        },
      ]),
    );
    last().lose();
    await vi.advanceTimersByTimeAsync(300);
    last().say(snapshotFrame({ version: 90 }));
    expect(feed.state.get()).toMatchObject({ version: 90, moves: [{ move: { event: "PodAdd" } }] });
  });
});

test("a gap in the numbers starts over from a snapshot", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  last().say(snapshotFrame());
  last().say(nodeAdded(7, "n7"));
  expect(warn).toHaveBeenCalledOnce();
  expect(feed.state.get()).toBeUndefined();
  expect(sockets[0]?.closed).toBe(true);
  expect(last().from).toBeUndefined();
});

test("a cluster that is gone is not asked for again", async () => {
  last().say(snapshotFrame());
  last().say({ frame: "gone", message: 'cluster "demo" does not exist' });
  expect(feed.connection.get()).toEqual({ kind: "gone", message: 'cluster "demo" does not exist' });
  last().lose();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sockets).toHaveLength(1);
});

test("another protocol is said, not guessed at", () => {
  last().say(snapshotFrame({ protocol: PROTOCOL + 1 }));
  expect(kind()).toBe("incompatible");
  expect(feed.state.get()).toBeUndefined();
});

test("a server of another build asks for the page to be loaded anew, when it suits", async () => {
  last().say(snapshotFrame({ build: "one" }));
  expect(feed.outdated.get()).toBe(false);
  last().lose();
  await vi.advanceTimersByTimeAsync(300);
  last().say(snapshotFrame({ build: "two" }));
  expect(feed.outdated.get()).toBe(true);
  expect(kind()).toBe("live");
});

test("a cluster of the same name in a new database is read from a snapshot, whatever its version", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  last().say(snapshotFrame({ cluster: clusterCard({ seed: 7 }) }));
  last().say(nodeAdded(2, "old"));
  last().lose();
  await vi.advanceTimersByTimeAsync(300);
  last().say({ frame: "resumed", protocol: PROTOCOL, build: "test", version: 2, cluster: clusterCard({ seed: 8 }) });
  expect(warn).toHaveBeenCalledOnce();
  expect(feed.state.get()).toBeUndefined();
  expect(last().from).toBeUndefined();
});

describe("when no frame comes", () => {
  beforeEach(() => last().say(snapshotFrame({ version: 10 })));

  test("a server that is ahead makes the page stale, and it connects anew", async () => {
    answer = () => at(12);
    await vi.advanceTimersByTimeAsync(PROBE_EVERY_MS + STALE_AFTER_MS + TICK_MS);
    expect(kind()).toBe("stale");
    expect(last().from).toBe(10);
    last().say(resumed(12));
    expect(kind()).toBe("live");
  });

  test("a server with nothing new leaves it live", async () => {
    answer = () => at(10);
    await vi.advanceTimersByTimeAsync(2 * PROBE_EVERY_MS + STALE_AFTER_MS);
    expect(kind()).toBe("live");
    expect(sockets).toHaveLength(1);
  });

  test("a server that hangs is not live, however open its socket is", async () => {
    answer = nobody;
    await vi.advanceTimersByTimeAsync(PROBE_EVERY_MS + PROBE_PATIENCE_MS + TICK_MS);
    expect(feed.connection.get()).toMatchObject({ kind: "reconnecting", why: "silent" });
    expect(sockets[0]?.closed).toBe(true);
    expect(feed.state.get()?.version).toBe(10);
  });

  test("a server that fails says with which status", async () => {
    answer = async () => ({ kind: "trouble", why: 500 });
    await vi.advanceTimersByTimeAsync(PROBE_EVERY_MS + TICK_MS);
    expect(feed.connection.get()).toMatchObject({ kind: "reconnecting", why: 500 });
  });

  test("a cluster that was deleted is gone", async () => {
    answer = async () => ({ kind: "gone", message: "no such cluster" });
    await vi.advanceTimersByTimeAsync(PROBE_EVERY_MS + TICK_MS);
    expect(feed.connection.get()).toEqual({ kind: "gone", message: "no such cluster" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(1);
  });
});

describe("after sleep, or when the browser says that the network went", () => {
  beforeEach(() => last().say(snapshotFrame({ version: 10 })));

  test("nothing counts as live until the server confirms it", async () => {
    let say: (probe: Probe) => void = () => undefined;
    answer = () => new Promise((resolve) => (say = resolve));
    vi.setSystemTime(Date.now() + SLEPT_MS);
    await vi.advanceTimersByTimeAsync(TICK_MS);
    expect(kind()).toBe("stale");
    say({ kind: "version", version: 10 });
    await vi.advanceTimersByTimeAsync(0);
    expect(kind()).toBe("live");
  });

  test("a playground on this machine stays live without a network", async () => {
    answer = () => at(10);
    feed.suspect();
    await vi.advanceTimersByTimeAsync(0);
    expect(kind()).toBe("live");
  });

  test("without an answer the page reconnects, and says that the network is missing", async () => {
    answer = async () => ({ kind: "trouble", why: "network" });
    feed.suspect();
    await vi.advanceTimersByTimeAsync(0);
    expect(feed.connection.get()).toMatchObject({ kind: "reconnecting", why: "network" });
  });
});

test("a connection that neither fails nor says anything is begun anew", async () => {
  answer = nobody;
  await vi.advanceTimersByTimeAsync(CONNECT_PATIENCE_MS + TICK_MS);
  expect(sockets[0]?.closed).toBe(true);
  expect(kind()).toBe("reconnecting");
});

test("why the server cannot be heard is found out by asking it", async () => {
  last().say(snapshotFrame());
  answer = async () => ({ kind: "trouble", why: 503 });
  last().lose();
  expect(feed.connection.get()).toMatchObject({ kind: "reconnecting", why: "silent" });
  await vi.advanceTimersByTimeAsync(0);
  expect(feed.connection.get()).toMatchObject({ kind: "reconnecting", why: 503 });
});

test("a stopped feed leaves nothing behind", async () => {
  last().say(snapshotFrame());
  feed.stop();
  expect(last().closed).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sockets).toHaveLength(1);
});
