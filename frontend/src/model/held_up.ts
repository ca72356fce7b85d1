/**
 * What the cluster waits for when nothing moves: a worker that is not there.
 *
 * Pods that could be tried stand still for a moment in every burst; only when nothing at all was
 * decided (or bound) for longer than that is a worker missing, and the page says so.
 */
import { selectLanes, selectUnqueuedPods } from "./selectors";
import type { ClusterState } from "./state";

export interface HeldUp {
  readonly by: "scheduler" | "binding";
  /** Seconds by the wall since anything moved. */
  readonly seconds: number;
}

/** A healthy stack answers within a fraction of this. */
export const PATIENCE_SECONDS = 5;

/** `now` is cluster time; undefined: nothing is held up, or the clock stands still. */
export function heldUp(state: ClusterState, now: number): HeldUp | undefined {
  const { state: clock, speed } = state.cluster;
  if (clock === "paused" || speed <= 0) return undefined;
  for (const by of ["scheduler", "binding"] as const) {
    const since = by === "scheduler" ? notTriedSince(state) : notAnsweredSince(state);
    if (since === undefined) continue;
    const seconds = (now - since) / speed;
    if (seconds > PATIENCE_SECONDS) return { by, seconds };
  }
  return undefined;
}

/** Since when pods are ready and none was tried. */
function notTriedSince(state: ClusterState): number | undefined {
  const { activeQ, inFlight } = selectLanes(state);
  const ready = [...activeQ, ...inFlight].map(({ since }) => since);
  const unseen = selectUnqueuedPods(state)
    .filter((pod) => pod.scheduler_name === "default-scheduler" && !pod.deletion_timestamp)
    .map((pod) => Date.parse(pod.created_at) / 1000);
  return lastMove([...ready, ...unseen], state.decisions.at(-1)?.at);
}

/** Since when bindings are under way and none was answered, counted from when an answer is due. */
function notAnsweredSince(state: ClusterState): number | undefined {
  const due = selectLanes(state).binding.map(({ pod, since }) => state.bindings.get(pod.uid)?.due_at ?? since);
  if (due.length === 0) return undefined;
  let ended = Number.NEGATIVE_INFINITY;
  for (const { ended_at } of state.bindings.values()) ended = Math.max(ended, ended_at ?? ended);
  return lastMove(due, ended);
}

function lastMove(waiting: readonly number[], moved = Number.NEGATIVE_INFINITY): number | undefined {
  if (waiting.length === 0) return undefined;
  return Math.max(
    waiting.reduce((first, one) => Math.min(first, one)),
    moved,
  );
}
