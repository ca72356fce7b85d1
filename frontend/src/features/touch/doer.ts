/**
 * Does deeds on the open cluster and remembers how to take them back.
 *
 * Drags, menus, forms and keys all end here, so that each can be undone and what was done is said in one place
 * (`outcome`). A refusal is also told where it happened: at the node (`refusal`).
 */
import { t } from "../../app/messages";
import type { Deed } from "../../interaction/deeds";
import { type Done, type Failure, perform, type UndoStep } from "../../interaction/perform";
import {
  afterPart,
  afterRedo,
  afterUndo,
  ChangedSince,
  canUndo,
  type Entry,
  NOTHING_DONE,
  recorded,
  takeBack,
  type UndoHistory,
} from "../../interaction/undo";
import { createStore } from "../../model/store";
import { asApiError } from "../../transport/errors";
import { send } from "../../transport/rest";
import { deedText, doneText } from "./deed_words";

export interface Outcome {
  readonly text: string;
  readonly kind: "done" | "undone" | "refused";
  /** What it is about, if it can be undone (or tried to be undone once more). */
  readonly entry: number | undefined;
}

export interface Refusal {
  /** "": at no node. */
  readonly node: string;
  readonly failures: readonly Failure[];
}

export const undoHistory = createStore<UndoHistory>(NOTHING_DONE);
export const outcome = createStore<Outcome | undefined>(undefined);
export const refusal = createStore<Refusal | undefined>(undefined);

export class Doer {
  /** One after the other: what undoes a deed must find it done. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly cluster: string) {
    undoHistory.set(NOTHING_DONE);
    outcome.set(undefined);
    refusal.set(undefined);
  }

  do(deed: Deed): Promise<Done> {
    return this.inTurn(async () => {
      const done = await perform(this.cluster, deed, send);
      const changed = done.names.length > 0 || done.undo.length > 0;
      if (changed) undoHistory.set(recorded(undoHistory.get(), deed, done));
      outcome.set(outcomeOf(deed, done));
      return done;
    });
  }

  /** As `do`; a refusal is told at the node it is about. */
  async doAt(deed: Deed, node: string): Promise<void> {
    refusal.set(undefined);
    const { failures } = await this.do(deed);
    if (failures.length > 0) refusal.set({ node: node || (failures[0]?.what ?? ""), failures });
  }

  /** The last one where none is named. */
  undo(id?: number): Promise<void> {
    return this.inTurn(async () => {
      const { done } = undoHistory.get();
      const entry = id === undefined ? done.findLast(canUndo) : done.find((one) => one.id === id);
      if (entry) await this.undoEntry(entry);
    });
  }

  private async undoEntry(entry: Entry): Promise<void> {
    const what = deedText(entry.deed, entry.done);
    const taken = new Set<UndoStep>();
    try {
      await takeBack(this.cluster, entry.done.undo, send, (step) => taken.add(step));
      undoHistory.set(afterUndo(undoHistory.get(), entry));
      const losses = entry.done.losses.map((loss) => `; ${t.undo.losses[loss]}`).join("");
      outcome.set({ kind: "undone", text: `${t.undo.undone(what)}${losses}`, entry: undefined });
    } catch (thrown) {
      undoHistory.set(afterPart(undoHistory.get(), entry, taken));
      outcome.set({ kind: "refused", text: whyNot(thrown), entry: entry.id });
    }
  }

  redo(): Promise<void> {
    return this.inTurn(async () => {
      const entry = undoHistory.get().undone.at(-1);
      if (!entry) return;
      const done = await perform(this.cluster, entry.deed, send);
      if (done.names.length > 0) undoHistory.set(afterRedo(undoHistory.get(), entry, done));
      outcome.set(outcomeOf(entry.deed, done));
    });
  }

  private inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.last.then(act);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

function outcomeOf(deed: Deed, done: Done): Outcome {
  const isRefused = done.names.length === 0 && done.failures.length > 0;
  const entry = done.undo.length > 0 ? undoHistory.get().done.at(-1)?.id : undefined;
  return { kind: isRefused ? "refused" : "done", text: doneText(deed, done), entry };
}

function whyNot(thrown: unknown): string {
  if (thrown instanceof ChangedSince) return t.undo.changed(thrown.nodes);
  return t.undo.refused(asApiError(thrown).message);
}
