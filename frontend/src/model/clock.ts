/**
 * Cluster time, extrapolated from the last word of the server.
 *
 * The server says what the cluster's clock showed (`clock_at`) at a wall clock time
 * (`clock_wall`, its own). `skew` is how far the server's wall clock is ahead of the browser's,
 * learned from the Date header of its answers.
 */
import type { ClusterCard } from "./messages.generated";

export function clusterTime(card: ClusterCard, wall: number, skew = 0): number {
  if (card.state === "paused") return card.clock_at;
  return card.clock_at + Math.max(0, wall + skew - card.clock_wall) * card.speed;
}

/** `HH:MM:SS` in UTC of seconds since the epoch; "" of what is no time at all. */
export function formatTimeOfDay(seconds: number): string {
  if (!(Math.abs(seconds) <= LAST_SECOND)) return "";
  return new Date(seconds * 1000).toISOString().slice(11, 19);
}

/** A `Date` knows no later one. */
const LAST_SECOND = 8.64e12;
