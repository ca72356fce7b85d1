/**
 * The cluster's timeline as it is drawn: what happened, in columns over cluster time or over changes.
 *
 * The server counts in slots of equally many versions. Over cluster time those are of very different widths (a burst
 * is a moment, an idle hour has no changes at all), so both ways of laying them out are offered, and slots that fall
 * into one column are added up. Times between two versions that are known are interpolated.
 */
export interface Slot {
  readonly first: number;
  readonly last: number;
  readonly begins: number;
  readonly ends: number;
  readonly scheduled: number;
  readonly unschedulable: number;
  readonly errors: number;
  readonly preemptions: number;
  readonly first_sequence: number;
  readonly last_sequence: number;
  readonly bound: number;
  readonly failed_bindings: number;
  readonly pods_created: number;
  readonly pods_deleted: number;
  readonly node_changes: number;
  readonly changes: number;
}

export interface Span {
  readonly first: number;
  readonly last: number;
}

/** What the server tells of the history, as far as it is drawn. */
export interface History extends Span {
  readonly oldest: number;
  readonly newest: number;
  readonly oldest_at: number;
  readonly newest_at: number;
  readonly slots: readonly Slot[];
}

export type Axis = "time" | "changes";

/** From the left edge to the right one: cluster time, or versions. */
export interface Scale {
  readonly axis: Axis;
  readonly from: number;
  readonly to: number;
}

export function scaleOf(history: History, axis: Axis): Scale {
  const { first, last, slots, oldest, newest, oldest_at, newest_at } = history;
  if (axis === "changes") return { axis, from: first, to: Math.max(last, first + 1) };
  const from = first === oldest ? oldest_at : (slots[0]?.begins ?? oldest_at);
  const to = last === newest ? newest_at : (slots.at(-1)?.ends ?? newest_at);
  // Everything at one moment still has a width.
  return { axis, from, to: Math.max(to, from + 1) };
}

/** 0 at the left edge, 1 at the right one. */
export function placeOf({ from, to }: Scale, value: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

export const valueAt = ({ from, to }: Scale, place: number): number =>
  from + Math.min(1, Math.max(0, place)) * (to - from);

/** The version at a place of the scale. */
export function versionAt(history: History, scale: Scale, place: number): number {
  const value = valueAt(scale, place);
  return scale.axis === "changes" ? Math.round(value) : versionAtTime(history, value);
}

/** The newest version that was there at a cluster time, as exactly as the slots tell it. */
export function versionAtTime({ slots, first }: History, at: number): number {
  const slot = slots.findLast(({ begins }) => begins <= at);
  if (!slot) return first;
  if (at >= slot.ends) return slot.last;
  return slot.first + Math.floor(((at - slot.begins) / (slot.ends - slot.begins)) * (slot.last - slot.first));
}

export interface Column extends Slot {
  /** Share of the width where it begins. */
  readonly left: number;
}

type Count = Exclude<keyof Slot, "first" | "last" | "begins" | "ends" | "first_sequence" | "last_sequence">;

const COUNTS: readonly Count[] = [
  "scheduled",
  "unschedulable",
  "errors",
  "preemptions",
  "bound",
  "failed_bindings",
  "pods_created",
  "pods_deleted",
  "node_changes",
  "changes",
];

export function columnsOf(history: History, scale: Scale, count: number): readonly Column[] {
  const columns = new Map<number, Column>();
  for (const slot of history.slots) {
    const place = placeOf(scale, scale.axis === "time" ? slot.begins : slot.first);
    const number = Math.min(count - 1, Math.floor(place * count));
    const before = columns.get(number);
    columns.set(number, before ? merged(before, slot) : { ...slot, left: number / count });
  }
  return [...columns.values()];
}

function merged(column: Column, slot: Slot): Column {
  const sums = Object.fromEntries(COUNTS.map((name) => [name, column[name] + slot[name]]));
  return {
    ...column,
    ...sums,
    last: slot.last,
    ends: slot.ends,
    first_sequence: column.first_sequence || slot.first_sequence,
    last_sequence: slot.last_sequence || column.last_sequence,
  };
}

export const attemptsIn = ({ scheduled, unschedulable, errors }: Slot): number => scheduled + unschedulable + errors;

/** A share of the height: few are seen beside many. */
export const heightOf = (count: number, most: number): number => (most === 0 ? 0 : Math.sqrt(count / most));

/** Fewer versions than this are not zoomed into. */
const LEAST_SPAN = 8;

/** `factor` below 1 shows less; what is at `version` stays where it is. Undefined: all of it. */
export function zoomed(history: History, factor: number, version: number): Span | undefined {
  const { first, last, oldest, newest } = history;
  const width = Math.max(LEAST_SPAN, Math.round((last - first) * factor));
  if (width >= newest - oldest) return undefined;
  const share = last === first ? 0.5 : Math.min(1, Math.max(0, (version - first) / (last - first)));
  return within(history, Math.round(version - share * width), width);
}

/** The same width, moved by a share of it. */
export function panned(history: History, share: number): Span | undefined {
  const width = history.last - history.first;
  return width >= history.newest - history.oldest
    ? undefined
    : within(history, history.first + Math.round(share * width), width);
}

function within({ oldest, newest }: History, wanted: number, width: number): Span {
  const first = Math.max(oldest, Math.min(newest - width, wanted));
  return { first, last: Math.min(newest, first + width) };
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];

/** Round values between the edges, `most` at the most. */
export function ticksOf({ axis, from, to }: Scale, most: number): readonly number[] {
  const least = (to - from) / Math.max(1, most);
  const step = axis === "time" ? (STEPS.find((one) => one >= least) ?? wholeDays(least)) : roundStep(least);
  const ticks: number[] = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
  return ticks;
}

const wholeDays = (least: number): number => Math.ceil(least / 86_400) * 86_400;

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}
