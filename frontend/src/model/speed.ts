/** Speeds of a clock: from a tenth to a hundred times, in even steps to the eye. */
export const SPEEDS: readonly number[] = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** The place in `SPEEDS` that is nearest to a speed, which may be any. */
export function speedStep(speed: number): number {
  const distance = (step: number) => Math.abs(Math.log(step / speed));
  const nearest = SPEEDS.reduce((best, step) => (distance(step) < distance(best) ? step : best));
  return SPEEDS.indexOf(nearest);
}

/** The next speed of the list above or below. */
export function nextSpeed(speed: number, by: 1 | -1): number {
  const found = by === 1 ? SPEEDS.find((step) => step > speed) : SPEEDS.findLast((step) => step < speed);
  return found ?? (by === 1 ? Math.max(speed, 100) : Math.min(speed, 0.1));
}
