/**
 * Follows one cluster over its WebSocket and keeps a `ClusterState` up to date.
 *
 * The connection is a small state machine, shown to people as it is: connecting, live,
 * reconnecting since, stale, gone. After a drop the feed asks for what came after its last
 * version (`?from=N`); the server answers with batches, or with a fresh snapshot where its feed
 * no longer goes back that far. A gap in the numbers, or a frame that cannot be read, drops the
 * state and starts from a snapshot: never a guess.
 *
 * A dead connection may look alive for minutes. So while no frame comes, the feed asks the
 * server (`probe`) for its version now and then; when the server is ahead and nothing arrives,
 * the page says "stale" and connects anew.
 */
import { applyBatch, stateOfSnapshot, VersionGap } from "../model/apply_event";
import type { BatchFrame, Frame, GoneFrame, ResumedFrame, SnapshotFrame } from "../model/messages.generated";
import type { ClusterState } from "../model/state";
import { createStore } from "../model/store";
import { delayBefore } from "./backoff";

export const PROTOCOL = 1;
export const PROBE_EVERY_MS = 15_000;
/** How long the server may be ahead of the page before the page calls itself stale. */
export const STALE_AFTER_MS = 4000;

export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  | { readonly kind: "reconnecting"; readonly since: number; readonly attempt: number }
  | { readonly kind: "stale"; readonly since: number }
  | { readonly kind: "gone"; readonly message: string }
  | { readonly kind: "incompatible"; readonly message: string };

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
  /** The cluster's version by another way than the socket, or undefined when there is no answer. */
  readonly probe: () => Promise<number | undefined>;
  /** Called when the server runs another build than the one this page came from. */
  readonly otherBuild: () => void;
  /** Calls back when the page is about to be drawn: batches until then are applied as one. */
  readonly nextFrame: (callback: () => void) => void;
  readonly now: () => number;
  readonly random: () => number;
}

export class ClusterFeed {
  readonly state = createStore<ClusterState | undefined>(undefined);
  readonly connection = createStore<Connection>({ kind: "connecting" });

  private socket: Socket | undefined;
  private build: string | undefined;
  private attempt = 0;
  private lostAt: number | undefined;
  private lastFrameAt = 0;
  private reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  private probeTimer: ReturnType<typeof setInterval> | undefined;
  private stopped = false;
  private batches: BatchFrame[] = [];

  constructor(private readonly world: FeedWorld) {}

  start(): void {
    this.stopped = false;
    this.connect();
    this.probeTimer = setInterval(() => void this.checkStale(), PROBE_EVERY_MS);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.reconnectTimer);
    clearInterval(this.probeTimer);
    this.drop();
  }

  /** Tries at once instead of waiting for the backoff: the network came back, or a person asked. */
  reconnectNow(): void {
    if (this.connection.get().kind !== "reconnecting") return;
    clearTimeout(this.reconnectTimer);
    this.connect();
  }

  private connect(): void {
    this.drop();
    const socket = this.world.open(this.state.get()?.version);
    this.socket = socket;
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
    this.lostAt ??= this.world.now();
    this.attempt += 1;
    this.connection.set({ kind: "reconnecting", since: this.lostAt, attempt: this.attempt });
    this.reconnectTimer = setTimeout(() => this.connect(), delayBefore(this.attempt, this.world.random()));
  }

  private isOver(): boolean {
    const { kind } = this.connection.get();
    return kind === "gone" || kind === "incompatible";
  }

  private receive(data: unknown): void {
    this.lastFrameAt = this.world.now();
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
        this.applyGone(frame);
    }
  }

  private applySnapshot(frame: SnapshotFrame): void {
    if (!this.accepts(frame)) return;
    const moves = this.state.get()?.moves ?? [];
    // What the page saw happen stays readable after a new snapshot.
    this.state.set({ ...stateOfSnapshot(frame), moves });
    this.live();
  }

  private applyResumed(frame: ResumedFrame): void {
    if (!this.accepts(frame)) return;
    const state = this.state.get();
    if (!state) throw new VersionGap(-1, frame.version);
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

  private applyGone(frame: GoneFrame): void {
    this.connection.set({ kind: "gone", message: frame.message });
    this.drop();
  }

  private accepts(frame: SnapshotFrame | ResumedFrame): boolean {
    if (frame.protocol !== PROTOCOL) {
      const message = `The server speaks protocol ${frame.protocol}, this page ${PROTOCOL}. Reload the page.`;
      this.connection.set({ kind: "incompatible", message });
      this.drop();
      return false;
    }
    if (this.build !== undefined && this.build !== frame.build) this.world.otherBuild();
    this.build = frame.build;
    return true;
  }

  private live(): void {
    this.attempt = 0;
    this.lostAt = undefined;
    this.connection.set({ kind: "live" });
  }

  private startOver(): void {
    this.batches = [];
    this.state.set(undefined);
    this.connection.set({ kind: "connecting" });
    this.connect();
  }

  private async checkStale(): Promise<void> {
    const kind = this.connection.get().kind;
    const quiet = this.world.now() - this.lastFrameAt >= PROBE_EVERY_MS;
    if (!quiet || (kind !== "live" && kind !== "stale")) return;
    const version = await this.world.probe();
    if (this.stopped || version === undefined || !this.isBehind(version)) return;
    await new Promise((resolve) => setTimeout(resolve, STALE_AFTER_MS));
    if (this.stopped || !this.isBehind(version) || this.connection.get().kind !== "live") return;
    this.connection.set({ kind: "stale", since: this.lastFrameAt });
    this.lostAt = this.lastFrameAt;
    this.connect();
  }

  private isBehind(version: number): boolean {
    return version > (this.state.get()?.version ?? Number.POSITIVE_INFINITY);
  }
}
