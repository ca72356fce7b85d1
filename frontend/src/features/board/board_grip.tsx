/**
 * Everything on the board that can be dragged, as one draggable.
 *
 * A draggable per pod would render every pod of the board whenever a drag begins. Instead the board listens, looks what
 * is under the hand when it closes, and lends it a handle of one pixel to be dragged by.
 */
import { useDraggable } from "@dnd-kit/core";
import { type KeyboardEvent, type RefObject, type SyntheticEvent, useRef } from "react";
import { useClusterStore } from "../../app/cluster_context";
import type { Grip } from "../../interaction/drag";
import type { ClusterState } from "../../model/state";
import type { Store } from "../../model/store";
import { boardSurface } from "./board_surface";

/** What a draggable's data says: the grip itself, or who knows it. */
interface Lent {
  readonly lent: () => Grip | undefined;
}

export function gripIn(data: unknown): Grip | undefined {
  const known = data as Grip | Lent | undefined;
  return known && "lent" in known ? known.lent() : known;
}

interface BoardGrip {
  readonly handle: RefObject<HTMLSpanElement | null>;
  readonly listeners: {
    readonly onMouseDown: (event: SyntheticEvent) => void;
    readonly onTouchStart: (event: SyntheticEvent) => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
}

export function useBoardGrip(): BoardGrip {
  const store = useClusterStore();
  const grip = useRef<Grip>(undefined);
  const data = useRef<Lent>({ lent: () => grip.current });
  const handle = useRef<HTMLSpanElement>(null);
  const { setNodeRef, listeners } = useDraggable({ id: "board-grip", data: data.current as unknown as Grip });
  const closeOn = (name: string, event: SyntheticEvent, at: { readonly x: number; readonly y: number }) => {
    if (!(event.target instanceof Element) || !handle.current) return;
    const found = gripAt(event.target, at, store);
    if (!found) return;
    grip.current = found;
    handle.current.style.translate = `${at.x}px ${at.y}px`;
    setNodeRef(handle.current);
    listeners?.[name]?.(event);
  };
  return {
    handle,
    listeners: {
      onMouseDown: (event) => closeOn("onMouseDown", event, pointOf(event)),
      onTouchStart: (event) => closeOn("onTouchStart", event, pointOf(event)),
      onKeyDown: (event) => {
        if (event.code === "Space" && picksUp(event)) closeOn("onKeyDown", event, middleOf(event.target as Element));
      },
    },
  };
}

/** Space alone picks a node together with others; with Shift it is carried. A pod's Space carries it. */
function picksUp({ target, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || !(target instanceof Element)) return false;
  const kind = target.closest<HTMLElement>("[data-grip]")?.dataset.grip;
  return kind === "pod" || (kind === "node" && shiftKey);
}

function pointOf({ nativeEvent }: SyntheticEvent): { readonly x: number; readonly y: number } {
  const at = "touches" in nativeEvent ? (nativeEvent as TouchEvent).touches[0] : (nativeEvent as MouseEvent);
  return { x: at?.clientX ?? 0, y: at?.clientY ?? 0 };
}

function middleOf(element: Element): { readonly x: number; readonly y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

type Clusters = Store<ClusterState | undefined>;

function gripAt(target: Element, at: { readonly x: number; readonly y: number }, store: Clusters): Grip | undefined {
  const { grip, uid = "", carries = "" } = target.closest<HTMLElement>("[data-grip]")?.dataset ?? {};
  if (grip === "node") return { kind: "node", name: carries };
  if (grip === "pod") return podGrip(store, uid);
  if (!target.closest("[data-node-surface]")) return undefined;
  return podGrip(store, boardSurface()?.pod_to_drag(at.x, at.y) ?? "");
}

function podGrip(store: Clusters, uid: string): Grip | undefined {
  const pod = store.get()?.pods.get(uid);
  if (pod?.deletion_timestamp !== "") return undefined;
  return { kind: "pod", pod: { namespace: pod.namespace, name: pod.name, uid } };
}
