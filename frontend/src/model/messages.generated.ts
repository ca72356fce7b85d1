// Written by `npm run schema` from the server's JSON schema. Do not edit.

/** Messages with versions in (after, version], complete and in order. */
export interface BatchFrame {
  readonly after: number;
  readonly frame: "batch";
  readonly messages: readonly (ObjectMessage | QueueMessage | DecisionsMessage | BindingsMessage | ClusterMessage)[];
  readonly version: number;
}

/** A pod on its way from assumed to bound. */
export interface BindingCard {
  readonly at: number;
  readonly due_at: number | null;
  readonly ended_at: number | null;
  readonly message: string;
  readonly node: string;
  readonly phase: "binding" | "bound" | "failed" | "pending";
  readonly pod: PodRef;
  readonly scheduler: string;
  readonly sequence: number;
  readonly steps: readonly BindingStep[];
}

export interface BindingStep {
  readonly call: ExtenderCall | null;
  readonly plugin: string;
  readonly point: string;
  readonly status: StatusReport;
}

export interface BindingsMessage {
  readonly bindings: readonly BindingCard[];
  readonly type: "bindings";
  readonly version: number;
}

/** Why the clock was stopped: a breakpoint, and what hit it. */
export interface BreakpointHit {
  readonly at: number;
  readonly id: number;
  readonly message: string;
  readonly on: "failure" | "plugin" | "pod" | "preemption";
  readonly plugin: string;
  readonly pod: PodRef;
  readonly point: string;
  readonly sequence: number | null;
}

/** A node where preemption could make room. */
export interface Candidate {
  readonly budgets: readonly TouchedBudget[];
  readonly highest_priority: number;
  readonly latest_start: string | null;
  readonly node: string;
  readonly pdb_violations: number;
  readonly priorities: readonly number[];
  readonly sum_priority: number;
  readonly victims: readonly PodRef[];
}

/** A ResourceClaim to be freed, so that the pod gets another chance: clear its allocation and reservedFor. */
export interface ClaimDeallocation {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
}

export interface ClusterCard {
  readonly clock_at: number;
  readonly clock_wall: number;
  readonly id: string;
  readonly name: string;
  readonly paused_by: BreakpointHit | null;
  readonly preset: string;
  readonly seed: number;
  readonly speed: number;
  readonly state: "paused" | "running";
  readonly version: number;
}

/** Something that happened while pods waited: whom it woke, whom it did not, and why. */
export interface ClusterEventReport {
  readonly at: number;
  readonly concerned: number;
  readonly event: string;
  readonly object: string;
  readonly skipped: readonly SkippedPods[];
  readonly skipped_otherwise: number;
  readonly waiting: number;
  readonly woken: readonly WokenPod[];
  readonly woken_count: number;
}

export interface ClusterMessage {
  readonly cluster: ClusterCard;
  readonly type: "cluster";
  readonly version: number;
}

/** One scheduling cycle of one pod, whole. */
export interface CycleReport {
  readonly at: number;
  readonly attempt: number;
  readonly binding_data: Readonly<Record<string, unknown>>;
  readonly deallocation: ClaimDeallocation | null;
  readonly duration_us: number;
  readonly extender_calls: readonly ExtenderCall[];
  readonly filter: FilterReport | null;
  readonly message: string;
  readonly node: string;
  readonly nominated_node_name: string | null;
  readonly outcome: "error" | "scheduled" | "skipped" | "unschedulable" | "waiting";
  readonly pending_plugins: readonly string[];
  readonly permit_deadline: number | null;
  readonly pod: PodRef;
  readonly points: readonly PointReport[];
  readonly post_filter: StatusReport | null;
  readonly preemption: PreemptionReport | null;
  readonly reason: string;
  readonly scheduler_name: string;
  readonly score: ScoreReport | null;
  readonly sequence: number;
  readonly unschedulable_plugins: readonly string[];
}

/** A report small enough to be streamed for every pod. */
export interface DecisionSummary {
  readonly at: number;
  readonly attempt: number;
  readonly duration_us: number;
  readonly evaluated: number;
  readonly feasible: number;
  readonly message: string;
  readonly node: string;
  readonly nominated_node_name: string | null;
  readonly outcome: "error" | "scheduled" | "skipped" | "unschedulable" | "waiting";
  readonly pod: PodRef;
  readonly rejected: readonly ReasonCount[];
  readonly scheduler: string;
  readonly scheduler_name: string;
  readonly sequence: number;
  readonly tied: number;
  readonly top: readonly TopNode[];
  readonly total_nodes: number;
  readonly victims: readonly PodRef[];
}

export interface DecisionsMessage {
  readonly decisions: readonly DecisionSummary[];
  readonly type: "decisions";
  readonly version: number;
}

/** A pod that a drain cannot evict for now, or at all. */
export interface DrainBlocked {
  readonly budget: string;
  readonly message: string;
  readonly name: string;
  readonly namespace: string;
}

/** How far the drain of a node has come. */
export interface DrainCard {
  readonly blocked: readonly DrainBlocked[];
  readonly ended_at: number | null;
  readonly evicted: number;
  readonly left: number;
  readonly message: string;
  readonly retry_at: number | null;
  readonly started_at: number;
  readonly state: "cancelled" | "drained" | "draining" | "failed";
  readonly total: number;
}

export interface EventCard {
  readonly count: number;
  readonly event_type: string;
  readonly first_at: string;
  readonly kind: "Event";
  readonly last_at: string;
  readonly message: string;
  readonly name: string;
  readonly namespace: string;
  readonly reason: string;
  readonly regarding_kind: string;
  readonly regarding_name: string;
  readonly regarding_uid: string;
  readonly resource_version: number;
  readonly source: string;
  readonly uid: string;
}

/** One call of an HTTP extender. */
export interface ExtenderCall {
  readonly duration_us: number;
  readonly error: string;
  readonly extender: string;
  readonly ignorable: boolean;
  readonly nodes: number;
  readonly nodes_passed: number | null;
  readonly request: string;
  readonly request_bytes: number;
  readonly response: string;
  readonly response_bytes: number;
  readonly status: number;
  readonly url: string;
  readonly verb: string;
}

/** Filter's table in columns: one entry per node that was looked at, in evaluation order. */
export interface FilterReport {
  readonly absent: StatusReport | null;
  readonly evaluated: number;
  readonly nodes: readonly string[];
  readonly status: readonly number[];
  readonly statuses: readonly StatusReport[];
  readonly total_nodes: number;
}

export type Frame = SnapshotFrame | BatchFrame | ResumedFrame | GoneFrame;

/** The cluster does not exist (any more). */
export interface GoneFrame {
  readonly frame: "gone";
  readonly message: string;
}

export interface NodeCard {
  readonly allocatable: Readonly<Record<string, number>>;
  readonly created_at: string;
  readonly drain: DrainCard | null;
  readonly images: readonly string[];
  readonly kind: "Node";
  readonly kubelet_stopped: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly name: string;
  readonly ready: string;
  readonly resource_version: number;
  readonly roles: readonly string[];
  readonly taints: readonly Taint[];
  readonly uid: string;
  readonly unschedulable: boolean;
  readonly zone: string;
}

/** Any other kind: known to exist, read over /k8s/. */
export interface ObjectCard {
  readonly api_version: string;
  readonly created_at: string;
  readonly kind: "Object";
  readonly name: string;
  readonly namespace: string;
  readonly object_kind: string;
  readonly resource_version: number;
  readonly uid: string;
}

export interface ObjectMessage {
  readonly event: "ADDED" | "DELETED" | "MODIFIED";
  readonly object: NodeCard | PodCard | WorkloadCard | EventCard | ObjectCard;
  readonly type: "object";
  readonly version: number;
}

export interface OwnerRef {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** One plugin at one extension point of one cycle. */
export interface PluginRun {
  readonly duration_us: number;
  readonly name: string;
  readonly rejected: number;
  readonly status: StatusReport;
}

export interface PodCard {
  readonly created_at: string;
  readonly deletion_timestamp: string;
  readonly image: string;
  readonly kind: "Pod";
  readonly labels: Readonly<Record<string, string>>;
  readonly message: string;
  readonly name: string;
  readonly namespace: string;
  readonly node_name: string;
  readonly nominated_node_name: string;
  readonly owner: OwnerRef | null;
  readonly phase: string;
  readonly priority: number;
  readonly reason: string;
  readonly requests: Readonly<Record<string, number>>;
  readonly resource_version: number;
  readonly scheduler_name: string;
  readonly scheduling_gates: readonly string[];
  readonly uid: string;
}

export interface PodRef {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
}

export interface PointReport {
  readonly plugins: readonly PluginRun[];
  readonly point: string;
}

export interface PreemptionReport {
  readonly candidates: readonly Candidate[];
  readonly decided_by: string;
  readonly node: string;
  readonly nominations_cleared: readonly PodRef[];
  readonly not_helpful: FilterReport | null;
  readonly status: StatusReport;
  readonly victims: readonly PodRef[];
  readonly waiting_victims: readonly PodRef[];
}

/** Moves in one scheduler's queue, in order, with the cards of the pods that are still queued after them. */
export interface QueueMessage {
  readonly events: readonly ClusterEventReport[];
  readonly gone: readonly string[];
  readonly moves: readonly QueueMove[];
  readonly pods: readonly QueuedPodCard[];
  readonly scheduler: string;
  readonly type: "queue";
  readonly version: number;
}

/** A pod going from one queue to another, and why. */
export interface QueueMove {
  readonly at: number;
  readonly attempts: number;
  readonly backoff_until: number | null;
  readonly event: string;
  readonly hint: string;
  readonly message: string;
  readonly object: string;
  readonly pending_plugins: readonly string[];
  readonly plugin: string;
  readonly pod: PodRef;
  readonly skips: readonly SkipCount[];
  readonly source: string;
  readonly target: string;
  readonly unschedulable_plugins: readonly string[];
}

/** Where a pod that is not bound yet stands with a scheduler; two may be after the same pod. */
export interface QueuedPodCard {
  readonly attempts: number;
  readonly backoff_until: number | null;
  readonly message: string;
  readonly node: string;
  readonly pending_plugins: readonly string[];
  readonly pod: PodRef;
  readonly position: number;
  readonly priority: number;
  readonly queue: "activeQ" | "backoffQ" | "binding" | "gated" | "inFlight" | "unschedulablePods" | "waiting";
  readonly scheduler: string;
  readonly since: number;
  readonly unschedulable_plugins: readonly string[];
  readonly waits_until: number | null;
}

export interface ReasonCount {
  readonly count: number;
  readonly plugin: string;
  readonly reason: string;
}

/** The answer to ?from=N where the feed still goes back to N: batches follow. */
export interface ResumedFrame {
  readonly build: string;
  readonly cluster: ClusterCard;
  readonly frame: "resumed";
  readonly protocol: number;
  readonly version: number;
}

/** One Score plugin over the feasible nodes, same order as `ScoreReport.nodes`. */
export interface ScoreColumn {
  readonly normalized: readonly number[];
  readonly plugin: string;
  readonly raw: readonly number[];
  readonly weight: number;
  readonly weighted: readonly number[];
}

export interface ScoreReport {
  readonly best: readonly string[];
  readonly chosen: string;
  readonly nodes: readonly string[];
  readonly plugins: readonly ScoreColumn[];
  readonly totals: readonly number[];
}

/** How often an event was not worth another attempt of a pod, and why. */
export interface SkipCount {
  readonly at: number;
  readonly count: number;
  readonly event: string;
  readonly object: string;
  readonly plugin: string;
  readonly reason: string;
}

/** Pods that an event was not worth another attempt for, by the same plugin for the same reason. */
export interface SkippedPods {
  readonly count: number;
  readonly plugin: string;
  readonly pods: readonly PodRef[];
  readonly reason: string;
}

export interface SnapshotFrame {
  readonly bindings: readonly BindingCard[];
  readonly build: string;
  readonly cluster: ClusterCard;
  readonly decisions: readonly DecisionSummary[];
  readonly frame: "snapshot";
  readonly objects: readonly (NodeCard | PodCard | WorkloadCard | EventCard | ObjectCard)[];
  readonly protocol: number;
  readonly queue: readonly QueuedPodCard[];
  readonly version: number;
}

/** A Status as people read it. */
export interface StatusReport {
  readonly code: string;
  readonly plugin: string;
  readonly reasons: readonly string[];
}

export interface Taint {
  readonly effect: string;
  readonly key: string;
  readonly value: string;
}

export interface TopNode {
  readonly node: string;
  readonly scores: Readonly<Record<string, number>>;
  readonly total: number;
}

/** A PodDisruptionBudget that covers some of a candidate's victims. */
export interface TouchedBudget {
  readonly allowed: number;
  readonly covered: number;
  readonly name: string;
  readonly namespace: string;
}

/** A pod that an event brought back to activeQ or backoffQ. */
export interface WokenPod {
  readonly hint: string;
  readonly plugin: string;
  readonly pod: PodRef;
  readonly target: string;
}

/** A Deployment, ReplicaSet, StatefulSet, DaemonSet or Job. */
export interface WorkloadCard {
  readonly created_at: string;
  readonly kind: "Workload";
  readonly name: string;
  readonly namespace: string;
  readonly owner: OwnerRef | null;
  readonly ready_replicas: number;
  readonly replicas: number;
  readonly resource_version: number;
  readonly uid: string;
  readonly workload_kind: string;
}
