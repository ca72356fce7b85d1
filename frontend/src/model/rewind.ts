/**
 * A stretch of a cluster's past, state by state, and where in it one stands.
 *
 * The past is a snapshot and the messages after it, applied one at a time. Every state is kept: states share what did
 * not change, so a few hundred of them cost little, and a step back is as quick as one forward. What is shown has its
 * clock standing at the moment's cluster time, so that nothing on the page counts on.
 */
import { applyBatch } from "./apply_event";
import type { BatchFrame } from "./messages.generated";
import type { ClusterState } from "./state";

/** The batch that follows a version of the past, with the cluster time of each message. */
export type PastBatch = BatchFrame & { readonly times: readonly number[] };

export interface Moment {
  /** The clock stands; everything else is as it was. */
  readonly state: ClusterState;
  /** Cluster time. */
  readonly at: number;
}

export interface Past {
  /** Of consecutive versions, oldest first; never empty. */
  readonly moments: readonly Moment[];
  readonly index: number;
}

/** States kept at a time. */
export const MOST_MOMENTS = 600;

/** Changes that follow each other within this many seconds by the wall are shown as one. */
const BLINK_SECONDS = 0.04;
/** A longer wait between two changes is cut short while the past is played. */
export const LONGEST_WAIT_SECONDS = 1.5;

export function pastOf(snapshot: ClusterState, at: number): Past {
  return { moments: [momentOf(snapshot, at)], index: 0 };
}

function momentOf(state: ClusterState, at: number): Moment {
  return { state: { ...state, cluster: { ...state.cluster, state: "paused", clock_at: at } }, at };
}

/** With the changes that follow its last moment; whoever stands in it stays there. */
export function longer(past: Past, batch: PastBatch): Past {
  const added: Moment[] = [];
  let state = lastOf(past).state;
  batch.messages.forEach((message, place) => {
    const one: BatchFrame = {
      frame: "batch",
      after: message.version - 1,
      version: message.version,
      messages: [message],
    };
    const moment = momentOf(applyBatch(state, one), batch.times[place] ?? lastOf(past).at);
    state = moment.state;
    added.push(moment);
  });
  return trimmed({ moments: [...past.moments, ...added], index: past.index });
}

/** Without the oldest moments where there are too many, but never without the one that is shown. */
function trimmed({ moments, index }: Past): Past {
  const tooMany = Math.min(Math.max(0, moments.length - MOST_MOMENTS), index);
  return { moments: moments.slice(tooMany), index: index - tooMany };
}

export const shownOf = (past: Past): Moment => past.moments[past.index] ?? lastOf(past);
export const firstVersion = (past: Past): number => past.moments[0]?.state.version ?? 0;
export const lastVersion = (past: Past): number => lastOf(past).state.version;

function lastOf({ moments }: Past): Moment {
  const last = moments.at(-1);
  if (!last) throw new Error("a past without moments");
  return last;
}

/** Standing at a version, or undefined where this stretch does not have it. */
export function standingAt(past: Past, version: number): Past | undefined {
  const index = version - firstVersion(past);
  return index >= 0 && index < past.moments.length ? { ...past, index } : undefined;
}

export interface Advance {
  /** Where one stands next; undefined: this stretch has no later moment. */
  readonly index: number | undefined;
  /** Seconds by the wall until then. */
  readonly wait: number;
}

/** The next moment to show while the past is played, `speed` cluster seconds a second. */
export function advance({ moments, index }: Past, speed: number): Advance {
  const here = moments[index];
  const next = moments[index + 1];
  if (!here || !next) return { index: undefined, wait: 0 };
  const wait = Math.min(LONGEST_WAIT_SECONDS, Math.max(BLINK_SECONDS, (next.at - here.at) / speed));
  let last = index + 1;
  while ((moments[last + 1]?.at ?? Number.POSITIVE_INFINITY) - next.at < BLINK_SECONDS * speed) last += 1;
  return { index: last, wait };
}
