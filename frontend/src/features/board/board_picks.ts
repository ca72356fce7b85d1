/**
 * Picking several things on the board: with Ctrl or Shift and a click, with a lasso (Shift and a drag), by key.
 *
 * It works on what every picture of the board answers (`board_surface.ts`) or has in the document. A lasso that stays
 * within one node picks pods there; one that reaches further picks nodes.
 */
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from "react";
import { useClusterStore } from "../../app/cluster_context";
import { preferences } from "../../app/preferences";
import {
  type Box,
  boxBetween,
  isEmpty,
  isInside,
  overlaps,
  pickedToo,
  rangeTo,
  toggledNode,
  toggledPod,
} from "../../interaction/picks";
import { groupsOf } from "../../model/grouping";
import type { ClusterState } from "../../model/state";
import { clearPicks, picks } from "../touch/picks_store";
import { boardSurface, node_at } from "./board_surface";
import { drag } from "./drag_controller";

const LASSO_PIXELS = 4;

/** Inside of these a click means what the control says. */
const CONTROLS = "[data-no-drag], input, select, textarea, a, [role=menu]";

export function useBoardPicks() {
  const store = useClusterStore();
  const start = useRef<{ readonly x: number; readonly y: number }>(undefined);
  const [lasso, setLasso] = useState<Box>();
  const order = () => nodeOrder(store.get());
  const isOurs = (event: MouseEvent) =>
    (event.ctrlKey || event.metaKey || event.shiftKey) &&
    event.button === 0 &&
    event.target instanceof Element &&
    !event.target.closest(CONTROLS);
  return {
    lasso,
    handlers: {
      onPointerDownCapture: (event: PointerEvent) => {
        if (!isOurs(event)) return;
        // Neither a pan nor a drag.
        event.stopPropagation();
        if (event.shiftKey) start.current = { x: event.clientX, y: event.clientY };
      },
      onMouseDownCapture: (event: MouseEvent) => {
        if (!isOurs(event)) return;
        event.stopPropagation();
        // No text is selected along the way.
        if (event.shiftKey) event.preventDefault();
      },
      onPointerMoveCapture: (event: PointerEvent) => {
        const from = start.current;
        if (!from || (!lasso && distance(from, event) < LASSO_PIXELS)) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setLasso(boxBetween(from.x, from.y, event.clientX, event.clientY));
      },
      onPointerUpCapture: () => {
        if (lasso) picks.set(lassoed(lasso));
        start.current = undefined;
      },
      onPointerCancel: () => {
        start.current = undefined;
        setLasso(undefined);
      },
      onClickCapture: (event: MouseEvent) => {
        const wasLasso = lasso !== undefined;
        setLasso(undefined);
        if (!wasLasso && !isOurs(event)) return;
        event.stopPropagation();
        event.preventDefault();
        if (!wasLasso) pickAt(event, order());
      },
      onKeyDown: (event: KeyboardEvent) => pickByKey(event, order()),
    },
  };
}

const distance = (from: { readonly x: number; readonly y: number }, to: PointerEvent): number =>
  Math.abs(to.clientX - from.x) + Math.abs(to.clientY - from.y);

/** As the board shows them. */
function nodeOrder(state: ClusterState | undefined): readonly string[] {
  if (!state) return [];
  return groupsOf(state.nodes, preferences.get().groupBy).flatMap(({ nodes }) => nodes.map(({ name }) => name));
}

function pickAt({ clientX: x, clientY: y, shiftKey, target }: MouseEvent, order: readonly string[]): void {
  const uid = (target as Element).closest<HTMLElement>('[data-grip="pod"]')?.dataset.uid;
  const pod = uid ?? boardSurface()?.pod_to_drag(x, y);
  const node = node_at(x, y) ?? (target as Element).closest<HTMLElement>("[data-node]")?.dataset.node;
  if (pod && !shiftKey) picks.set(toggledPod(picks.get(), pod));
  else if (node) picks.set(shiftKey ? rangeTo(picks.get(), node, order) : toggledNode(picks.get(), node));
}

function lassoed(box: Box) {
  const places = nodePlaces();
  const around = places.find(({ place }) => isInside(box, place));
  if (!around) {
    const nodes = places.filter(({ place }) => overlaps(place, box)).map(({ name }) => name);
    return pickedToo(picks.get(), nodes, []);
  }
  const chips = document.querySelectorAll<HTMLElement>(`[data-node="${CSS.escape(around.name)}"] [data-grip="pod"]`);
  const pods = [...chips].filter((chip) => overlaps(chip.getBoundingClientRect(), box));
  return pickedToo(
    picks.get(),
    [],
    pods.map((chip) => chip.dataset.uid ?? ""),
  );
}

interface NodePlace {
  readonly name: string;
  readonly place: Box;
}

function nodePlaces(): readonly NodePlace[] {
  const surface = boardSurface();
  if (surface)
    return surface.spots().map(({ name, x, y }) => ({ name, place: { left: x, right: x, top: y, bottom: y } }));
  const elements = document.querySelectorAll<HTMLElement>('[data-testid="node"][data-node]');
  return [...elements].map((element) => ({ name: element.dataset.node ?? "", place: element.getBoundingClientRect() }));
}

function pickByKey(event: KeyboardEvent, order: readonly string[]): void {
  if (event.defaultPrevented || !(event.target instanceof HTMLElement) || drag.get().kind !== "idle") return;
  // An open menu's Escape closes the menu.
  if (event.target.closest(CONTROLS)) return;
  const command = event.ctrlKey || event.metaKey;
  if (command && event.key.toLowerCase() === "a") picks.set(pickedToo(picks.get(), order, []));
  else if (event.key === "Escape" && !isEmpty(picks.get())) clearPicks();
  else if (event.code === "Space" && !event.shiftKey) {
    const { grip, uid = "", carries = "" } = event.target.closest<HTMLElement>("[data-grip]")?.dataset ?? {};
    if (grip === "node") picks.set(toggledNode(picks.get(), carries));
    else if (grip === "pod" && command) picks.set(toggledPod(picks.get(), uid));
    else return;
  } else return;
  event.preventDefault();
}
