/** How long to wait before the next try: doubling, bounded, with jitter so that pages do not return as one. */
export interface Backoff {
  readonly first: number;
  readonly longest: number;
}

export const RECONNECT: Backoff = { first: 250, longest: 8000 };

/** Milliseconds before try number `attempt` (1 is the first); `random` is in [0, 1). */
export function delayBefore(attempt: number, random: number, { first, longest }: Backoff = RECONNECT): number {
  const full = Math.min(longest, first * 2 ** Math.min(attempt - 1, 20));
  return Math.round(full * (0.75 + random * 0.5));
}
