/** The latest move of the queue, and how many pods made the same one with it. */
import type { QueueMove } from "./messages.generated";
import type { NumberedMove } from "./state";

export interface LatestMove {
  readonly move: QueueMove;
  /** Pods that went the same way for the same reason in the same change. */
  readonly count: number;
}

/** More are not counted: it is told in a line. */
const MOST = 2000;

export function latestMove(moves: readonly NumberedMove[]): LatestMove | undefined {
  const last = moves.at(-1);
  if (!last) return undefined;
  let count = 0;
  for (let place = moves.length - 1; place >= 0 && count < MOST; place -= 1) {
    const one = moves[place];
    if (!one || one.version !== last.version) break;
    if (isAlike(one.move, last.move)) count += 1;
  }
  return { move: last.move, count };
}

const isAlike = (a: QueueMove, b: QueueMove): boolean =>
  a.source === b.source && a.target === b.target && a.event === b.event && a.object === b.object;
