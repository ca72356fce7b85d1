/**
 * What a film, or a drawn preemption, lays over the board: a state for each node, and the pods that
 * would have to leave.
 *
 * Whoever draws nodes (cards, cells, the heat map) reads `filmOverlay`; the film alone writes it. Nodes
 * in the same state share one object, so that a card is only drawn anew when its own state changed.
 */
import { createStore } from "./store";

export type OverlayState =
  /** No plugin has rejected it so far. */
  | "passes"
  /** Unschedulable: removing pods may help. */
  | "rejected"
  /** UnschedulableAndUnresolvable. */
  | "unresolvable"
  /** Not looked at: the search had found enough nodes. */
  | "unseen"
  /** Shares the highest total with others, and the draw is still to come. */
  | "best"
  /** The pod goes there. */
  | "chosen"
  /** Preemption could make room here. */
  | "candidate"
  /** Preemption makes room here. */
  | "nominated";

export interface NodeOverlay {
  readonly state: OverlayState;
  /** Who rejected it; "" where nobody did. */
  readonly plugin: string;
  /** The scheduler's own words; "" where there are none. */
  readonly reason: string;
  /** The sum of the scores so far; null before Score. */
  readonly score: number | null;
}

export interface Overlay {
  /** By node name. */
  readonly nodes: ReadonlyMap<string, NodeOverlay>;
  /** Every other node: left out by PreFilter, or not looked at; undefined: they are drawn as ever. */
  readonly rest: NodeOverlay | undefined;
  /** Uids of pods that would have to leave. */
  readonly victims: ReadonlySet<string>;
}

export const filmOverlay = createStore<Overlay | undefined>(undefined);

export const overlayOf = (overlay: Overlay | undefined, node: string): NodeOverlay | undefined =>
  overlay?.nodes.get(node) ?? overlay?.rest;
