/** dnd-kit's keyboard sensor, made to go from node to node; remembers the node it went to. */
import type { KeyboardCoordinateGetter } from "@dnd-kit/core";
import type { DropTarget } from "../../interaction/drag";
import { isArrowKey, nextSpot, type Spot } from "../../interaction/keyboard_path";
import { boardSurface } from "./board_surface";

let target: DropTarget | undefined;

export const targetOfKeyboard = (): DropTarget | undefined => target;

/** A new drag begins nowhere. */
export function forgetKeyboardTarget(): void {
  target = undefined;
}

export const jumpBetweenNodes: KeyboardCoordinateGetter = (event, { currentCoordinates, context }) => {
  if (!isArrowKey(event.code)) return undefined;
  event.preventDefault();
  const size = context.collisionRect ?? { width: 0, height: 0 };
  const from = { x: currentCoordinates.x + size.width / 2, y: currentCoordinates.y + size.height / 2 };
  const next = nextSpot(from, event.code, spots());
  if (!next) return undefined;
  target = { kind: "node", name: next.id };
  const { x, y } = next.show();
  return { x: x - size.width / 2, y: y - size.height / 2 };
};

interface Place extends Spot {
  /** Brings it into view; answers where it is then. */
  readonly show: () => { readonly x: number; readonly y: number };
}

function spots(): readonly Place[] {
  const surface = boardSurface();
  if (!surface) return [...document.querySelectorAll<HTMLElement>("[data-node]")].map(placeOfElement);
  return surface.spots().map(({ name, x, y }) => ({ id: name, x, y, show: () => surface.reveal(name) ?? { x, y } }));
}

function placeOfElement(element: HTMLElement): Place {
  const show = () => {
    element.scrollIntoView({ block: "nearest" });
    return middleOf(element);
  };
  return { id: element.dataset.node ?? "", ...middleOf(element), show };
}

function middleOf(element: Element): { x: number; y: number } {
  const rect = element.getBoundingClientRect();
  return { x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 };
}
