/**
 * Mouse, touch and wheel on a plane as pans, zooms and clicks.
 *
 * Dragging pans; two fingers pinch; the wheel scrolls, with Ctrl (a trackpad's pinch looks so) it zooms. A press
 * that hardly moved is a click.
 */
import type { Point } from "./canvas_board";

export interface Plane {
  readonly pan: (dx: number, dy: number) => void;
  readonly zoom: (factor: number, at: Point) => void;
  readonly click: (at: Point) => void;
  /** Whether something lies there that is dragged itself: the plane stays. */
  readonly isTaken: (at: Point) => boolean;
  readonly hover: (at: Point | undefined) => void;
}

const CLICK_PIXELS = 4;
/** A notch of a mouse wheel is 100 or 120. */
const WHEEL_PER_DOUBLING = 240;
const LINE_PIXELS = 16;

export function listenToGestures(element: HTMLElement, plane: Plane): () => void {
  const gestures = new Gestures(element, plane);
  const stop = new AbortController();
  const { signal } = stop;
  element.addEventListener("pointerdown", (event) => gestures.down(event), { signal });
  element.addEventListener("pointermove", (event) => gestures.move(event), { signal });
  element.addEventListener("pointerup", (event) => gestures.up(event), { signal });
  element.addEventListener("pointercancel", (event) => gestures.forget(event), { signal });
  element.addEventListener("pointerleave", () => plane.hover(undefined), { signal });
  element.addEventListener("wheel", (event) => gestures.wheel(event), { signal, passive: false });
  return () => stop.abort();
}

/** Buttons that lie on the plane are no part of it. */
const isOnControl = ({ target }: Event): boolean => target instanceof Element && target.closest("button") !== null;

class Gestures {
  private readonly pointers = new Map<number, Point>();
  private travelled = 0;
  private taken = false;

  constructor(
    private readonly element: HTMLElement,
    private readonly plane: Plane,
  ) {}

  private at({ clientX, clientY }: { clientX: number; clientY: number }): Point {
    const { left, top } = this.element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  down(event: PointerEvent): void {
    if (event.button !== 0 || isOnControl(event)) return;
    if (this.pointers.size === 0) {
      this.travelled = 0;
      this.taken = this.plane.isTaken(this.at(event));
    }
    this.pointers.set(event.pointerId, this.at(event));
  }

  move(event: PointerEvent): void {
    const to = this.at(event);
    const from = this.pointers.get(event.pointerId);
    if (!from) {
      this.plane.hover(isOnControl(event) ? undefined : to);
      return;
    }
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    this.pointers.set(event.pointerId, to);
    this.travelled += Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
    if (others[0]) this.pinch(others[0], from, to);
    else if (this.travelled > CLICK_PIXELS && !this.taken) this.drag(event, from, to);
  }

  private drag(event: PointerEvent, from: Point, to: Point): void {
    if (!this.element.hasPointerCapture(event.pointerId)) this.element.setPointerCapture(event.pointerId);
    this.plane.hover(undefined);
    this.plane.pan(to.x - from.x, to.y - from.y);
  }

  /** Half of the way of one finger is the way of the middle between two. */
  private pinch(still: Point, from: Point, to: Point): void {
    const before = Math.hypot(from.x - still.x, from.y - still.y);
    const after = Math.hypot(to.x - still.x, to.y - still.y);
    this.plane.pan((to.x - from.x) / 2, (to.y - from.y) / 2);
    if (before > 0) this.plane.zoom(after / before, { x: (to.x + still.x) / 2, y: (to.y + still.y) / 2 });
  }

  up(event: PointerEvent): void {
    const was = this.pointers.delete(event.pointerId);
    if (was && this.pointers.size === 0 && this.travelled <= CLICK_PIXELS) this.plane.click(this.at(event));
  }

  forget(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
  }

  wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PIXELS : 1;
    this.plane.hover(undefined);
    if (event.ctrlKey || event.metaKey) {
      this.plane.zoom(2 ** ((-event.deltaY * unit) / WHEEL_PER_DOUBLING), this.at(event));
      return;
    }
    const [dx, dy] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY];
    this.plane.pan(-dx * unit, -dy * unit);
  }
}
