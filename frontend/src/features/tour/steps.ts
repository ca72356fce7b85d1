/**
 * The steps of the tour, and how one gets from one to the next.
 *
 * A step points at an element that is really there; one whose element is not (a panel was put away)
 * is told in the middle of the page instead of being left out.
 */
export const STEPS = ["palette", "queue", "board", "inspector", "clock"] as const;

export type Step = (typeof STEPS)[number];

/** Where each is found. */
export const TARGETS: Readonly<Record<Step, string>> = {
  palette: "[data-template-kind=Pod]",
  queue: "[data-tour=queue]",
  board: "[data-tour=board]",
  inspector: "[data-side=right]",
  clock: "[data-testid=pause]",
};

/** Undefined after the last one. */
export const stepAfter = (step: Step): Step | undefined => STEPS[STEPS.indexOf(step) + 1];
/** Undefined before the first one. */
export const stepBefore = (step: Step): Step | undefined => STEPS[STEPS.indexOf(step) - 1];

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Place {
  readonly left: number;
  readonly top: number;
}

const GAP = 12;
const EDGE = 8;

/**
 * Where the card stands: beside its target if there is room, on whichever side has the most of it;
 * over a target that fills the page, in its middle.
 */
export function cardPlace(target: Box | undefined, card: Size, page: Size): Place {
  if (!target) return middle({ left: 0, top: 0, ...page }, card);
  const right = target.left + target.width;
  const bottom = target.top + target.height;
  const room = {
    right: page.width - right - card.width,
    left: target.left - card.width,
    below: page.height - bottom - card.height,
    above: target.top - card.height,
  };
  const least = GAP + EDGE;
  const level = { left: target.left + target.width / 2 - card.width / 2, top: target.top };
  if (room.right >= least) return inside({ left: right + GAP, top: level.top }, card, page);
  if (room.left >= least) return inside({ left: target.left - GAP - card.width, top: level.top }, card, page);
  if (room.below >= least) return inside({ left: level.left, top: bottom + GAP }, card, page);
  if (room.above >= least) return inside({ left: level.left, top: target.top - GAP - card.height }, card, page);
  return inside(middle(target, card), card, page);
}

const middle = (box: Box, card: Size): Place => ({
  left: box.left + (box.width - card.width) / 2,
  top: box.top + (box.height - card.height) / 2,
});

function inside({ left, top }: Place, card: Size, page: Size): Place {
  return {
    left: Math.max(EDGE, Math.min(left, page.width - card.width - EDGE)),
    top: Math.max(EDGE, Math.min(top, page.height - card.height - EDGE)),
  };
}
