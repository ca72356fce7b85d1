/**
 * Reads of the state that more than one panel needs.
 *
 * Those that build lists are memoised on the maps they read, so that a component asking for
 * "pods in activeQ" renders only when the queue changed.
 */
import type { EventCard, NodeCard, PodCard, QueuedPodCard, WorkloadCard } from "./messages.generated";
import { byNamespaceAndName } from "./names";
import { type ClusterState, NO_LOAD, type NodeLoad, type NumberedMove, type Uid } from "./state";

export type QueueName = QueuedPodCard["queue"];

/** A selector that computes again only when one of its inputs is another object. */
export function memoised<const I extends unknown[], R>(
  inputs: (state: ClusterState) => [...I],
  compute: (...input: I) => R,
): (state: ClusterState) => R {
  let last: { input: I; result: R } | undefined;
  return (state) => {
    const input = inputs(state);
    if (!last || input.some((value, index) => value !== last?.input[index])) {
      last = { input, result: compute(...input) };
    }
    return last.result;
  };
}

export const selectLanes = memoised(
  (state) => [state.queue, state.rivals],
  (queue, rivals): Readonly<Record<QueueName, readonly QueuedPodCard[]>> => {
    const lanes: Record<QueueName, QueuedPodCard[]> = {
      activeQ: [],
      backoffQ: [],
      unschedulablePods: [],
      gated: [],
      inFlight: [],
      waiting: [],
      binding: [],
    };
    for (const card of [...queue.values(), ...[...rivals.values()].flat()]) lanes[card.queue].push(card);
    for (const lane of Object.values(lanes)) lane.sort((a, b) => a.position - b.position);
    return lanes;
  },
);

/** The scheduler that every cluster has. */
export const FIRST_SCHEDULER = "kube-scheduler";

/** Whether the page shows work of more than the cluster's first scheduler, so that each has to be told by its name. */
export const selectSeveralSchedulers = memoised(
  (state) => [state.queue, state.decisions],
  (queue, decisions): boolean =>
    [...queue.values(), ...decisions].some(({ scheduler }) => scheduler !== "" && scheduler !== FIRST_SCHEDULER),
);

export function loadOfNode(state: ClusterState, name: string): NodeLoad {
  return state.loads.get(name) ?? NO_LOAD;
}

export const selectNodesByName = memoised(
  (state) => [state.nodes],
  (nodes): ReadonlyMap<string, NodeCard> => new Map([...nodes.values()].map((node) => [node.name, node])),
);

export const selectBoundCount = memoised(
  (state) => [state.loads],
  (loads): number => [...loads.values()].reduce((sum, load) => sum + load.pods.length, 0),
);

/** Pods whose node was deleted: no card has them, until the garbage collector of pods comes for them. */
export const selectStrandedCount = memoised(
  (state) => [state.loads, state.nodes],
  (loads, nodes): number => {
    const names = new Set([...nodes.values()].map(({ name }) => name));
    return [...loads].reduce((sum, [node, load]) => sum + (names.has(node) ? 0 : load.pods.length), 0);
  },
);

/** Pods that are not bound and that no queue of a scheduler holds (another schedulerName, say). */
export const selectUnqueuedPods = memoised(
  (state) => [state.unbound, state.queue],
  (pods, queue): readonly PodCard[] =>
    [...pods.values()].filter((pod) => pod.phase === "Pending" && !queue.has(pod.uid)),
);

export const selectWorkloads = memoised(
  (state) => [state.workloads],
  (workloads): readonly WorkloadCard[] => [...workloads.values()].sort(byNamespaceAndName),
);

/** Newest first. */
export const selectEvents = memoised(
  (state) => [state.events],
  (events): readonly EventCard[] => [...events.values()].sort((a, b) => b.resource_version - a.resource_version),
);

/** A pod that is on its way to a node, or expected there, and not bound yet. */
export interface IncomingPod {
  readonly uid: Uid;
  readonly name: string;
  readonly why: "binding" | "waiting" | "nominated";
}

/** By node name. */
export const selectIncoming = memoised(
  (state) => [state.queue, state.unbound],
  (queue, pods): ReadonlyMap<string, readonly IncomingPod[]> => {
    const incoming = new Map<string, IncomingPod[]>();
    const add = (node: string, pod: IncomingPod) => incoming.set(node, [...(incoming.get(node) ?? []), pod]);
    for (const { pod, queue: name, node } of queue.values()) {
      // Between the API server's answer and its own note of it a pod is bound, and binding still.
      if (node && pods.has(pod.uid) && (name === "binding" || name === "waiting"))
        add(node, { uid: pod.uid, name: pod.name, why: name });
    }
    for (const pod of pods.values()) {
      if (pod.nominated_node_name) {
        add(pod.nominated_node_name, { uid: pod.uid, name: pod.name, why: "nominated" });
      }
    }
    return incoming;
  },
);

/** By pod uid: the last move that the page saw. */
export const selectLastMoves = memoised(
  (state) => [state.moves],
  (moves): ReadonlyMap<Uid, NumberedMove> => new Map(moves.map((entry) => [entry.move.pod.uid, entry])),
);
