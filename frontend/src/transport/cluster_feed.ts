/**
 * Follows one cluster over its WebSocket and keeps a `ClusterState` up to date.
 *
 * The connection is a small state machine, shown to people as it is: connecting, live,
 * reconnecting since, stale, gone. After a drop the feed asks for what came after its last
 * version (`?from=N`); the server answers with batches, or with a fresh snapshot where its feed
 * no longer goes back that far. A gap in the numbers, a frame that cannot be read, or an answer
 * about another cluster of the same name (the database was reset) drops the state and starts from
 * a snapshot: never a guess.
 *
 * A dead connection may look alive for minutes. So while no frame comes, the feed asks the
 * server (`probe`) every few seconds; when there is no answer, or the server is ahead and nothing
 * arrives, the page says so and connects anew. Where the timers show that the machine slept, and
 * where the browser says that the network went, what is shown counts as stale until the server
 * has confirmed it. The browser's word alone is not taken: without a network, a playground on this
 * very machine is as live as before.
 */
import { applyBatch, stateOfSnapshot, VersionGap } from "../model/apply_event";
import type { BatchFrame, ClusterCard, Frame, ResumedFrame, SnapshotFrame } from "../model/messages.generated";
import type { ClusterState } from "../model/state";
import { createStore } from "../model/store";
import { delayBefore } from "./backoff";

export const PROTOCOL = 1;
/** How long a quiet connection is believed. */
export const PROBE_EVERY_MS = 5000;
/** How long the server may take to answer a probe. */
export const PROBE_PATIENCE_MS = 4000;
/** How long a new connection may take to say its first word: the snapshot of a large cluster is slow to make. */
export const CONNECT_PATIENCE_MS = 30_000;
export const TICK_MS = 1000;
/** Timers that are so late were not late: the machine slept, or the page was frozen. */
export const SLEPT_MS = 8000;
/** How long the server may be ahead of the page before the page calls itself stale. */
export const STALE_AFTER_MS = 4000;

export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  | { readonly kind: "reconnecting"; readonly since: number; readonly attempt: number; readonly why: Trouble }
  | { readonly kind: "stale"; readonly since: number }
  | { readonly kind: "gone"; readonly message: string }
  | { readonly kind: "incompatible"; readonly message: string };

/** Why the server cannot be heard: no network, no answer, or an answer that it failed (an HTTP status). */
export type Trouble = "network" | "silent" | number;

/** What asking by another way than the socket came to. */
export type Probe =
  | { readonly kind: "version"; readonly version: number }
  | { readonly kind: "gone"; readonly message: string }
  | { readonly kind: "trouble"; readonly why: Trouble };

/** The part of a WebSocket that the feed uses. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: (() => void) | null;
  close(): void;
}

export interface FeedWorld {
  /** Opens a socket; `from` is undefined for a snapshot. */
  readonly open: (from: number | undefined) => Socket;
  readonly probe: () => Promise<Probe>;
  /** Calls back when the page is about to be drawn: batches until then are applied as one. */
  readonly nextFrame: (callback: () => void) => void;
  readonly now: () => number;
  readonly random: () => number;
}

export class ClusterFeed {
  readonly state = createStore<ClusterState | undefined>(undefined);
  readonly connection = createStore<Connection>({ kind: "connecting" });
  /** The server runs another build than the one this page came from: reload when it suits. */
  readonly outdated = createStore(false);

  private socket: Socket | undefined;
  private build: string | undefined;
  private attempt = 0;
  private lostAt: number | undefined;
  /** When the page last knew that it shows the present. */
  private heardAt = 0;
  private connectedAt = 0;
  private tickedAt = 0;
  private probing = false;
  private reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  private ticker: ReturnType<typeof setInterval> | undefined;
  private stopped = false;
  private batches: BatchFrame[] = [];

  constructor(private readonly world: FeedWorld) {}

  start(): void {
    this.stopped = false;
    this.connect();
    this.tickedAt = this.world.now();
    this.ticker = setInterval(() => this.tick(), TICK_MS);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.reconnectTimer);
    clearInterval(this.ticker);
    this.drop();
  }

  /** Tries at once instead of waiting for the backoff: the network came back, or a person asked. */
  reconnectNow(): void {
    if (this.connection.get().kind !== "reconnecting") return;
    clearTimeout(this.reconnectTimer);
    this.connect();
  }

  /** The network may have gone, or the machine slept: nothing counts as live until the server says so. */
  suspect(): void {
    if (this.connection.get().kind !== "live") return;
    this.connection.set({ kind: "stale", since: this.heardAt });
    void this.check();
  }

  private tick(): void {
    const now = this.world.now();
    const slept = now - this.tickedAt >= SLEPT_MS;
    this.tickedAt = now;
    if (slept) this.wake();
    else if (this.hangs(now)) this.giveUp("silent");
    else if (now - this.heardAt >= PROBE_EVERY_MS) void this.check();
  }

  /** A connection that was begun, and neither fails nor says anything. */
  private hangs(now: number): boolean {
    const waits = this.socket !== undefined && !this.isOver() && this.heardAt < this.connectedAt;
    return waits && now - this.connectedAt >= CONNECT_PATIENCE_MS;
  }

  private wake(): void {
    this.suspect();
    this.reconnectNow();
  }

  private connect(): void {
    this.drop();
    const socket = this.world.open(this.state.get()?.version);
    this.socket = socket;
    this.connectedAt = this.world.now();
    socket.onmessage = ({ data }) => this.receive(data);
    socket.onclose = () => this.lost();
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = undefined;
    if (socket) {
      socket.onmessage = null;
      socket.onclose = null;
      socket.close();
    }
    this.applyLastBatches();
  }

  /** What came before the connection went; with a gap in it, the next connection starts from a snapshot. */
  private applyLastBatches(): void {
    try {
      this.applyBatches();
    } catch (problem) {
      if (!(problem instanceof VersionGap)) throw problem;
      this.state.set(undefined);
    }
  }

  private lost(): void {
    this.socket = undefined;
    if (this.stopped || this.isOver()) return;
    this.tryAgain("silent");
    void this.diagnose();
  }

  private tryAgain(why: Trouble): void {
    this.lostAt ??= this.world.now();
    this.attempt += 1;
    this.connection.set({ kind: "reconnecting", since: this.lostAt, attempt: this.attempt, why });
    clearTimeout(this.reconnectTimer);
    this.reconnectTimer = setTimeout(() => this.connect(), delayBefore(this.attempt, this.world.random()));
  }

  /** A closed socket does not say why. */
  private async diagnose(): Promise<void> {
    const { attempt } = this;
    const probe = await this.askServer();
    const connection = this.connection.get();
    if (this.stopped || connection.kind !== "reconnecting" || this.attempt !== attempt) return;
    if (probe.kind === "gone") this.end(probe.message);
    if (probe.kind === "trouble") this.connection.set({ ...connection, why: probe.why });
  }

  private isOver(): boolean {
    const { kind } = this.connection.get();
    return kind === "gone" || kind === "incompatible";
  }

  private receive(data: unknown): void {
    this.heardAt = this.world.now();
    this.orStartOver(() => this.apply(JSON.parse(String(data)) as Frame));
  }

  private orStartOver(step: () => void): void {
    try {
      step();
    } catch (problem) {
      if (!(problem instanceof VersionGap || problem instanceof SyntaxError)) throw problem;
      console.warn("The live feed is read again from a snapshot:", problem);
      this.startOver();
    }
  }

  private apply(frame: Frame): void {
    switch (frame.frame) {
      case "snapshot":
        this.applySnapshot(frame);
        break;
      case "resumed":
        this.applyResumed(frame);
        break;
      case "batch":
        this.keepBatch(frame);
        break;
      case "gone":
        this.end(frame.message);
    }
  }

  private applySnapshot(frame: SnapshotFrame): void {
    if (!this.accepts(frame)) return;
    const before = this.state.get();
    // What the page saw happen stays readable after a new snapshot of the same cluster.
    const moves = before && isSameCluster(before.cluster, frame.cluster) ? before.moves : [];
    this.state.set({ ...stateOfSnapshot(frame), moves });
    this.live();
  }

  private applyResumed(frame: ResumedFrame): void {
    if (!this.accepts(frame)) return;
    const state = this.state.get();
    if (!state || !isSameCluster(state.cluster, frame.cluster)) throw new VersionGap(-1, frame.version);
    this.state.set({ ...state, cluster: frame.cluster });
    this.live();
  }

  private keepBatch(frame: BatchFrame): void {
    this.batches.push(frame);
    if (this.batches.length === 1) this.world.nextFrame(() => this.orStartOver(() => this.applyBatches()));
  }

  private applyBatches(): void {
    const batches = this.batches;
    this.batches = [];
    if (batches.length === 0) return;
    const state = this.state.get();
    if (!state) throw new VersionGap(-1, batches[0]?.after ?? 0);
    this.state.set(batches.reduce(applyBatch, state));
    if (this.connection.get().kind === "stale") this.live();
  }

  private end(message: string): void {
    clearTimeout(this.reconnectTimer);
    this.connection.set({ kind: "gone", message });
    this.drop();
  }

  private accepts(frame: SnapshotFrame | ResumedFrame): boolean {
    if (frame.protocol !== PROTOCOL) {
      const message = `The server speaks protocol ${frame.protocol}, this page ${PROTOCOL}. Reload the page.`;
      this.connection.set({ kind: "incompatible", message });
      this.drop();
      return false;
    }
    this.build ??= frame.build;
    this.outdated.set(this.build !== frame.build);
    return true;
  }

  private live(): void {
    this.attempt = 0;
    this.lostAt = undefined;
    if (this.connection.get().kind !== "live") this.connection.set({ kind: "live" });
  }

  private startOver(): void {
    this.batches = [];
    this.state.set(undefined);
    this.connection.set({ kind: "connecting" });
    this.connect();
  }

  private async check(): Promise<void> {
    if (this.probing || !this.isConnected()) return;
    const { socket } = this;
    const probe = await this.askServer();
    // Another connection was made meanwhile, or a frame came: that is the answer.
    if (this.stopped || this.socket !== socket || !this.isConnected()) return;
    if (probe.kind === "gone") this.end(probe.message);
    else if (probe.kind === "trouble") this.giveUp(probe.why);
    else if (this.isBehind(probe.version)) setTimeout(() => this.judge(probe.version, socket), STALE_AFTER_MS);
    else this.confirm();
  }

  private async askServer(): Promise<Probe> {
    this.probing = true;
    try {
      return await Promise.race([this.world.probe(), silence(PROBE_PATIENCE_MS)]);
    } finally {
      this.probing = false;
    }
  }

  private isConnected(): boolean {
    const { kind } = this.connection.get();
    return kind === "live" || kind === "stale";
  }

  private confirm(): void {
    this.heardAt = this.world.now();
    this.live();
  }

  private giveUp(why: Trouble): void {
    this.lostAt ??= this.heardAt || this.world.now();
    this.drop();
    this.tryAgain(why);
  }

  /** Some seconds after the server was found ahead. */
  private judge(version: number, socket: Socket | undefined): void {
    if (this.stopped || this.socket !== socket || !this.isConnected()) return;
    if (!this.isBehind(version)) {
      this.live();
      return;
    }
    this.connection.set({ kind: "stale", since: this.heardAt });
    this.lostAt ??= this.heardAt;
    this.connect();
  }

  private isBehind(version: number): boolean {
    return version > (this.state.get()?.version ?? Number.POSITIVE_INFINITY);
  }
}

/** The seed is drawn when a cluster is made: a name that is used again has another. */
const isSameCluster = (one: ClusterCard, other: ClusterCard): boolean => one.seed === other.seed;

const silence = (afterMs: number): Promise<Probe> =>
  new Promise((resolve) => setTimeout(() => resolve({ kind: "trouble", why: "silent" }), afterMs));
