/**
 * Pan and zoom of a plane: what part of it is in view, how large.
 *
 * `screen = plane * scale + offset`. Pure; zooming keeps the point under the hand where it is, and
 * the plane cannot be pushed out of sight.
 */
import type { Rect, Size } from "../model/board_layout";

export interface Viewport {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Bounds {
  readonly content: Size;
  readonly view: Size;
}

/** Pixels around the whole board when it is fitted. */
export const FIT_MARGIN = 12;
export const MOST_SCALE = 6;
/** The whole board at half the size that fits: enough to see its edges. */
const LEAST_OF_FIT = 0.6;
/** A small cluster is not blown up. */
const MOST_FIT = 3;
/** Of the plane, stays in view whatever the hand does. */
const KEPT_PIXELS = 80;

export function fitted({ content, view }: Bounds): Viewport {
  const scale = fittedScale({ content, view });
  return {
    scale,
    x: (view.width - content.width * scale) / 2,
    y: Math.max(FIT_MARGIN, (view.height - content.height * scale) / 2),
  };
}

function fittedScale({ content, view }: Bounds): number {
  if (content.width <= 0 || content.height <= 0) return 1;
  const width = Math.max(1, view.width - 2 * FIT_MARGIN) / content.width;
  const height = Math.max(1, view.height - 2 * FIT_MARGIN) / content.height;
  return Math.min(width, height, MOST_FIT);
}

export function zoomedAt(from: Viewport, factor: number, at: { x: number; y: number }, bounds: Bounds): Viewport {
  const least = Math.min(fittedScale(bounds) * LEAST_OF_FIT, 1);
  const scale = Math.min(Math.max(from.scale * factor, least), MOST_SCALE);
  const ratio = scale / from.scale;
  return kept({ scale, x: at.x - (at.x - from.x) * ratio, y: at.y - (at.y - from.y) * ratio }, bounds);
}

export function panned(from: Viewport, dx: number, dy: number, bounds: Bounds): Viewport {
  return kept({ ...from, x: from.x + dx, y: from.y + dy }, bounds);
}

function kept(wanted: Viewport, { content, view }: Bounds): Viewport {
  const between = (offset: number, extent: number, room: number) => {
    const least = Math.min(KEPT_PIXELS, extent) - extent;
    return Math.min(Math.max(offset, least), room - Math.min(KEPT_PIXELS, extent));
  };
  return {
    scale: wanted.scale,
    x: between(wanted.x, content.width * wanted.scale, view.width),
    y: between(wanted.y, content.height * wanted.scale, view.height),
  };
}

/** Moves as little as needed to have the rectangle in view. */
export function revealing(from: Viewport, rect: Rect, bounds: Bounds): Viewport {
  const shift = (start: number, length: number, room: number) => {
    if (start < FIT_MARGIN) return FIT_MARGIN - start;
    return Math.min(0, room - FIT_MARGIN - (start + length));
  };
  const dx = shift(rect.x * from.scale + from.x, rect.width * from.scale, bounds.view.width);
  const dy = shift(rect.y * from.scale + from.y, rect.height * from.scale, bounds.view.height);
  return dx === 0 && dy === 0 ? from : panned(from, dx, dy, bounds);
}

/** The part of the plane that is in view. */
export function planeIn({ scale, x, y }: Viewport, view: Size): Rect {
  return { x: -x / scale, y: -y / scale, width: view.width / scale, height: view.height / scale };
}
