/**
 * Where every node of a large board lies: groups as regions, nodes as equal tiles in them.
 *
 * The plane has its own units; a tile is TILE_WIDTH x TILE_HEIGHT of them with its gap. The regions are
 * arranged so that the whole fits a view of the given shape as large as possible. Tiles of a region
 * are in rows, so what is under a point is arithmetic.
 */

import type { NodeGroup } from "./grouping";
import type { NodeCard } from "./messages.generated";

export const TILE_WIDTH = 56;
export const TILE_HEIGHT = 42;
/** Between tiles, inside the tile's box. */
export const TILE_GAP = 4;
/** Around the tiles of a region. */
const PADDING = 6;
const REGION_GAP = 12;

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

export interface Region extends Rect {
  readonly name: string;
  readonly count: number;
  /** Height of the strip with the heading; 0 where there is none. */
  readonly heading: number;
  readonly columns: number;
  /** Index of its first node in `BoardLayout.nodes`. */
  readonly first: number;
}

export interface BoardLayout extends Size {
  readonly regions: readonly Region[];
  /** Region after region. */
  readonly nodes: readonly NodeCard[];
  readonly indexOf: ReadonlyMap<string, number>;
}

interface Placed {
  readonly group: NodeGroup;
  readonly columns: number;
  readonly rect: Rect;
}

/** Height of a heading on the screen, while the whole board is in view. */
const HEADING_PIXELS = 20;
const WIDTHS_TRIED = 28;

export function layoutBoard(groups: readonly NodeGroup[], view: Size): BoardLayout {
  const named = groups.length > 1 || (groups[0]?.name ?? "") !== "";
  const rough = bestArrangement(groups, view, named ? TILE_HEIGHT / 2 : 0);
  // Headings keep their height on the screen, so their height on the plane follows from the scale.
  const heading = named ? HEADING_PIXELS / Math.min(1.2, fitScale(extentOf(rough), view)) : 0;
  return assembled(bestArrangement(groups, view, heading), heading);
}

export function fitScale(content: Size, view: Size): number {
  if (content.width <= 0 || content.height <= 0) return 1;
  return Math.min(view.width / content.width, view.height / content.height);
}

function bestArrangement(groups: readonly NodeGroup[], view: Size, heading: number): readonly Placed[] {
  const total = groups.reduce((sum, { nodes }) => sum + nodes.length, 0);
  let best: { readonly scale: number; readonly placed: readonly Placed[] } = { scale: -1, placed: [] };
  for (const width of widthsToTry(total, view)) {
    for (const placed of [shelves(groups, width, heading), sideBySide(groups, width, heading)]) {
      const scale = fitScale(extentOf(placed), view);
      if (scale > best.scale) best = { scale, placed };
    }
  }
  return best.placed;
}

/** Widths in tiles around the one that would fill the view with one region. */
function widthsToTry(total: number, view: Size): readonly number[] {
  const ideal = Math.sqrt((total * (view.width / TILE_WIDTH)) / Math.max(1, view.height / TILE_HEIGHT));
  const widths = Array.from({ length: WIDTHS_TRIED }, (_, step) => Math.round(ideal * (0.5 + step * 0.09)));
  return [...new Set(widths.map((width) => Math.min(Math.max(1, width), Math.max(1, total))))];
}

function regionSize(columns: number, rows: number, heading: number): Size {
  return { width: columns * TILE_WIDTH + 2 * PADDING, height: rows * TILE_HEIGHT + 2 * PADDING + heading };
}

/** Regions from left to right in shelves; a region wider than a shelf takes it whole. */
function shelves(groups: readonly NodeGroup[], width: number, heading: number): readonly Placed[] {
  const most = width * TILE_WIDTH + 2 * PADDING;
  const placed: Placed[] = [];
  let x = 0;
  let y = 0;
  let height = 0;
  for (const group of groups) {
    const count = group.nodes.length;
    const columns = count >= width ? width : Math.min(count, Math.max(1, Math.ceil(Math.sqrt(count * 1.6))));
    const size = regionSize(columns, Math.ceil(count / columns), heading);
    if (x > 0 && x + size.width > most) {
      x = 0;
      y += height + REGION_GAP;
      height = 0;
    }
    placed.push({ group, columns, rect: { x, y, ...size } });
    x += size.width + REGION_GAP;
    height = Math.max(height, size.height);
  }
  return placed;
}

/** All regions beside each other, as many columns each as it has of the nodes. */
function sideBySide(groups: readonly NodeGroup[], width: number, heading: number): readonly Placed[] {
  const total = groups.reduce((sum, { nodes }) => sum + nodes.length, 0);
  const rows = Math.max(1, Math.ceil(total / width));
  let x = 0;
  return groups.map((group) => {
    const columns = Math.max(1, Math.ceil(group.nodes.length / rows));
    const size = regionSize(columns, rows, heading);
    const placed = { group, columns, rect: { x, y: 0, ...size } };
    x += size.width + REGION_GAP;
    return placed;
  });
}

function extentOf(placed: readonly Placed[]): Size {
  return {
    width: placed.reduce((most, { rect }) => Math.max(most, rect.x + rect.width), 0),
    height: placed.reduce((most, { rect }) => Math.max(most, rect.y + rect.height), 0),
  };
}

function assembled(placed: readonly Placed[], heading: number): BoardLayout {
  const nodes: NodeCard[] = [];
  const regions = placed.map(({ group, columns, rect }) => {
    const first = nodes.length;
    nodes.push(...group.nodes);
    return { name: group.name, count: group.nodes.length, heading, columns, first, ...rect };
  });
  const indexOf = new Map(nodes.map(({ name }, index) => [name, index]));
  return { regions, nodes, indexOf, ...extentOf(placed) };
}

/** The same places with newer cards; undefined where nodes came, went or moved, and the board must be laid out anew. */
export function withNewerCards(layout: BoardLayout, groups: readonly NodeGroup[]): BoardLayout | undefined {
  const nodes = groups.flatMap((group) => group.nodes);
  const same =
    groups.length === layout.regions.length &&
    groups.every(({ name, nodes: { length } }, at) => {
      const region = layout.regions[at];
      return region?.name === name && region.count === length;
    }) &&
    nodes.every(({ name }, index) => layout.nodes[index]?.name === name);
  return same ? { ...layout, nodes } : undefined;
}

/** The tile of a node, without its gap. */
export function tileRect(layout: BoardLayout, index: number): Rect {
  const region = regionOf(layout, index);
  if (!region) return { x: 0, y: 0, width: 0, height: 0 };
  const at = index - region.first;
  return {
    x: region.x + PADDING + (at % region.columns) * TILE_WIDTH + TILE_GAP / 2,
    y: region.y + PADDING + region.heading + Math.floor(at / region.columns) * TILE_HEIGHT + TILE_GAP / 2,
    width: TILE_WIDTH - TILE_GAP,
    height: TILE_HEIGHT - TILE_GAP,
  };
}

function regionOf({ regions }: BoardLayout, index: number): Region | undefined {
  let low = 0;
  let high = regions.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((regions[middle]?.first ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return regions[low];
}

/** Index of the node whose tile (with its gap) holds the point. */
export function nodeIndexAt(layout: BoardLayout, x: number, y: number): number | undefined {
  const region = layout.regions.find((one) => holds(one, x, y));
  if (!region) return undefined;
  const column = Math.floor((x - region.x - PADDING) / TILE_WIDTH);
  const row = Math.floor((y - region.y - PADDING - region.heading) / TILE_HEIGHT);
  if (column < 0 || column >= region.columns || row < 0) return undefined;
  const at = row * region.columns + column;
  return at < region.count ? region.first + at : undefined;
}

const holds = (rect: Rect, x: number, y: number): boolean =>
  x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;

/** Calls `visit` for every node whose tile may lie in the rectangle; rows that do not are skipped. */
export function forEachTileIn(layout: BoardLayout, view: Rect, visit: (index: number) => void): void {
  for (const region of layout.regions) {
    const [left, right] = span(view.x - region.x - PADDING, view.width, TILE_WIDTH, region.columns);
    const rows = Math.ceil(region.count / region.columns);
    const [top, bottom] = span(view.y - region.y - PADDING - region.heading, view.height, TILE_HEIGHT, rows);
    for (let row = top; row < bottom; row++) {
      const end = Math.min(row * region.columns + right, region.count);
      for (let at = row * region.columns + left; at < end; at++) visit(region.first + at);
    }
  }
}

/** [first, end) of the tiles that a stretch of the plane touches. */
function span(from: number, length: number, tile: number, count: number): readonly [number, number] {
  const first = Math.max(0, Math.floor(from / tile));
  return [first, Math.min(count, Math.ceil((from + length) / tile))];
}
