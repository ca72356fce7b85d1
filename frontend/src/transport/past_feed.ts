/**
 * The past of one cluster beside its live feed: where one stands in it, and what the page therefore shows.
 *
 * `shown` is the live state, or that of a moment. Live messages keep arriving in the `ClusterFeed` meanwhile and are
 * not shown. Going to a version reads a snapshot a little before it and the messages up to it, so that steps back
 * cost nothing; going on reads the messages that follow. One question is under way at a time: of the versions a hand
 * scrubs over, the last is what counts.
 */
import { stateOfSnapshot } from "../model/apply_event";
import type { SnapshotFrame } from "../model/messages.generated";
import {
  type Advance,
  advance,
  firstVersion,
  lastVersion,
  longer,
  type Past,
  type PastBatch,
  pastOf,
  shownOf,
  standingAt,
} from "../model/rewind";
import type { ClusterState } from "../model/state";
import { createStore, type Store } from "../model/store";
import { type ApiError, asApiError } from "./errors";
import type { Timeline } from "./history_api";

/** States read before the one that is wanted. */
const LEAD = 40;
/** Changes read at a time when one goes on. */
const AHEAD = 250;
/** So few left: more are read before they are needed. */
const FEW = 60;

export interface PastWorld {
  /** How far back the history goes; the version must be in it. */
  readonly history: (version: number) => Promise<Pick<Timeline, "oldest" | "oldest_at">>;
  readonly snapshot: (version: number) => Promise<SnapshotFrame>;
  readonly messages: (version: number, limit: number) => Promise<PastBatch>;
  /** Calls back after some seconds; the answer takes it back. */
  readonly later: (seconds: number, callback: () => void) => () => void;
  /** Nothing may be changed from a page that shows the past. */
  readonly readOnly: (only: boolean) => void;
}

export interface Standing {
  /** undefined: live. */
  readonly past: Past | undefined;
  readonly playing: boolean;
  /** Cluster seconds a second, while it is played. */
  readonly speed: number;
  /** The version that is being read. */
  readonly wanted: number | undefined;
  /** The oldest version that can be told, as far as is known; it moves on with the feed. */
  readonly oldest: number;
  /** The present is reached: nothing follows. */
  readonly atNewest: boolean;
  readonly error: ApiError | undefined;
}

const LIVE: Standing = {
  past: undefined,
  playing: false,
  speed: 1,
  wanted: undefined,
  oldest: 0,
  atNewest: false,
  error: undefined,
};

/** Nothing lies before the moment that is shown. */
export const isAtOldest = ({ past, wanted, oldest }: Standing): boolean =>
  past !== undefined && (wanted ?? shownOf(past).state.version) <= oldest;

export class PastFeed {
  readonly standing = createStore<Standing>(LIVE);
  readonly shown: Store<ClusterState | undefined>;

  private busy = false;
  private takeBack: () => void = () => undefined;

  constructor(
    private readonly live: Store<ClusterState | undefined>,
    private readonly world: PastWorld,
  ) {
    this.shown = {
      get: () => {
        const { past } = this.standing.get();
        return past ? shownOf(past).state : live.get();
      },
      set: () => {
        throw new Error("what is shown follows from the feed and the moment");
      },
      subscribe: (listener) => {
        const ends = [live.subscribe(() => this.isLive() && listener()), this.standing.subscribe(listener)];
        return () => {
          for (const end of ends) end();
        };
      },
    };
  }

  private isLive(): boolean {
    return this.standing.get().past === undefined;
  }

  /** The state at a version, from wherever one stands; 0 is before everything. */
  goTo(version: number): void {
    this.pause();
    const newest = this.live.get()?.version ?? 0;
    const wanted = Math.max(0, Math.min(version, newest));
    const { past } = this.standing.get();
    const there = past && standingAt(past, wanted);
    this.change(there ? { past: there, wanted: undefined, error: undefined } : { wanted });
    if (there) this.settled();
    else void this.readWanted();
  }

  goLive(): void {
    this.takeBack();
    this.world.readOnly(false);
    const { speed } = this.standing.get();
    this.standing.set({ ...LIVE, speed });
  }

  /** One change back or on; from live, back only. */
  step(by: 1 | -1): void {
    const { past, wanted } = this.standing.get();
    const from = wanted ?? (past ? shownOf(past).state.version : (this.live.get()?.version ?? 0));
    if (by === 1 ? !past : isAtOldest(this.standing.get())) return;
    if (by === 1 && past && wanted === undefined && from === lastVersion(past)) void this.readOn(true);
    else this.goTo(from + by);
  }

  play(): void {
    if (!this.standing.get().past) return;
    this.change({ playing: true });
    this.playOn();
  }

  pause(): void {
    this.takeBack();
    if (this.standing.get().playing) this.change({ playing: false });
  }

  setSpeed(speed: number): void {
    this.change({ speed });
    if (!this.standing.get().playing) return;
    this.takeBack();
    this.playOn();
  }

  dismiss(): void {
    this.change({ error: undefined });
  }

  private change(part: Partial<Standing>): void {
    // Before anybody is told: what shows the past cannot be written, not even while another moment is being read.
    if (part.past) this.world.readOnly(true);
    this.standing.set({ ...this.standing.get(), ...part });
  }

  private settled(): void {
    const { past } = this.standing.get();
    if (past && lastVersion(past) - shownOf(past).state.version < FEW) void this.readOn(false);
  }

  private async readWanted(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      for (let wanted = this.standing.get().wanted; wanted !== undefined; wanted = this.stillWanted(wanted)) {
        await this.readOne(wanted);
      }
    } finally {
      this.busy = false;
    }
    this.settled();
  }

  /** What cannot be read is said, unless somebody called it off or wants another version by now. */
  private async readOne(wanted: number): Promise<void> {
    try {
      const past = await this.read(wanted);
      if (this.standing.get().wanted === wanted) this.change({ past, atNewest: false, error: undefined });
    } catch (thrown) {
      if (this.standing.get().wanted === wanted) this.change({ error: asApiError(thrown) });
    }
  }

  /** Another version that was asked for meanwhile; the one that was read is no wish any more. */
  private stillWanted(read: number): number | undefined {
    const { wanted } = this.standing.get();
    if (wanted !== read) return wanted;
    this.change({ wanted: undefined });
    return undefined;
  }

  private async read(version: number): Promise<Past> {
    const { oldest, oldest_at } = await this.world.history(version);
    this.change({ oldest });
    const base = Math.max(oldest, version - LEAD);
    // The base's own message tells its time.
    const after = Math.max(oldest, base - 1);
    const [snapshot, messages] = await Promise.all([
      this.world.snapshot(base),
      version > after ? this.world.messages(after, version - after) : undefined,
    ]);
    const own = base - after;
    const start = pastOf(stateOfSnapshot(snapshot), own && messages ? (messages.times[0] ?? oldest_at) : oldest_at);
    const whole = messages ? longer(start, without(messages, own)) : start;
    return standingAt(whole, version) ?? whole;
  }

  /** Reads the messages after the last one that is known; `onward`: and goes to the first of them. */
  private async readOn(onward: boolean): Promise<void> {
    const { past } = this.standing.get();
    if (!past || this.busy) return;
    this.busy = true;
    try {
      const batch = await this.world.messages(lastVersion(past), AHEAD);
      this.appendTo(past, batch, onward);
    } catch (thrown) {
      this.change({ error: asApiError(thrown), playing: false });
    } finally {
      this.busy = false;
    }
    if (this.standing.get().wanted !== undefined) void this.readWanted();
  }

  private appendTo(asked: Past, batch: PastBatch, onward: boolean): void {
    const { past, playing } = this.standing.get();
    // Gone elsewhere meanwhile: the answer continues another stretch.
    if (!past || lastVersion(past) !== lastVersion(asked) || firstVersion(past) > lastVersion(asked)) return;
    const next = longer(past, batch);
    const moved = onward ? standingAt(next, shownOf(past).state.version + 1) : undefined;
    const atNewest = batch.messages.length === 0 && shownOf(past).state.version === lastVersion(past);
    this.change({ past: moved ?? next, atNewest, playing: playing && !atNewest });
    if (playing && !atNewest) this.playOn();
  }

  private playOn(): void {
    this.takeBack();
    const { past, speed } = this.standing.get();
    if (!past) return;
    const ahead = advance(past, speed);
    if (ahead.index === undefined) void this.readOn(false);
    else this.takeBack = this.world.later(ahead.wait, () => this.show(ahead));
  }

  private show({ index }: Advance): void {
    const { past, playing } = this.standing.get();
    if (!past || index === undefined || !playing) return;
    this.change({ past: { ...past, index } });
    if (lastVersion(past) - shownOf({ ...past, index }).state.version < FEW) void this.readOn(false);
    this.playOn();
  }
}

const without = (batch: PastBatch, count: number): PastBatch => ({
  ...batch,
  messages: batch.messages.slice(count),
  times: batch.times.slice(count),
});
