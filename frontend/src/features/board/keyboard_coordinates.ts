/** dnd-kit's keyboard sensor, made to go from node to node; remembers the node it went to. */
import type { KeyboardCoordinateGetter } from "@dnd-kit/core";
import type { DropTarget } from "../../interaction/drag";
import { isArrowKey, nextSpot } from "../../interaction/keyboard_path";

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
  next.element.scrollIntoView({ block: "nearest" });
  const { x, y } = middleOf(next.element);
  return { x: x - size.width / 2, y: y - size.height / 2 };
};

function spots() {
  const cards = document.querySelectorAll<HTMLElement>("[data-node]");
  return [...cards].map((element) => ({ id: element.dataset.node ?? "", element, ...middleOf(element) }));
}

function middleOf(element: Element): { x: number; y: number } {
  const rect = element.getBoundingClientRect();
  return { x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 };
}
