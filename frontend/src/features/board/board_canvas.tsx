/**
 * The board as one canvas, for any number of nodes: cells a core where there is room, else a heat map.
 *
 * Two small elements make it whole: one lies over the tile under the hand and carries its tooltip, the other is the
 * tile in focus, a button that arrow keys move from node to node and that is read aloud. The table view tells the
 * same to whoever does not see the picture.
 */
import { type CSSProperties, type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import { useClusterStore } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { select } from "../../app/workbench";
import { isArrowKey } from "../../interaction/keyboard_path";
import { type BoardLayout, layoutBoard, type Rect, type Size, withNewerCards } from "../../model/board_layout";
import type { ColourContext } from "../../model/colouring";
import type { NodeGroup } from "../../model/grouping";
import type { NodeCard, PodCard } from "../../model/messages.generated";
import type { NodeLoad } from "../../model/state";
import styles from "./board_canvas.module.css";
import { useLook } from "./board_look";
import { Colouring, type WantedDetail } from "./board_scene";
import { putSurface } from "./board_surface";
import type { CanvasBoard, Point } from "./canvas_board";
import { listenToGestures } from "./canvas_gestures";
import { NodeMenu } from "./node_menu";
import { nodeText, nodeTip, podTip } from "./node_text";
import { useCanvasBoard } from "./use_canvas_board";
import { ZoomControls } from "./zoom_controls";

interface BoardCanvasProps {
  readonly groups: readonly NodeGroup[];
  readonly wanted: WantedDetail;
  /** Called when a tile has become so large that a card would fit in it. */
  readonly onZoomedIn: () => void;
}

export default function BoardCanvas({ groups, wanted, onZoomedIn }: BoardCanvasProps) {
  const { context, matches } = useLook();
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const tile = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLSpanElement>(null);
  const [board, setBoard] = useState<CanvasBoard>();
  const [view, setView] = useState<Size>();
  const layout = useLayout(groups, view);
  const colouring = useMemo(() => new Colouring(context), [context]);
  const [hovered, setHovered] = useState<Hovered>();
  const [focused, setFocused] = useState(0);
  const places = usePlaces();
  const store = useClusterStore();

  useEffect(() => watchSize(box.current, setView), []);
  useCanvasBoard({ canvas, board, setBoard, layout, view, colouring, matches, wanted, moved: places.moved });
  useEffect(() => {
    if (!board || !box.current) return undefined;
    const hover = (next: Hovered | undefined) => setHovered((before) => (before?.key === next?.key ? before : next));
    // A hand on the board brings the keys along.
    const touch = (index: number | undefined) => {
      if (index !== undefined) setFocused(index);
      tile.current?.focus({ preventScroll: true });
    };
    return listenToGestures(box.current, planeOf(board, hover, touch, onZoomedIn));
  }, [board, onZoomedIn]);
  useEffect(() => (board && box.current ? surfaceOf(board, box.current) : undefined), [board]);

  // A right click on a tile is its menu.
  const openMenu = (event: MouseEvent<HTMLElement>) => {
    if (!board || !box.current || !(event.target instanceof Element) || event.target.closest("[role=menu]")) return;
    const { left, top } = box.current.getBoundingClientRect();
    const index = board.indexAt({ x: event.clientX - left, y: event.clientY - top });
    if (index === undefined) return;
    event.preventDefault();
    setFocused(index);
    requestAnimationFrame(() => menu.current?.querySelector("button")?.click());
  };
  const press = (event: KeyboardEvent) => board && pressOn(board, event, focused, setFocused, onZoomedIn);
  const count = layout?.nodes.length ?? 0;
  const at = Math.min(focused, count - 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `places.version` rises when the board was moved
  const rect = useMemo(() => board && at >= 0 && board.rectOf(at), [board, at, places.version, layout]);
  const node = layout?.nodes[at];
  const state = store.get();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its keys are those of the tile in focus, which is a button
    <div
      ref={box}
      className={styles.box}
      data-node-surface
      data-testid="board-canvas"
      onKeyDown={press}
      onContextMenu={openMenu}
    >
      <canvas ref={canvas} className={styles.canvas} role="img" aria-label={t.boardView.picture(count)} />
      {board && hovered && <HoveredTile key={hovered.key} hovered={hovered} context={context} />}
      {board && rect && node && state && (
        <button
          ref={tile}
          type="button"
          className={styles.focus}
          style={placed(rect)}
          aria-label={nodeText(node, board.loadOf(node), context)}
          aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown + - 0"
          data-testid="focused-tile"
          data-focused-node={node.name}
          data-grip="node"
          data-carries={node.name}
          onFocus={(event) => event.currentTarget.matches(":focus-visible") && board.reveal(at)}
          onClick={(event) => event.detail === 0 && select({ kind: "node", uid: node.uid })}
        />
      )}
      {rect && node && (
        <span ref={menu} className={styles.tileMenu} style={cornerOf(rect)}>
          <NodeMenu node={node} />
        </span>
      )}
      <p className="visually-hidden" aria-live="polite">
        {node && board && document.activeElement?.matches("[data-focused-node]")
          ? nodeText(node, board.loadOf(node), context)
          : ""}
      </p>
      {board && <ZoomControls onZoom={(factor) => zoomBy(board, factor, onZoomedIn)} onFit={() => board.fit()} />}
    </div>
  );
}

/** Laid out anew only where nodes came or went or the room has another shape. */
function useLayout(groups: readonly NodeGroup[], view: Size | undefined): BoardLayout | undefined {
  const last = useRef<{ layout: BoardLayout; shape: number }>(undefined);
  return useMemo(() => {
    if (!view) return undefined;
    const shape = Math.round(Math.log2(view.width / view.height) * 4);
    const kept = last.current?.shape === shape ? withNewerCards(last.current.layout, groups) : undefined;
    const layout = kept ?? layoutBoard(groups, view);
    last.current = { layout, shape };
    return layout;
  }, [groups, view]);
}

function watchSize(element: HTMLElement | null, tell: (size: Size) => void): (() => void) | undefined {
  if (!element) return undefined;
  const observer = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = element;
    if (width > 0 && height > 0) tell({ width, height });
  });
  observer.observe(element);
  return () => observer.disconnect();
}

/** Counts the moves of the board, at most one a frame, for the elements that lie on it. */
function usePlaces() {
  const [version, setVersion] = useState(0);
  const asked = useRef(false);
  const moved = useRef(() => {
    if (asked.current) return;
    asked.current = true;
    requestAnimationFrame(() => {
      asked.current = false;
      setVersion((before) => before + 1);
    });
  });
  return { version, moved: moved.current };
}

/** A card is about so wide: beyond it, a small cluster is shown as cards again. */
const CARD_PIXELS = 200;

function zoomBy(board: CanvasBoard, factor: number, onZoomedIn: () => void, at?: Point): void {
  board.zoom(factor, at);
  if (factor > 1 && board.tileWidth > CARD_PIXELS) onZoomedIn();
}

function planeOf(
  board: CanvasBoard,
  setHovered: (at: Hovered | undefined) => void,
  touch: (index: number | undefined) => void,
  onZoomedIn: () => void,
) {
  return {
    pan: (dx: number, dy: number) => board.pan(dx, dy),
    zoom: (factor: number, at: Point) => zoomBy(board, factor, onZoomedIn, at),
    isTaken: (at: Point) => podToDrag(board, at) !== undefined,
    hover: (at: Point | undefined) => setHovered(at && hoveredAt(board, at)),
    click: (at: Point) => {
      const found = hoveredAt(board, at);
      touch(board.indexAt(at));
      if (found?.pod) select({ kind: "pod", uid: found.pod.uid });
      else if (found) select({ kind: "node", uid: found.node.uid });
    },
  };
}

const STEP = 1.4;
const PAN_PIXELS = 80;
const PANS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [PAN_PIXELS, 0],
  ArrowRight: [-PAN_PIXELS, 0],
  ArrowUp: [0, PAN_PIXELS],
  ArrowDown: [0, -PAN_PIXELS],
};

function pressOn(
  board: CanvasBoard,
  event: KeyboardEvent,
  focused: number,
  setFocused: (index: number) => void,
  onZoomedIn: () => void,
): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const pan = event.shiftKey ? PANS[event.key] : undefined;
  if (event.key === "+" || event.key === "=") zoomBy(board, STEP, onZoomedIn);
  else if (event.key === "-") board.zoom(1 / STEP);
  else if (event.key === "0") board.fit();
  else if (pan) board.pan(...pan);
  else if (isArrowKey(event.key)) {
    const next = board.beside(Math.min(focused, board.count - 1), event.key);
    setFocused(next);
    board.reveal(next);
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** What drags ask: `board_surface.ts`. */
function surfaceOf(board: CanvasBoard, element: HTMLElement): () => void {
  const inside = (x: number, y: number): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: x - left, y: y - top };
  };
  const spotOf = (index: number) => {
    const { left, top } = element.getBoundingClientRect();
    const { x, y, width, height } = board.rectOf(index);
    return { name: board.nodeOf(index)?.name ?? "", x: left + x + width / 2, y: top + y + height / 2 };
  };
  return putSurface({
    node_at: (x, y) => board.nodeOf(board.indexAt(inside(x, y)) ?? -1)?.name,
    pod_at: (x, y) => {
      const index = board.indexAt(inside(x, y));
      return index === undefined ? undefined : board.podAt(index, inside(x, y))?.uid;
    },
    pod_to_drag: (x, y) => podToDrag(board, inside(x, y)),
    spots: () => board.inView().map(spotOf),
    reveal: (name) => {
      const index = board.indexOf(name);
      if (index === undefined) return undefined;
      board.reveal(index);
      return spotOf(index);
    },
  });
}

/** On smaller tiles a hand pans the board. */
const DRAG_FROM_PIXELS = 90;

function podToDrag(board: CanvasBoard, at: Point): string | undefined {
  const index = board.tileWidth < DRAG_FROM_PIXELS ? undefined : board.indexAt(at);
  return index === undefined ? undefined : board.podAt(index, at)?.uid;
}

interface Hovered {
  readonly key: string;
  readonly rect: Rect;
  readonly node: NodeCard;
  readonly load: NodeLoad;
  readonly pod: PodCard | undefined;
}

function hoveredAt(board: CanvasBoard, at: Point): Hovered | undefined {
  const index = board.indexAt(at);
  const node = index === undefined ? undefined : board.nodeOf(index);
  if (index === undefined || !node) return undefined;
  const pod = board.podAt(index, at);
  return { key: `${node.uid} ${pod?.uid ?? ""}`, rect: board.rectOf(index), node, load: board.loadOf(node), pod };
}

interface HoveredTileProps {
  readonly hovered: Hovered;
  readonly context: ColourContext;
}

function HoveredTile({ hovered: { rect, node, load, pod }, context }: HoveredTileProps) {
  const tip = pod ? podTip(pod) : nodeTip(node, load, context);
  return <div className={styles.hovered} style={placed(rect)} data-node={node.name} data-tip={tip} />;
}

const placed = ({ x, y, width, height }: Rect): CSSProperties => ({
  transform: `translate(${x}px, ${y}px)`,
  width,
  height,
});

/** The upper right corner of a tile, as far as it is in view. */
const cornerOf = ({ x, y, width }: Rect): CSSProperties => ({ transform: `translate(${x + width}px, ${y}px)` });
