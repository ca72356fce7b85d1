/**
 * Which pods travelled in the messages since the last look, and through which lanes.
 *
 * Few pods travel visibly, one by one; from `MOST_TRAVELLERS` on they are told as counts per lane,
 * because a swarm explains nothing.
 */
import type { QueueMove } from "../../model/messages.generated";
import type { NumberedMove, Uid } from "../../model/state";

export const MOST_TRAVELLERS = 5;

export interface Journey {
  readonly uid: Uid;
  readonly name: string;
  /** Lane names in the order in which they were entered; "bound" may be the last. */
  readonly lanes: readonly string[];
  /** It says why; a film's pod travels without one. */
  readonly last?: QueueMove;
}

export interface Travel {
  readonly journeys: readonly Journey[];
  /** Pods that entered each lane, when they are too many to be shown one by one. */
  readonly counts: ReadonlyMap<string, number>;
}

const NOWHERE: Travel = { journeys: [], counts: new Map() };

export function travelSince(moves: readonly NumberedMove[], lastId: number): Travel {
  const fresh = movesAfter(moves, lastId);
  if (fresh.length === 0) return NOWHERE;
  const journeys = new Map<Uid, { uid: Uid; name: string; lanes: string[]; last: QueueMove }>();
  for (const { move } of fresh) {
    if (!move.target || move.source === move.target) continue;
    const known = journeys.get(move.pod.uid);
    if (known) {
      known.lanes.push(move.target);
      known.last = move;
    } else journeys.set(move.pod.uid, { uid: move.pod.uid, name: move.pod.name, lanes: [move.target], last: move });
  }
  if (journeys.size <= MOST_TRAVELLERS) return { journeys: [...journeys.values()], counts: new Map() };
  return { journeys: [], counts: countsOf([...journeys.values()]) };
}

function movesAfter(moves: readonly NumberedMove[], lastId: number): readonly NumberedMove[] {
  const last = moves.at(-1)?.id ?? 0;
  return last <= lastId ? [] : moves.slice(-(last - lastId));
}

function countsOf(journeys: readonly Journey[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { lanes } of journeys) {
    const lane = lanes.at(-1);
    if (lane) counts.set(lane, (counts.get(lane) ?? 0) + 1);
  }
  return counts;
}
