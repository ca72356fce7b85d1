/**
 * A cluster as the page knows it: the last snapshot plus every message since.
 *
 * The state is immutable and shares what did not change, so that a component may compare by
 * identity: a node whose pods did not change keeps the very same `pods` array. `apply_event.ts`
 * is the only code that makes a new state.
 */
import type {
  BindingCard,
  ClusterCard,
  DecisionSummary,
  EventCard,
  NodeCard,
  ObjectCard,
  PodCard,
  QueuedPodCard,
  QueueMove,
  WorkloadCard,
} from "./messages.generated";

export type Uid = string;

/** What the pods bound to a node request, in canonical integers; `pods` counts them. */
export type Usage = Readonly<Record<string, number>>;

/** A node's pods and their sum, kept up to date as pods come and go. */
export interface NodeLoad {
  readonly pods: readonly PodCard[];
  readonly usage: Usage;
}

/** A queue move with the version of the message that told it. */
export interface NumberedMove {
  readonly id: number;
  readonly version: number;
  readonly move: QueueMove;
}

export interface ClusterState {
  readonly version: number;
  readonly cluster: ClusterCard;
  readonly nodes: ReadonlyMap<Uid, NodeCard>;
  readonly pods: ReadonlyMap<Uid, PodCard>;
  /** Those of `pods` that have no node: few of many, and what the queue is about. */
  readonly unbound: ReadonlyMap<Uid, PodCard>;
  readonly workloads: ReadonlyMap<Uid, WorkloadCard>;
  readonly events: ReadonlyMap<Uid, EventCard>;
  readonly objects: ReadonlyMap<Uid, ObjectCard>;
  /** By pod uid. */
  readonly queue: ReadonlyMap<Uid, QueuedPodCard>;
  /** Cards of pods that `queue` shows already: further schedulers are after the same pod. By pod uid. */
  readonly rivals: ReadonlyMap<Uid, readonly QueuedPodCard[]>;
  /** By pod uid; a bound pod's binding stays until the pod is deleted. */
  readonly bindings: ReadonlyMap<Uid, BindingCard>;
  /** Oldest first, at most MAX_DECISIONS. */
  readonly decisions: readonly DecisionSummary[];
  /** Oldest first, at most MAX_MOVES; only those that happened while the page watched. */
  readonly moves: readonly NumberedMove[];
  /** By node name; a node without pods has no entry. */
  readonly loads: ReadonlyMap<string, NodeLoad>;
}

export const MAX_DECISIONS = 1000;
export const MAX_MOVES = 2000;

export const NO_LOAD: NodeLoad = { pods: [], usage: { pods: 0 } };

/** A pod that ran to its end holds none of its node's resources. */
export function isTerminal(pod: PodCard): boolean {
  return pod.phase === "Succeeded" || pod.phase === "Failed";
}
