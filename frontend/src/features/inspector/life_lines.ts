/**
 * A pod's life in lines: what the server has kept, and what the page has seen since.
 *
 * The server's answer also tells what happened before the page was opened; the stream is ahead of
 * it by the moves that came while it was asked, and is all there is while it cannot be had.
 */
import { t } from "../../app/messages";
import type { BindingCard, DecisionSummary, QueueMove } from "../../model/messages.generated";
import type { LifeEntry, PodLife } from "../../transport/api_types";
import { moveCause, moveWay } from "../queue/move_text";

export interface LifeLine {
  /** Unique within the life, and the same whenever the line is made anew. */
  readonly key: string;
  /** Cluster time. */
  readonly at: number;
  readonly what: string;
  readonly cause: string;
  /** Of an attempt: its decision. */
  readonly attempt?: { readonly sequence: number; readonly number: number };
}

export function lifeLines(life: PodLife | undefined, streamed: readonly QueueMove[]): readonly LifeLine[] {
  const kept = life?.entries ?? [];
  const several = new Set(kept.map(({ scheduler }) => scheduler).filter(Boolean)).size > 1;
  const keptLines = kept.flatMap((entry) => named(several ? entry.scheduler : "", lineOf(entry)));
  const known = new Set(kept.map((entry) => lineOf(entry)?.key));
  const lastAt = kept.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  const newer = streamed.filter(({ at }) => at >= lastAt).map(moveLine);
  return [...keptLines, ...newer.filter(({ key }) => !known.has(key))];
}

/** Where a pod had several schedulers, each line begins with whose it is. */
function named(scheduler: string, line: LifeLine | undefined): readonly LifeLine[] {
  if (!line || !scheduler) return line ? [line] : [];
  return [{ ...line, what: `${scheduler}: ${line.what}`, key: `${scheduler} ${line.key}` }];
}

function lineOf({ at, move, attempt, binding }: LifeEntry): LifeLine | undefined {
  if (move) return moveLine(move);
  if (attempt) return attemptLine(attempt);
  // One that still runs is shown beside the list, step by step.
  return binding && binding.ended_at !== null ? bindingLine(at, binding) : undefined;
}

function moveLine(move: QueueMove): LifeLine {
  const { at, source, target, event, object, attempts } = move;
  const slept = move.skips.reduce((sum, { count }) => sum + count, 0);
  const cause = [moveCause(move), slept > 0 && t.inspector.sleptThrough(slept)].filter(Boolean).join(" · ");
  return { key: `move ${at} ${attempts} ${source} ${target} ${event} ${object}`, at, what: moveWay(move), cause };
}

function attemptLine({ at, sequence, attempt, outcome, node }: DecisionSummary): LifeLine {
  const what = `${t.inspector.attempt(attempt)} ${t.inspector.outcomes[outcome]}`;
  const cause = node && `→ ${node}`;
  return { key: `attempt ${sequence}`, at, what, cause, attempt: { sequence, number: attempt } };
}

function bindingLine(at: number, binding: BindingCard): LifeLine {
  const { sequence, node, phase, ended_at: ended, message } = binding;
  const took = ended !== null && t.inspector.bindingTook(ended - binding.at);
  const cause = [`→ ${node}`, took, message].filter(Boolean).join(" · ");
  return { key: `binding ${sequence}`, at, what: `${t.queue.lanes.binding.name}: ${t.inspector.phases[phase]}`, cause };
}
