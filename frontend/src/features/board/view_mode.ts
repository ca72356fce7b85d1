/**
 * Which of its pictures the board shows: cards, cells, heat map, table.
 *
 * By hand, or by size and zoom: cards as long as they are few enough to be read, beyond that the canvas, which
 * shows cells where there is room and one colour a node where there is not. Zooming out of cards leads to the canvas,
 * zooming into the canvas of a small cluster back to cards.
 */
import type { WantedDetail } from "./board_scene";

export type BoardMode = "auto" | "cards" | "cells" | "heat" | "table";

export const MODES: readonly BoardMode[] = ["auto", "cards", "cells", "heat", "table"];

/** More cards than these nobody reads, and they take long to draw. */
export const MOST_CARDS = 60;
/** By hand, cards of so many nodes are still drawn. */
export const MOST_CARDS_BY_HAND = 400;

export type Picture =
  | { readonly kind: "cards" }
  | { readonly kind: "table" }
  | { readonly kind: "canvas"; readonly wanted: WantedDetail };

/** `closeUp`: how near a person has zoomed, where the mode is automatic. */
export function pictureOf(mode: BoardMode, nodes: number, closeUp: boolean): Picture {
  switch (mode) {
    case "table":
      return { kind: "table" };
    case "cells":
    case "heat":
      return { kind: "canvas", wanted: mode };
    case "cards":
      return nodes <= MOST_CARDS_BY_HAND ? { kind: "cards" } : { kind: "canvas", wanted: "auto" };
    default:
      return nodes <= MOST_CARDS && closeUp ? { kind: "cards" } : { kind: "canvas", wanted: "auto" };
  }
}

/** Sizes of cards; below the least, the automatic board goes over to the canvas. */
export const LEAST_CARD_ZOOM = 0.6;
export const MOST_CARD_ZOOM = 1.6;

export const clampedCardZoom = (zoom: number): number =>
  Math.round(Math.min(MOST_CARD_ZOOM, Math.max(LEAST_CARD_ZOOM, zoom)) * 100) / 100;
