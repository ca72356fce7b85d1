/**
 * Shows a pod's journey: a ghost goes from where its ticket was, through the lanes it entered, to
 * where it is now: its ticket, or its node's card on the board.
 *
 * Only pictures of pods move; the page itself is already in its new state and answers at once.
 * With reduced motion the place of arrival lights up instead.
 */
import type { Journey } from "./journey";
import { moveWhy } from "./move_text";

const LEG_MS = 200;
const LONGEST_MS = 700;

export interface Places {
  /** Where the ticket was before the change. */
  readonly before: DOMRect | undefined;
  readonly lane: (name: string) => Element | null;
  readonly ticket: Element | null;
  /** The card of the node the pod was bound to. */
  readonly node: Element | null;
}

export function fly(journey: Journey, places: Places, ghostClass: string): void {
  const last = journey.lanes.at(-1) ?? "";
  // A ticket that is scrolled out of its lane has its lane.
  const destination = last === "bound" ? places.node : (places.ticket ?? places.lane(last));
  if (!destination) return;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    light(destination);
    return;
  }
  const points = pointsOf(journey, places, destination);
  if (points.length < 2) return;
  const duration = Math.min(LONGEST_MS, LEG_MS * (points.length - 1));
  if (destination === places.ticket) appearAfter(destination, duration);
  launch(journey, points, duration, ghostClass);
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const corner = (rect: DOMRect): Point => ({ x: rect.left + 4, y: rect.top });

function pointsOf({ lanes }: Journey, { before, lane }: Places, destination: Element): Point[] {
  const between = lanes.slice(0, -1).map((name) => lane(name));
  const passed = between.filter((element) => element !== null).map((element) => below(element.getBoundingClientRect()));
  const points = [...(before ? [corner(before)] : []), ...passed, corner(destination.getBoundingClientRect())];
  return points.filter((point, index) => index === 0 || !isSame(point, points[index - 1]));
}

const below = (rect: DOMRect): Point => ({ x: rect.left + 10, y: rect.top + 30 });
const isSame = (a: Point, b: Point | undefined) => b !== undefined && Math.abs(a.x - b.x) + Math.abs(a.y - b.y) < 3;

function launch(journey: Journey, points: readonly Point[], duration: number, ghostClass: string): void {
  const ghost = document.createElement("div");
  ghost.className = ghostClass;
  ghost.append(journey.name);
  if (journey.last) {
    const why = document.createElement("small");
    why.textContent = moveWhy(journey.last);
    ghost.append(why);
  }
  ghost.setAttribute("aria-hidden", "true");
  document.body.append(ghost);
  const frames = points.map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)`, easing: "ease-out" }));
  const animation = ghost.animate(frames, { duration });
  animation.onfinish = () => ghost.remove();
  animation.oncancel = () => ghost.remove();
}

function appearAfter(element: Element, duration: number): void {
  element.animate([{ opacity: 0 }, { opacity: 0, offset: 0.9 }, { opacity: 1 }], { duration });
}

function light(element: Element): void {
  element.animate([{ outline: "2px solid var(--accent)" }, { outline: "2px solid transparent" }], { duration: 600 });
}
