/** Finds nodes, pods and workloads by name, namespace or label; names that begin with the text come first. */
import type { ClusterState, Uid } from "./state";

export interface Hit {
  readonly kind: "node" | "pod" | "workload";
  readonly uid: Uid;
  readonly name: string;
  /** Where it is: a zone, a namespace. */
  readonly place: string;
}

interface Searched extends Hit {
  readonly labels: Readonly<Record<string, string>>;
}

const MOST_HITS = 12;

export function search(state: ClusterState, text: string): readonly Hit[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  const ranked: { rank: number; hit: Hit }[] = [];
  for (const item of searched(state)) {
    const rank = rankOf(item, wanted);
    if (rank > 0) ranked.push({ rank, hit: { kind: item.kind, uid: item.uid, name: item.name, place: item.place } });
  }
  return ranked
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MOST_HITS)
    .map(({ hit }) => hit);
}

function* searched(state: ClusterState): Iterable<Searched> {
  for (const { uid, name, zone, labels } of state.nodes.values())
    yield { kind: "node", uid, name, place: zone, labels };
  for (const { uid, name, namespace, workload_kind } of state.workloads.values()) {
    yield { kind: "workload", uid, name, place: `${workload_kind} · ${namespace}`, labels: {} };
  }
  for (const { uid, name, namespace, labels } of state.pods.values()) {
    yield { kind: "pod", uid, name, place: namespace, labels };
  }
}

function rankOf({ name, place, labels }: Searched, wanted: string): number {
  const lower = name.toLowerCase();
  if (lower === wanted) return 4;
  if (lower.startsWith(wanted)) return 3;
  if (lower.includes(wanted) || `${place}/${name}`.toLowerCase().includes(wanted)) return 2;
  return Object.entries(labels).some(([key, value]) => `${key}=${value}`.toLowerCase().includes(wanted)) ? 1 : 0;
}
