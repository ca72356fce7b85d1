/**
 * Finds nodes, pods and workloads by the filter language; names that begin with the text come first.
 *
 * Workloads have no words of their own in the language: they are found by free text.
 */
import { parseQuery, type Query } from "./filter_language";
import { selectNodesByName } from "./selectors";
import type { ClusterState, Uid } from "./state";

export interface Hit {
  readonly kind: "node" | "pod" | "workload";
  readonly uid: Uid;
  readonly name: string;
  /** Where it is: a zone, a namespace. */
  readonly place: string;
}

const MOST_HITS = 12;

export function search(state: ClusterState, text: string): readonly Hit[] {
  const query = parseQuery(text);
  if (query.isEmpty) return [];
  const wanted = text.trim().toLowerCase();
  const ranks: Hit[][] = [[], [], [], []];
  for (const hit of hits(state, query, wanted)) ranks[rankOf(hit, wanted)]?.push(hit);
  return ranks.flatMap((rank) => rank.slice(0, MOST_HITS)).slice(0, MOST_HITS);
}

function* hits(state: ClusterState, query: Query, wanted: string): Iterable<Hit> {
  for (const node of state.nodes.values()) {
    if (query.matches({ kind: "node", node })) yield { kind: "node", uid: node.uid, name: node.name, place: node.zone };
  }
  for (const { uid, name, namespace, workload_kind } of state.workloads.values()) {
    const place = `${workload_kind} · ${namespace}`;
    const isFound = !query.hasOperators && `${namespace}/${name}`.toLowerCase().includes(wanted);
    if (isFound) yield { kind: "workload", uid, name, place };
  }
  const nodes = selectNodesByName(state);
  for (const pod of state.pods.values()) {
    const subject = {
      kind: "pod",
      pod,
      node: nodes.get(pod.node_name),
      queue: state.queue.get(pod.uid)?.queue,
    } as const;
    if (query.matches(subject)) yield { kind: "pod", uid: pod.uid, name: pod.name, place: pod.namespace };
  }
}

/** 0 is best. */
function rankOf({ name }: Hit, wanted: string): number {
  const lower = name.toLowerCase();
  if (lower === wanted) return 0;
  if (lower.startsWith(wanted)) return 1;
  return lower.includes(wanted) ? 2 : 3;
}
