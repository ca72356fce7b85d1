/** Keeps what is shown while something is dragged: nothing moves away under the hand. */
import { useRef } from "react";
import { useSelected } from "../../app/use_store";
import type { DragState } from "../../interaction/drag";
import { drag } from "./drag_controller";

const isDragging = ({ kind }: DragState): boolean => kind === "dragging";

export function useHeld<T>(value: T): T {
  const held = useSelected(drag, isDragging);
  const kept = useRef(value);
  if (!held) kept.current = value;
  return kept.current;
}
