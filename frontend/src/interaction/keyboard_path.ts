/** Which node an arrow key leads to, from where a dragged thing or the focus is. */
import { type BoardLayout, nodeIndexAt, TILE_HEIGHT, TILE_WIDTH, tileRect } from "../model/board_layout";

export interface Spot {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export type ArrowKey = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

const DIRECTIONS: Readonly<Record<ArrowKey, readonly [x: number, y: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

export const isArrowKey = (key: string): key is ArrowKey => key in DIRECTIONS;

/** Distance sideways counts double, so that a row is walked before the next one is entered. */
const SIDEWAYS = 2;

/** The nearest spot in the key's direction, or undefined where there is none. */
export function nextSpot<S extends Spot>(
  from: { readonly x: number; readonly y: number },
  key: ArrowKey,
  spots: readonly S[],
): S | undefined {
  const [dx, dy] = DIRECTIONS[key];
  let best: { spot: S; cost: number } | undefined;
  for (const spot of spots) {
    const [x, y] = [spot.x - from.x, spot.y - from.y];
    const ahead = x * dx + y * dy;
    if (ahead <= 1) continue;
    const cost = ahead + SIDEWAYS * Math.abs(x * dy + y * dx);
    if (!best || cost < best.cost) best = { spot, cost };
  }
  return best?.spot;
}

/** On a laid out board: the tile beside it, else the nearest tile of another region; itself at the edge. */
export function neighbourTile(layout: BoardLayout, index: number, key: ArrowKey): number {
  const [dx, dy] = DIRECTIONS[key];
  const from = middleOf(layout, index);
  const beside = nodeIndexAt(layout, from.x + dx * TILE_WIDTH, from.y + dy * TILE_HEIGHT);
  if (beside !== undefined) return beside;
  const spots = layout.nodes.map((_, id) => ({ id: String(id), ...middleOf(layout, id) }));
  return Number(nextSpot(from, key, spots)?.id ?? index);
}

function middleOf(layout: BoardLayout, index: number): { readonly x: number; readonly y: number } {
  const { x, y, width, height } = tileRect(layout, index);
  return { x: x + width / 2, y: y + height / 2 };
}
