/**
 * dnd-kit around the page: pointer, touch and keyboard become `DragController` calls.
 *
 * A draggable carries its `Grip` as data. What it is over is looked up in the document
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
import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useMemo } from "react";
import { useClusterSlug, useClusterStore, useConnection, useIsLive, useIsRewound } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useSelected, useStore } from "../../app/use_store";
import { Doer } from "../touch/doer";
import { form } from "../touch/form_store";
import { followPicks } from "../touch/picks_store";
import { DoerProvider } from "../touch/use_deed";
import { gripIn } from "./board_grip";
import { DragAnnouncer } from "./drag_announcer";
import { DragController, drag } from "./drag_controller";
import { DragPreview } from "./drag_preview";
import { DropNote } from "./drop_note";
import { followHand, targetUnderHand, wayOfKeys } from "./drop_target";
import { forgetKeyboardTarget, jumpBetweenNodes, targetOfKeyboard } from "./keyboard_coordinates";

const Forms = lazy(() => import("../touch/forms"));

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
  const live = useIsLive();
  const { kind } = useConnection();
  const doer = useMemo(() => new Doer(slug), [slug]);
  const controller = useMemo(() => new DragController(slug, state, doer), [slug, state, doer]);
  useEffect(followHand, []);
  useEffect(() => followPicks(state), [state]);
  const isOver = useIsRewound() || kind === "gone";
  useEffect(() => {
    if (isOver) controller.letGo();
  }, [isOver, controller]);
  const sensors = useSensors(
    // A few pixels first, so that a click stays a click; a short hold on touch, so that scrolling stays scrolling.
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: jumpBetweenNodes, keyboardCodes: KEYS, scrollBehavior: "auto" }),
  );
  return (
    <DoerProvider value={doer}>
      <ControllerContext value={controller}>
        <DndContext
          sensors={sensors}
          collisionDetection={pointerWithin}
          // The focus stays where it is, or goes to the question of the drop: dnd-kit would take it from there.
          accessibility={{
            announcements: SILENT,
            screenReaderInstructions: { draggable: t.drag.instructions },
            restoreFocus: false,
          }}
          onDragStart={({ active }) => {
            forgetKeyboardTarget();
            const grip = gripIn(active.data.current);
            // The past cannot be changed, and what is stale must not be acted upon.
            if (grip && live) controller.pickUp(grip);
          }}
          onDragMove={({ activatorEvent }) =>
            controller.moveOver(activatorEvent instanceof KeyboardEvent ? targetOfKeyboard() : targetUnderHand())
          }
          onDragEnd={({ activatorEvent }) =>
            controller.drop(activatorEvent instanceof KeyboardEvent ? undefined : wayOfKeys())
          }
          onDragCancel={() => controller.cancel()}
        >
          {children}
          <DragOverlay dropAnimation={null}>
            <Preview />
          </DragOverlay>
        </DndContext>
        <DropNote />
        <OpenForms />
        <DragAnnouncer />
      </ControllerContext>
    </DoerProvider>
  );
}

function Preview() {
  const source = useSelected(drag, (state) => (state.kind === "dragging" ? state.source : undefined));
  return source ? <DragPreview source={source} /> : null;
}

function OpenForms() {
  return (
    useStore(form) && (
      <Suspense fallback={null}>
        <Forms />
      </Suspense>
    )
  );
}

// Enter keeps its meaning of "do it" on a ticket or template; Space picks up.
const KEYS = { start: ["Space"], cancel: ["Escape"], end: ["Space", "Enter"] };

const nothing = () => undefined;
const SILENT = { onDragStart: nothing, onDragOver: nothing, onDragEnd: nothing, onDragCancel: nothing };
