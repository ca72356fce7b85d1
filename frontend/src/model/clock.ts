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

/** `mm:ss` or `h:mm:ss` of a span in seconds. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${two(minutes)}:${two(rest)}`;
}

/** `12s`, `3m4s`, `2h`, `5d`: an age as kubectl writes it. */
export function formatAge(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 120) return `${whole}s`;
  if (whole < 600) return `${Math.floor(whole / 60)}m${whole % 60 ? `${whole % 60}s` : ""}`;
  if (whole < 10_800) return `${Math.floor(whole / 60)}m`;
  if (whole < 172_800) return `${Math.floor(whole / 3600)}h`;
  return `${Math.floor(whole / 86_400)}d`;
}

/** `HH:MM:SS` in UTC of seconds since the epoch; "" of what is no time at all. */
export function formatTimeOfDay(seconds: number): string {
  if (!(Math.abs(seconds) <= LAST_SECOND)) return "";
  return new Date(seconds * 1000).toISOString().slice(11, 19);
}

/** A `Date` knows no later one. */
const LAST_SECOND = 8.64e12;
