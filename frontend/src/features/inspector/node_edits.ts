/** What a person types to label or taint a node, read as kubectl reads it. */
import type { NodeCard } from "../../model/messages.generated";

export type Parsed<T> = { readonly value: T } | { readonly problem: "label" | "taint" | "effect" };

export interface Label {
  readonly key: string;
  readonly value: string;
}

const KEY = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** `key=value` or `key`. */
export function parseLabel(text: string): Parsed<Label> {
  const [key = "", ...rest] = text.trim().split("=");
  return KEY.test(key) ? { value: { key, value: rest.join("=") } } : { problem: "label" };
}

const EFFECTS: ReadonlySet<string> = new Set(["NoSchedule", "PreferNoSchedule", "NoExecute"]);

/** `key=value:Effect` or `key:Effect`. */
export function parseTaint(text: string): Parsed<NodeCard["taints"][number]> {
  const colon = text.lastIndexOf(":");
  if (colon < 0) return { problem: "taint" };
  const effect = text.slice(colon + 1).trim();
  const label = parseLabel(text.slice(0, colon));
  if ("problem" in label) return { problem: "taint" };
  return EFFECTS.has(effect) ? { value: { ...label.value, effect } } : { problem: "effect" };
}
