/** What a column or a mark of the timeline tells, in words. */
import { t } from "../../app/messages";
import { formatTimeOfDay } from "../../model/clock";
import type { Slot } from "../../model/timeline";
import type { TimelineMark } from "../../transport/history_api";
import type { IconName } from "../../ui/icons";

/** In the order in which they are told. */
export const COUNTS = [
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
] as const;

export function spanText({ begins, ends }: Slot): string {
  const [from, until] = [formatTimeOfDay(begins), formatTimeOfDay(ends)];
  return from === until ? from : `${from} – ${until}`;
}

/** For a tooltip: a line a count. */
export function columnText(column: Slot): string {
  const counts = COUNTS.filter((name) => column[name] > 0).map(
    (name) => `${t.timeline.counts[name]}\t${t.number(column[name])}`,
  );
  return [spanText(column), ...counts].join("\n");
}

export const markText = ({ what, name }: TimelineMark): string => t.timeline.what[what]?.(name) ?? `${what} ${name}`;

const ICONS: Readonly<Record<string, IconName>> = {
  "node-added": "node",
  "node-removed": "rejected",
  preemption: "victim",
  paused: "pause",
  resumed: "play",
  speed: "step",
};

export const markIcon = ({ what }: TimelineMark): IconName => ICONS[what] ?? "info";
