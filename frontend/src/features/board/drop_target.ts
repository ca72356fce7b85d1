/**
 * What is under the hand: found by one look at the document per move.
 *
 * A droppable per node would render every node whenever the hand goes from one to the next; a
 * thousand nodes would stutter. dnd-kit knows the board only, as the thing to scroll.
 */
import type { DropTarget } from "../../interaction/drag";
import { node_at } from "./board_surface";

let hand = { x: 0, y: 0 };

/** Remembers where mouse or finger are; dnd-kit tells distances only, and those mix with scrolling. */
export function followHand(): () => void {
  const move = (event: PointerEvent | TouchEvent) => {
    const at = "touches" in event ? event.touches[0] : event;
    if (at) hand = { x: at.clientX, y: at.clientY };
  };
  window.addEventListener("pointermove", move, { capture: true, passive: true });
  window.addEventListener("touchmove", move, { capture: true, passive: true });
  return () => {
    window.removeEventListener("pointermove", move, { capture: true });
    window.removeEventListener("touchmove", move, { capture: true });
  };
}

export function targetUnderHand(): DropTarget | undefined {
  const node = node_at(hand.x, hand.y);
  if (node) return { kind: "node", name: node };
  const elements = document.elementsFromPoint(hand.x, hand.y);
  return elements.some((element) => element.closest("[data-board]")) ? { kind: "board" } : undefined;
}
