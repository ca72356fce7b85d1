/** Sums up the pods of one node, in the order in which they were created. */

import type { PodCard } from "./messages.generated";
import { compareNames } from "./names";
import { own } from "./own";
import { isTerminal, type NodeLoad, type Usage } from "./state";

function usageOf(pods: readonly PodCard[]): Usage {
  const usage: Record<string, number> = { pods: 0 };
  for (const pod of pods) {
    if (isTerminal(pod)) continue;
    usage.pods = (usage.pods ?? 0) + 1;
    for (const [name, amount] of Object.entries(pod.requests)) usage[name] = (own(usage, name) ?? 0) + amount;
  }
  return usage;
}

/** The server writes all times alike, so their texts compare as they do. */
function byAge(a: PodCard, b: PodCard): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return compareNames(a.name, b.name);
}

export function loadOf(pods: readonly PodCard[]): NodeLoad {
  return { pods: [...pods].sort(byAge), usage: usageOf(pods) };
}

/** Loads of all nodes, from all pods: used once per snapshot. */
export function loadsOf(pods: Iterable<PodCard>): Map<string, NodeLoad> {
  const byNode = new Map<string, PodCard[]>();
  for (const pod of pods) {
    if (!pod.node_name) continue;
    const list = byNode.get(pod.node_name);
    if (list) list.push(pod);
    else byNode.set(pod.node_name, [pod]);
  }
  return new Map([...byNode].map(([node, list]) => [node, loadOf(list)]));
}
