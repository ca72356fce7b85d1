/** What a canvas board shows: everything its painter needs to know, and nothing about the browser. */
import type { Viewport } from "../../interaction/viewport";
import type { BoardLayout, Rect, Size } from "../../model/board_layout";
import { TILE_WIDTH, tileRect } from "../../model/board_layout";
import type { ColourContext, Paint, Verdict } from "../../model/colouring";
import { paintOfNode } from "../../model/colouring";
import { cellsOf, type PackedPod, packPods } from "../../model/core_cells";
import { KeptByNode } from "../../model/kept_by_node";
import type { Matches } from "../../model/matches";
import type { NodeCard } from "../../model/messages.generated";
import { type ClusterState, NO_LOAD, type NodeLoad } from "../../model/state";

/** Cells a core with the pods in them, or one colour a node. */
export type Detail = "cells" | "heat";

/** What a person chose; auto: cells as soon as there is room for them. */
export type WantedDetail = Detail | "auto";

/** While something is dragged. */
export interface DragView {
  readonly verdictOn: (node: string) => { readonly verdict: Verdict; readonly word: string } | undefined;
  readonly over: string | undefined;
  /** Uids of pods that would have to leave. */
  readonly victims: ReadonlySet<string>;
}

export interface Scene {
  readonly layout: BoardLayout;
  readonly state: ClusterState;
  readonly colouring: Colouring;
  readonly matches: Matches | undefined;
  readonly wanted: WantedDetail;
  readonly selectedNode: string | undefined;
  readonly selectedPod: string | undefined;
  /** Names of the nodes that are picked together. */
  readonly picked: ReadonlySet<string>;
  readonly drag: DragView | undefined;
  readonly viewport: Viewport;
  readonly view: Size;
}

/** A way of colouring with the paints it has given so far. */
export class Colouring {
  private readonly paints = new KeptByNode((node, load) => paintOfNode(this.context, node, load));

  constructor(readonly context: ColourContext) {}

  of(node: NodeCard, load: NodeLoad): Paint {
    return this.paints.of(node, load);
  }
}

const packed = new KeptByNode((node, load) => packPods(load.pods, cellsOf(node.allocatable.cpu ?? 0)));

export const packedPodsOf = (node: NodeCard, load: NodeLoad): readonly PackedPod[] => packed.of(node, load);

export const loadIn = (state: ClusterState, node: NodeCard): NodeLoad => state.loads.get(node.name) ?? NO_LOAD;

/** Width of a tile on the screen from which on cells are seen. */
const CELLS_FROM_PIXELS = 40;

export function detailOf({ wanted, viewport }: Pick<Scene, "wanted" | "viewport">): Detail {
  if (wanted !== "auto") return wanted;
  return TILE_WIDTH * viewport.scale >= CELLS_FROM_PIXELS ? "cells" : "heat";
}

/** A tile on the screen, on whole pixels so that its edges are sharp. */
export function screenRect({ layout, viewport }: Pick<Scene, "layout" | "viewport">, index: number): Rect {
  return onScreen(tileRect(layout, index), viewport);
}

export function onScreen(rect: Rect, { scale, x, y }: Viewport): Rect {
  const left = Math.round(rect.x * scale + x);
  const top = Math.round(rect.y * scale + y);
  return {
    x: left,
    y: top,
    width: Math.max(1, Math.round((rect.x + rect.width) * scale + x) - left),
    height: Math.max(1, Math.round((rect.y + rect.height) * scale + y) - top),
  };
}

/** Where the cells of a node are inside its tile. */
export interface CellBox {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly columns: number;
  readonly count: number;
}

const NAME_FROM_PIXELS = 52;
export const NAME_HEIGHT = 14;
const INSET = 3;

/** Pixels at the top of a tile for the node's name; 0 where it is too small for one. */
export const nameHeight = ({ width }: Size): number => (width >= NAME_FROM_PIXELS ? NAME_HEIGHT : 0);

/** As large as the cells can be with all of them in the tile. */
export function cellBox(rect: Rect, cpuMillis: number): CellBox {
  const { count } = cellsOf(cpuMillis);
  const top = nameHeight(rect);
  const width = Math.max(1, rect.width - 2 * INSET);
  const height = Math.max(1, rect.height - 2 * INSET - top);
  let best = { columns: 1, size: 0 };
  for (let columns = 1; columns <= count; columns++) {
    const size = Math.min(width / columns, height / Math.ceil(count / columns));
    if (size > best.size) best = { columns, size };
  }
  return { x: rect.x + INSET, y: rect.y + INSET + top, ...best, count };
}

/** The stretch of cells that a pod takes, broken where the rows break. */
export function podRects({ from, to }: PackedPod, { x, y, size, columns }: CellBox): readonly Rect[] {
  const gap = size > 4 ? 1 : 0;
  const rects: Rect[] = [];
  for (let at = from; at < to - TINY; ) {
    const row = Math.floor(at / columns + TINY);
    const end = Math.min(to, (row + 1) * columns);
    const width = Math.max(0.5, (end - at) * size - gap);
    rects.push({ x: x + (at - row * columns) * size, y: y + row * size, width, height: size - gap });
    at = end;
  }
  return rects;
}

const TINY = 1e-9;

/** The pod under a point of the tile, where cells are drawn. */
export function podAt(scene: Scene, index: number, x: number, y: number): PackedPod | undefined {
  const node = scene.layout.nodes[index];
  if (!node || detailOf(scene) !== "cells") return undefined;
  const box = cellBox(screenRect(scene, index), node.allocatable.cpu ?? 0);
  const column = (x - box.x) / box.size;
  const row = Math.floor((y - box.y) / box.size);
  if (column < 0 || column >= box.columns || row < 0) return undefined;
  const at = row * box.columns + column;
  return packedPodsOf(node, loadIn(scene.state, node)).find(({ from, to }) => at >= from && at < to);
}
