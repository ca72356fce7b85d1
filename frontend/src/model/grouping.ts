/**
 * Nodes in groups: by zone, by instance type, by any label, or all in one.
 *
 * A way of grouping is a label key; "" is none. Within a group control-plane nodes come first, then
 * names as people sort them; nodes without the label are the last group.
 */
import type { NodeCard } from "./messages.generated";
import { byName } from "./names";
import { own } from "./own";
import { memoised } from "./selectors";

export const ZONE_LABEL = "topology.kubernetes.io/zone";
export const INSTANCE_TYPE_LABEL = "node.kubernetes.io/instance-type";
export const HOSTNAME_LABEL = "kubernetes.io/hostname";

export interface NodeGroup {
  /** The label's value; "" for nodes without the label, and for the one group of no grouping. */
  readonly name: string;
  readonly nodes: readonly NodeCard[];
}

/** More groups than these are no overview; the key is not offered. */
export const MOST_GROUPS = 200;

function controlPlaneFirst(a: NodeCard, b: NodeCard): number {
  return Number(b.roles.includes("control-plane")) - Number(a.roles.includes("control-plane")) || byName(a, b);
}

const unnamedLast = (a: NodeGroup, b: NodeGroup): number =>
  Number(a.name === "") - Number(b.name === "") || byName(a, b);

export function groupNodes(nodes: Iterable<NodeCard>, labelKey: string): readonly NodeGroup[] {
  const groups = new Map<string, NodeCard[]>();
  for (const node of nodes) {
    const name = labelKey === "" ? "" : groupOf(node, labelKey);
    const list = groups.get(name);
    if (list) list.push(node);
    else groups.set(name, [node]);
  }
  return [...groups].map(([name, list]) => ({ name, nodes: list.sort(controlPlaneFirst) })).sort(unnamedLast);
}

/** Which group a node is in. Its zone is also known from the label's older name; the server has looked at both. */
export const groupOf = (node: NodeCard, labelKey: string): string =>
  (labelKey === ZONE_LABEL ? node.zone : undefined) || (own(node.labels, labelKey) ?? "");

/** Label keys worth grouping by: not the hostname, and not as many values as nodes. Zone and instance type first. */
export const selectGroupKeys = memoised(
  (state) => [state.nodes],
  (nodes): readonly string[] => {
    const values = valuesByKey(nodes.values());
    const keys = [...values].filter(([, distinct]) => distinct.size <= MOST_GROUPS).map(([key]) => key);
    return keys.sort((a, b) => rankOf(a) - rankOf(b) || a.localeCompare(b));
  },
);

function valuesByKey(nodes: Iterable<NodeCard>): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  for (const { labels } of nodes) {
    for (const key in labels) {
      if (key === HOSTNAME_LABEL) continue;
      const distinct = values.get(key) ?? new Set();
      if (distinct.size <= MOST_GROUPS) values.set(key, distinct.add(labels[key] ?? ""));
    }
  }
  return values;
}

const rankOf = (key: string): number => {
  const at = [ZONE_LABEL, INSTANCE_TYPE_LABEL].indexOf(key);
  return at < 0 ? 2 : at;
};

let last: { readonly nodes: unknown; readonly key: string; readonly groups: readonly NodeGroup[] } | undefined;

/** The groups of the cluster's nodes; the same array for the same nodes and key. */
export function groupsOf(nodes: ReadonlyMap<string, NodeCard>, labelKey: string): readonly NodeGroup[] {
  if (last?.nodes !== nodes || last.key !== labelKey) {
    last = { nodes, key: labelKey, groups: groupNodes(nodes.values(), labelKey) };
  }
  return last.groups;
}
