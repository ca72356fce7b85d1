/**
 * What would make a pod schedulable: the nodes where the least would have to change.
 *
 * Fewer rejecting plugins are nearer; among them those with the least missing, as a share of what the
 * node has at all, so that 100m of 4 CPUs and 1Gi of 64Gi can be compared. Nodes that ask for the same
 * changes are told once, as a group.
 */
import type { NodeCard } from "./messages.generated";
import { own } from "./own";
import type { Usage } from "./state";

export interface Rejection {
  readonly plugin: string;
  readonly reasons: readonly string[];
  readonly remedies: readonly string[];
}

export interface RejectedNode {
  readonly node: string;
  readonly rejections: readonly Rejection[];
  /** What is missing, as a share of the node's allocatable; 0 where nothing that can be counted is. */
  readonly missing: number;
}

export interface NearGroup {
  readonly nodes: readonly string[];
  readonly rejections: readonly Rejection[];
  readonly missing: number;
}

/** Nearest first. */
export function nearest(rejected: readonly RejectedNode[]): readonly NearGroup[] {
  const groups = new Map<string, { nodes: string[]; rejections: readonly Rejection[]; missing: number }>();
  for (const { node, rejections, missing } of rejected) {
    const key = JSON.stringify(rejections);
    const group = groups.get(key);
    if (group) {
      group.nodes.push(node);
      group.missing = Math.min(group.missing, missing);
    } else groups.set(key, { nodes: [node], rejections, missing });
  }
  return [...groups.values()].sort(
    (a, b) => a.rejections.length - b.rejections.length || a.missing - b.missing || b.nodes.length - a.nodes.length,
  );
}

/** Of every resource that does not suffice: how much is missing, as a share of what there is; summed. */
export function missingShare(
  requests: Readonly<Record<string, number>>,
  allocatable: NodeCard["allocatable"],
  usage: Usage,
): number {
  return Object.entries(requests).reduce((sum, [resource, wanted]) => {
    const there = own(allocatable, resource) ?? 0;
    const missing = wanted - (there - (own(usage, resource) ?? 0));
    // Where a node has none of it at all, the whole request is missing.
    return missing > 0 ? sum + missing / (there || missing) : sum;
  }, 0);
}
