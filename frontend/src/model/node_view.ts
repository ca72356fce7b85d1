/** What a node's card shows, computed from its card and its load. */
import type { NodeCard } from "./messages.generated";
import { own } from "./own";
import type { Usage } from "./state";

export interface Bar {
  readonly resource: string;
  readonly requested: number;
  readonly allocatable: number;
  /** 0 to 1, of allocatable. */
  readonly filled: number;
  /** How much more than allocatable is requested; 0 where it fits. */
  readonly over: number;
}

const FIRST = ["cpu", "memory", "pods"];
/** Every node has some and hardly any pod asks for it. */
const QUIET: ReadonlySet<string> = new Set(["ephemeral-storage", "hugepages-1Gi", "hugepages-2Mi"]);

/** Cpu, memory and pods first; then extended resources, and quiet ones only once they are used. */
export function barsOf(node: NodeCard, usage: Usage): readonly Bar[] {
  const names = new Set([...FIRST, ...Object.keys(node.allocatable).sort(), ...Object.keys(usage).sort()]);
  return [...names]
    .map((resource) => barOf(resource, own(usage, resource) ?? 0, own(node.allocatable, resource) ?? 0))
    .filter(({ resource, requested, allocatable }) => requested > 0 || (allocatable > 0 && !QUIET.has(resource)));
}

function barOf(resource: string, requested: number, allocatable: number): Bar {
  const filled = allocatable > 0 ? Math.min(1, requested / allocatable) : Number(requested > 0);
  return { resource, requested, allocatable, filled, over: Math.max(0, requested - allocatable) };
}

/** Labels that say what the card says already. */
const WELL_KNOWN =
  /^(kubernetes\.io\/(hostname|os|arch)|topology\.kubernetes\.io\/|beta\.kubernetes\.io\/|node-role\.kubernetes\.io\/|node\.kubernetes\.io\/exclude-from-external-load-balancers)/;

export function ownLabels(node: NodeCard): readonly (readonly [key: string, value: string])[] {
  return Object.entries(node.labels)
    .filter(([key]) => !WELL_KNOWN.test(key))
    .sort(([a], [b]) => a.localeCompare(b));
}

/** `key=value:Effect`, as kubectl writes a taint. */
export function taintText({ key, value, effect }: NodeCard["taints"][number]): string {
  return `${key}${value ? `=${value}` : ""}:${effect}`;
}
