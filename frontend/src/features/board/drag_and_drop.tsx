/**
 * dnd-kit around the page: pointer, touch and keyboard become `DragController` calls.
 *
 * Ids: a draggable carries its `DragSource` as data; a droppable is "node:<name>" or "board".
 * With the keyboard a dragged thing jumps from node to node. What happens is said by a live region
 * of our own, which also speaks when the scheduler's answer comes after the move.
 */
import {
  type CollisionDetection,
  DndContext,
  DragOverlay,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { useClusterSlug, useClusterStore } from "../../app/cluster_context";
import { t } from "../../app/messages.en";
import { useSelected } from "../../app/use_store";
import type { DragSource, DropTarget } from "../../interaction/drag";
import { DragAnnouncer } from "./drag_announcer";
import { DragController, drag } from "./drag_controller";
import { DragDialog } from "./drag_dialog";
import { DragPreview } from "./drag_preview";
import { jumpBetweenNodes } from "./keyboard_coordinates";

const ControllerContext = createContext<DragController | undefined>(undefined);

export function useDragController(): DragController {
  const controller = useContext(ControllerContext);
  if (!controller) throw new Error("used outside of DragAndDrop");
  return controller;
}

const NODE = "node:";
export const BOARD_ID = "board";
export const nodeDropId = (name: string): string => `${NODE}${name}`;

function targetOf(id: unknown): DropTarget | undefined {
  if (id === BOARD_ID) return { kind: "board" };
  return typeof id === "string" && id.startsWith(NODE) ? { kind: "node", name: id.slice(NODE.length) } : undefined;
}

export function DragAndDrop({ children }: { readonly children: ReactNode }) {
  const slug = useClusterSlug();
  const state = useClusterStore();
  const controller = useMemo(() => new DragController(slug, state), [slug, state]);
  const sensors = useSensors(
    // A few pixels first, so that a click stays a click; a short hold on touch, so that scrolling stays scrolling.
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: jumpBetweenNodes, keyboardCodes: KEYS, scrollBehavior: "auto" }),
  );
  return (
    <ControllerContext value={controller}>
      <DndContext
        sensors={sensors}
        collisionDetection={nodeUnderPoint}
        accessibility={{ announcements: SILENT, screenReaderInstructions: { draggable: t.drag.instructions } }}
        onDragStart={({ active }) => controller.pickUp(active.data.current as unknown as DragSource)}
        onDragOver={({ over }) => controller.moveOver(targetOf(over?.id))}
        onDragEnd={() => controller.drop()}
        onDragCancel={() => controller.cancel()}
      >
        {children}
        <DragOverlay dropAnimation={null}>
          <Preview />
        </DragOverlay>
      </DndContext>
      <DragDialog />
      <DragAnnouncer />
    </ControllerContext>
  );
}

function Preview() {
  const source = useSelected(drag, (state) => (state.kind === "dragging" ? state.source : undefined));
  return source ? <DragPreview source={source} /> : null;
}

// Enter keeps its meaning of "do it" on a ticket or template; Space picks up.
const KEYS = { start: ["Space"], cancel: ["Escape"], end: ["Space", "Enter"] };

const nothing = () => undefined;
const SILENT = { onDragStart: nothing, onDragOver: nothing, onDragEnd: nothing, onDragCancel: nothing };

/** The node that holds the pointer (or, with the keyboard, the middle of what is dragged), else the board. */
const nodeUnderPoint: CollisionDetection = ({ pointerCoordinates, collisionRect, droppableRects }) => {
  const x = pointerCoordinates?.x ?? collisionRect.left + collisionRect.width / 2;
  const y = pointerCoordinates?.y ?? collisionRect.top + collisionRect.height / 2;
  const holds = ([, rect]: [unknown, { left: number; right: number; top: number; bottom: number }]) =>
    x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom;
  const hits = [...droppableRects].filter(holds).map(([id]) => ({ id }));
  // A node that was scrolled out of the board's window is not under the pointer.
  const onBoard = hits.some(({ id }) => id === BOARD_ID);
  if (!onBoard) return [];
  return hits.sort((a, b) => Number(a.id === BOARD_ID) - Number(b.id === BOARD_ID));
};
