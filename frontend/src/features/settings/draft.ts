/**
 * Settings on their way from the server into fields and back.
 *
 * The page judges no value: what was typed is sent as it is (a number where it is one), and the
 * server's answer names the field that is wrong.
 */
import type { ClusterSettings, SettingsPatch } from "../../transport/api_types";

export const NUMBERS = ["binding_latency_seconds", "binding_failure_rate"] as const;
export const GATES = ["SchedulerQueueingHints", "SchedulerPopFromBackoffQ"] as const;

export type NumberName = (typeof NUMBERS)[number];
export type GateName = (typeof GATES)[number];

export interface Draft {
  readonly numbers: Readonly<Record<NumberName, string>>;
  readonly assume_cache: boolean;
  readonly gates: Readonly<Record<GateName, boolean>>;
}

export function draftOf(settings: ClusterSettings): Draft {
  const { binding_latency_seconds: latency, binding_failure_rate: rate, assume_cache, feature_gates } = settings;
  return {
    numbers: { binding_latency_seconds: String(latency), binding_failure_rate: String(rate) },
    assume_cache,
    gates: {
      SchedulerQueueingHints: feature_gates.SchedulerQueueingHints ?? false,
      SchedulerPopFromBackoffQ: feature_gates.SchedulerPopFromBackoffQ ?? false,
    },
  };
}

/** Only what differs, so that a change made elsewhere meanwhile is not undone. */
export function changesOf(before: Draft, after: Draft): SettingsPatch {
  const numbers = NUMBERS.filter((name) => before.numbers[name] !== after.numbers[name]);
  const gates = GATES.filter((name) => before.gates[name] !== after.gates[name]);
  return {
    ...Object.fromEntries(numbers.map((name) => [name, typed(after.numbers[name])])),
    ...(before.assume_cache === after.assume_cache ? {} : { assume_cache: after.assume_cache }),
    ...(gates.length > 0 && { feature_gates: Object.fromEntries(gates.map((name) => [name, after.gates[name]])) }),
  };
}

function typed(text: string): number | string {
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}
