/**
 * What is under the hand: found by one look at the document per move.
 *
 * A droppable per node would render every node whenever the hand goes from one to the next; a
 * thousand nodes would stutter. dnd-kit knows the board only, as the thing to scroll.
 */
import type { DropContext, DropTarget } from "../../interaction/drag";
import { node_at } from "./board_surface";

let hand = { x: 0, y: 0 };
let keys = { alt: false, ctrl: false, shift: false };

/** Remembers where mouse or finger are; dnd-kit tells distances only, and those mix with scrolling. */
export function followHand(): () => void {
  const stop = new AbortController();
  const quiet = { capture: true, passive: true, signal: stop.signal };
  const note = (event: MouseEvent | KeyboardEvent) => {
    keys = { alt: event.altKey, ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey };
  };
  const move = (event: PointerEvent | TouchEvent) => {
    const at = "touches" in event ? event.touches[0] : event;
    if (at) hand = { x: at.clientX, y: at.clientY };
    if (!("touches" in event)) note(event);
  };
  window.addEventListener("pointermove", move, quiet);
  window.addEventListener("touchmove", move, quiet);
  window.addEventListener("keydown", note, quiet);
  window.addEventListener("keyup", note, quiet);
  return () => stop.abort();
}

/** Of a pod that is dropped on a node: Ctrl by hand, Alt with nodeAffinity, Shift asks. */
export function wayOfKeys(): DropContext["way"] | undefined {
  if (keys.shift) return "ask";
  if (keys.alt) return "affinity";
  return keys.ctrl ? "hand" : undefined;
}

export const placeOfHand = (): { readonly x: number; readonly y: number } => hand;

export function targetUnderHand(): DropTarget | undefined {
  const node = node_at(hand.x, hand.y);
  if (node) return { kind: "node", name: node };
  for (const element of document.elementsFromPoint(hand.x, hand.y)) {
    const group = element.closest<HTMLElement>("[data-group]");
    if (group) return { kind: "group", group: group.dataset.group ?? "" };
    if (element.closest("[data-board]")) return { kind: "board" };
  }
  return undefined;
}
