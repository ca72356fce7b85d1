/** The lanes of the strip, from left to right: a pod's way to its node, then where it waits. */
import type { QueueName } from "../../model/selectors";
import type { IconName } from "../../ui/icons";
import type { MeaningName } from "../../ui/meaning";

export interface Lane {
  readonly name: QueueName;
  /** "way": on the way to a node; "aside": waiting for something. */
  readonly group: "way" | "aside";
  /** Share of the strip's width. */
  readonly grow: number;
  readonly icon?: IconName;
  readonly meaning?: MeaningName;
  /** An empty lane of this kind is left out. */
  readonly optional?: boolean;
}

export const LANES: readonly Lane[] = [
  { name: "activeQ", group: "way", grow: 1.5 },
  { name: "inFlight", group: "way", grow: 1.1 },
  { name: "waiting", group: "way", grow: 1, icon: "waiting", meaning: "waiting" },
  { name: "binding", group: "way", grow: 1.3, icon: "chosen", meaning: "chosen" },
  { name: "backoffQ", group: "aside", grow: 1.2, icon: "backing_off", meaning: "backing_off" },
  { name: "unschedulablePods", group: "aside", grow: 2, icon: "rejected", meaning: "rejected" },
  { name: "gated", group: "aside", grow: 1, icon: "gated" },
];
