/** A pod's life laid out over time: where it stayed and how long, when it was tried, how long its bindings took. */
import type { BindingCard, DecisionSummary, QueueMove } from "./messages.generated";

export interface Stay {
  readonly lane: string;
  readonly from: number;
  /** Until now where the pod is still there. */
  readonly to: number;
  readonly open: boolean;
  /** The move that began it. */
  readonly move: QueueMove;
}

export interface Tried {
  readonly at: number;
  readonly attempt: number;
  readonly sequence: number;
  readonly outcome: DecisionSummary["outcome"];
}

export interface LifeTimeline {
  readonly stays: readonly Stay[];
  readonly tried: readonly Tried[];
  readonly bindings: readonly BindingCard[];
  readonly from: number;
  readonly to: number;
}

export interface LifeEntry {
  readonly attempt: DecisionSummary | null;
  readonly binding: BindingCard | null;
  readonly move: QueueMove | null;
}

/** A life that is told up to `now`; undefined where there is nothing to draw. */
export function lifeTimeline(entries: readonly LifeEntry[], now: number): LifeTimeline | undefined {
  const moves = entries.flatMap(({ move }) => move ?? []);
  const tried = entries.flatMap(({ attempt }) => (attempt ? [triedOf(attempt)] : []));
  const bindings = entries.flatMap(({ binding }) => binding ?? []);
  const stays = staysOf(moves, now);
  const times = [...stays.flatMap(({ from, to }) => [from, to]), ...tried.map(({ at }) => at), ...bindings.map(endOf)];
  if (times.length === 0) return undefined;
  const from = times.reduce((first, one) => Math.min(first, one));
  const to = times.reduce((last, one) => Math.max(last, one));
  return { stays, tried, bindings, from, to: Math.max(to, from + 0.001) };
}

const triedOf = ({ at, attempt, sequence, outcome }: DecisionSummary): Tried => ({ at, attempt, sequence, outcome });
const endOf = ({ at, ended_at }: BindingCard): number => ended_at ?? at;

/** Where a pod goes to stay for good: nothing is drawn of that. */
const isEnd = (lane: string): boolean => lane === "" || lane === "bound";

function staysOf(moves: readonly QueueMove[], now: number): readonly Stay[] {
  return moves.flatMap((move, place) => {
    const next = moves[place + 1];
    if (isEnd(move.target)) return [];
    const to = Math.max(move.at, next ? next.at : now);
    return [{ lane: move.target, from: move.at, to, open: next === undefined, move }];
  });
}

export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Shows `factor` as much time around a moment, never more than the life has. */
export function zoomedLife(life: Window, shown: Window, factor: number, around: number): Window {
  const width = Math.min(life.to - life.from, Math.max(0.001, (shown.to - shown.from) * factor));
  const share = (around - shown.from) / (shown.to - shown.from);
  return movedInto(life, around - share * width, width);
}

export const pannedLife = (life: Window, shown: Window, share: number): Window => {
  const width = shown.to - shown.from;
  return movedInto(life, shown.from + share * width, width);
};

function movedInto(life: Window, wanted: number, width: number): Window {
  const from = Math.max(life.from, Math.min(life.to - width, wanted));
  return { from, to: from + width };
}
