/**
 * What can be undone and done again, and how.
 *
 * Each deed can be undone by itself, not only the last one: what it changed is looked at first, and if somebody else
 * has changed it since, it is left as it is and that is said.
 */
import { getObject, NODES, patchNodes } from "../transport/api";
import { ApiError } from "../transport/errors";
import type { Deed } from "./deeds";
import { isStillThere, type JsonObject } from "./node_patch";
import type { Done, Send, UndoStep } from "./perform";

export interface Entry {
  readonly id: number;
  readonly deed: Deed;
  readonly done: Done;
}

export interface UndoHistory {
  /** Newest last. */
  readonly done: readonly Entry[];
  /** What was undone; the last one is done again first. */
  readonly undone: readonly Entry[];
  readonly next: number;
}

export const NOTHING_DONE: UndoHistory = { done: [], undone: [], next: 1 };

/** Older ones cannot be undone any more. */
export const MOST_ENTRIES = 50;

/** A new deed ends what could be done again. */
export function recorded(history: UndoHistory, deed: Deed, done: Done): UndoHistory {
  const entry = { id: history.next, deed, done };
  return { done: [...history.done, entry].slice(-MOST_ENTRIES), undone: [], next: history.next + 1 };
}

export function afterUndo({ done, undone, next }: UndoHistory, { id }: Entry): UndoHistory {
  const entry = done.find((one) => one.id === id);
  if (!entry) return { done, undone, next };
  return { done: done.filter((one) => one !== entry), undone: [...undone, entry], next };
}

export function afterRedo({ done, undone, next }: UndoHistory, { id, deed }: Entry, result: Done): UndoHistory {
  return {
    done: [...done, { id, deed, done: result }],
    undone: undone.filter((one) => one.id !== id),
    next,
  };
}

/** Some of its steps were taken back; the others are to be. */
export function afterPart(history: UndoHistory, { id }: Entry, taken: ReadonlySet<UndoStep>): UndoHistory {
  const left = ({ done, ...entry }: Entry): Entry => ({
    ...entry,
    done: { ...done, undo: done.undo.filter((step) => !taken.has(step)) },
  });
  return { ...history, done: history.done.map((entry) => (entry.id === id ? left(entry) : entry)) };
}

export const canUndo = ({ done }: Entry): boolean => done.undo.length > 0;

/** Nodes whose change cannot be taken back, since it was changed again. */
export class ChangedSince extends Error {
  constructor(readonly nodes: readonly string[]) {
    super(`changed since: ${nodes.join(", ")}`);
    this.name = "ChangedSince";
  }
}

/**
 * Throws ChangedSince or an ApiError; what was taken back until then stays so, and `taken` was told each step: whoever
 * tries again begins behind it. A pod that is gone and not yet made anew would else be lost.
 */
export async function takeBack(
  cluster: string,
  steps: readonly UndoStep[],
  send: Send,
  taken: (step: UndoStep) => void = () => undefined,
): Promise<void> {
  await refuseWhatChanged(cluster, steps, send);
  const patches = steps.filter((step) => step.kind === "patch");
  for (const [names, inverse] of patchesOf(patches)) {
    const { results } = await send(patchNodes(cluster, names, inverse));
    const refused = new Set(results.filter(({ error }) => error).map(({ name }) => name));
    for (const step of patches) if (names.includes(step.name) && !refused.has(step.name)) taken(step);
    refuseErrors(results);
  }
  for (const step of steps) {
    if (step.kind !== "send") continue;
    const answer = await send(step.request);
    refuseErrors((answer as { results?: readonly Result[] } | undefined)?.results ?? []);
    taken(step);
  }
}

interface Result {
  readonly name: string;
  readonly error: string;
}

/** Requests about many objects answer 200, with an error each. */
function refuseErrors(results: readonly Result[]): void {
  const refused = results.find(({ error }) => error);
  if (refused) throw new ApiError(409, "refused", `${refused.name}: ${refused.error}`);
}

/** Of so many nodes each is looked at; a lasso over more is undone as it is. */
const MOST_LOOKED_AT = 100;

async function refuseWhatChanged(cluster: string, steps: readonly UndoStep[], send: Send): Promise<void> {
  const patches = steps.filter((step) => step.kind === "patch").slice(0, MOST_LOOKED_AT);
  const nodes = await Promise.all(patches.map(({ name }) => send(getObject(cluster, NODES, "", name))));
  const changed = patches.filter(({ left }, at) => !isStillThere(nodes[at], left));
  if (changed.length > 0) throw new ChangedSince(changed.map(({ name }) => name));
}

/** Nodes that get the same patch go together. */
function patchesOf(steps: readonly UndoStep[]): readonly (readonly [readonly string[], JsonObject])[] {
  const groups = new Map<string, { names: string[]; inverse: JsonObject }>();
  for (const step of steps) {
    if (step.kind !== "patch") continue;
    const key = JSON.stringify(step.inverse);
    const group = groups.get(key) ?? { names: [], inverse: step.inverse };
    group.names.push(step.name);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ names, inverse }) => [names, inverse] as const);
}
