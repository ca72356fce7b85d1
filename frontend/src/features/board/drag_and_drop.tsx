/**
 * dnd-kit around the page: pointer, touch and keyboard become `DragController` calls.
 *
 * A draggable carries its `DragSource` as data. What it is over is looked up in the document
 * (`drop_target.ts`) or known from the arrow keys (`keyboard_coordinates.ts`). What happens is said
 * by a live region of our own, which also speaks when the scheduler's answer comes after the move.
 */
import {
  DndContext,
  DragOverlay,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import { useClusterSlug, useClusterStore } from "../../app/cluster_context";
import { t } from "../../app/messages.en";
import { useSelected } from "../../app/use_store";
import type { DragSource } from "../../interaction/drag";
import { DragAnnouncer } from "./drag_announcer";
import { DragController, drag } from "./drag_controller";
import { DragDialog } from "./drag_dialog";
import { DragPreview } from "./drag_preview";
import { followHand, targetUnderHand } from "./drop_target";
import { forgetKeyboardTarget, jumpBetweenNodes, targetOfKeyboard } from "./keyboard_coordinates";

const ControllerContext = createContext<DragController | undefined>(undefined);

export function useDragController(): DragController {
  const controller = useContext(ControllerContext);
  if (!controller) throw new Error("used outside of DragAndDrop");
  return controller;
}

export const BOARD_ID = "board";

export function DragAndDrop({ children }: { readonly children: ReactNode }) {
  const slug = useClusterSlug();
  const state = useClusterStore();
  const controller = useMemo(() => new DragController(slug, state), [slug, state]);
  useEffect(followHand, []);
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
        collisionDetection={pointerWithin}
        accessibility={{ announcements: SILENT, screenReaderInstructions: { draggable: t.drag.instructions } }}
        onDragStart={({ active }) => {
          forgetKeyboardTarget();
          controller.pickUp(active.data.current as unknown as DragSource);
        }}
        onDragMove={({ activatorEvent }) =>
          controller.moveOver(activatorEvent instanceof KeyboardEvent ? targetOfKeyboard() : targetUnderHand())
        }
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
