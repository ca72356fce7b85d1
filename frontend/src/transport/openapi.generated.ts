// Written by `npm run schema` from the server's JSON schema. Do not edit.

export interface Apply {
  readonly yaml: string;
}

export interface ApplyAnswer {
  readonly results: readonly ApplyResult[];
}

export interface ApplyError {
  readonly line: number | null;
  readonly message: string;
  readonly path: string;
}

/** What became of one document. */
export interface ApplyResult {
  readonly document: number;
  readonly error: ApplyError | null;
  readonly errors: readonly ApplyError[];
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly result: ResultEnum;
  readonly warnings: readonly string[];
}

export interface BatchDelete {
  readonly grace_period?: number;
  readonly objects: readonly ObjectName[];
}

/** A pod on its way from assumed to bound. */
export interface BindingCard {
  readonly at: number;
  readonly due_at: number | null;
  readonly ended_at: number | null;
  readonly message: string;
  readonly node: string;
  readonly phase: PhaseEnum;
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

export type BlankEnum = "";

/** As it is stored with the scheduler's state. */
export interface Breakpoint {
  readonly hits: number;
  readonly id: number;
  readonly name: string;
  readonly namespace: string;
  readonly on: OnEnum;
  readonly passed: string;
  readonly plugin: string;
  readonly point: string;
  readonly when: WhenEnum;
}

/** Why the clock was stopped: a breakpoint, and what hit it. */
export interface BreakpointHit {
  readonly at: number;
  readonly id: number;
  readonly message: string;
  readonly on: OnEnum;
  readonly plugin: string;
  readonly pod: PodRef;
  readonly point: string;
  readonly sequence: number | null;
}

export interface BreakpointList {
  readonly breakpoints: readonly Breakpoint[];
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

/** What a definition comes to. */
export interface CelCheck {
  readonly nodes: readonly CelNodePreview[];
  readonly problems: readonly DefinitionProblem[];
}

/** A definition, and a pod to try it with: a manifest, or the name of one that is there. */
export interface CelCheckBody {
  readonly filter: string;
  readonly message: string;
  readonly name: string;
  readonly pod: Readonly<Record<string, unknown>> | null;
  readonly pod_name: string;
  readonly pod_namespace: string;
  readonly score: string;
}

export interface CelExampleCard {
  readonly description: string;
  readonly plugin: CelPluginDefinition;
}

export interface CelExamples {
  readonly examples: readonly CelExampleCard[];
  readonly variables: readonly CelVariable[];
}

/** An expression that fails for a node. */
export interface CelFailure {
  readonly column: number;
  readonly field: string;
  readonly line: number;
  readonly message: string;
}

/** One node's answer. */
export interface CelNodePreview {
  readonly failures: readonly CelFailure[];
  readonly fits: boolean | null;
  readonly node: string;
  readonly score: number | null;
}

/** A plugin as it is written and stored. */
export interface CelPluginDefinition {
  readonly filter: string;
  readonly message: string;
  readonly name: string;
  readonly score: string;
}

export interface CelPluginList {
  readonly plugins: readonly CelPluginDefinition[];
}

/** What an expression may read. */
export interface CelVariable {
  readonly name: string;
  readonly type: string;
}

/** A ResourceClaim to be freed, so that the pod gets another chance: clear its allocation and reservedFor. */
export interface ClaimDeallocation {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
}

export type ClockStateEnum = "running" | "paused";

export interface ClusterCard {
  readonly clock_at: number;
  readonly clock_wall: number;
  readonly id: string;
  readonly name: string;
  readonly paused_by: BreakpointHit | null;
  readonly preset: string;
  readonly seed: number;
  readonly speed: number;
  readonly state: ClusterStateEnum;
  readonly version: number;
}

export interface ClusterEventPage {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly LoggedEvent[];
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

export interface ClusterPicture {
  readonly cells: readonly PictureCell[];
  readonly pending: number;
  readonly running: number;
}

export type ClusterStateEnum = "paused" | "running";

/** A cluster: its version, its clock, its size. */
export interface ClusterSummary {
  readonly clock_at: number;
  readonly clock_wall: number;
  readonly id: string;
  readonly name: string;
  readonly nodes: number;
  readonly pods: number;
  readonly seed: number;
  readonly speed: number;
  readonly state: ClockStateEnum;
  readonly version: number;
}

/** One file of cases. */
export interface Comparison {
  readonly about: string;
  readonly cases: number;
  readonly name: string;
}

/** One fact that differs. */
export interface ConfigurationChange {
  readonly after: unknown;
  readonly before: unknown;
  readonly path: string;
}

export interface CreatedNodes {
  readonly names: readonly string[];
}

export interface DecisionAnswer {
  readonly at: number;
  readonly attempt: number;
  readonly binding: BindingCard | null;
  readonly binding_data: Readonly<Record<string, unknown>>;
  readonly deallocation: ClaimDeallocation | null;
  readonly duration_us: number;
  readonly extender_calls: readonly ExtenderCall[];
  readonly filter: FilterReport | null;
  readonly message: string;
  readonly node: string;
  readonly nominated_node_name: string | null;
  readonly outcome: OutcomeEnum;
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

export interface DecisionPage {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly DecisionSummary[];
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
  readonly outcome: OutcomeEnum;
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

/** One thing wrong with a definition. */
export interface DefinitionProblem {
  readonly column: number;
  readonly field: string;
  readonly line: number;
  readonly message: string;
}

export interface DeleteAnswer {
  readonly results: readonly DeleteResult[];
}

export interface DeleteResult {
  readonly error: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly terminating: boolean;
}

export interface Deploy {
  readonly document?: Readonly<Record<string, unknown>>;
  readonly feature_gates?: Readonly<Record<string, boolean>>;
  readonly name: string;
  readonly replicas?: number;
}

/** kubectl's flags. */
export interface Drain {
  readonly delete_emptydir_data?: boolean;
  readonly force?: boolean;
  readonly grace_period?: number;
  readonly ignore_daemonsets?: boolean;
  readonly timeout?: number;
}

/** The whole of it; the node's card has the short form. */
export interface DrainAnswer {
  readonly drain: DrainCard;
  readonly log: readonly string[];
  readonly node: string;
  readonly pods: readonly DrainedPod[];
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
  readonly state: DrainStateEnum;
  readonly total: number;
}

export type DrainStateEnum = "cancelled" | "drained" | "draining" | "failed";

export interface DrainedPod {
  readonly budget: string;
  readonly message: string;
  readonly name: string;
  readonly namespace: string;
  readonly state: DrainedPodStateEnum;
  readonly uid: string;
}

export type DrainedPodStateEnum = "blocked" | "evicted" | "failed" | "gone" | "waiting";

/** What a profile really runs, defaults included. */
export interface EffectiveProfile {
  readonly plugins: Readonly<Record<string, readonly string[]>>;
  readonly scheduler_name: string;
  readonly weights: Readonly<Record<string, number>>;
}

/** Every error under /api/. */
export interface Error {
  readonly error: ErrorBody;
}

export interface ErrorBody {
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly message: string;
}

export interface ErrorDetail {
  readonly document?: number;
  readonly message: string;
  readonly path: string;
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

export interface Fidelity {
  readonly cases: number;
  readonly compared: readonly Comparison[];
  readonly kubernetes_version: string;
  readonly not_modelled: readonly string[];
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

/** From when, and under which name; everything may be left out. */
export interface Fork {
  readonly name?: string;
  readonly version?: number | null;
}

export interface IdleSummary {
  readonly cluster_time: number;
  readonly idle: boolean;
  readonly pending: number;
  readonly scheduled: number;
  readonly seconds: number;
  readonly unschedulable: readonly UnschedulablePod[];
  readonly version: number;
  readonly waiting_for: Readonly<Record<string, readonly string[]>>;
}

/** Where the objects of a kind are found. */
export interface KindCard {
  readonly api_version: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly plural: string;
}

export interface KindList {
  readonly kinds: readonly KindCard[];
  readonly kubernetes_version: string;
}

/** The Lease object that the processes of a scheduler compete for. */
export interface LeaseCard {
  readonly acquired_at: string;
  readonly duration: number;
  readonly holder: string;
  readonly name: string;
  readonly namespace: string;
  readonly renewed_at: string;
  readonly transitions: number;
}

/** One thing that happened to the pod; exactly one of the three is there. */
export interface LifeEntry {
  readonly at: number;
  readonly attempt: DecisionSummary | null;
  readonly binding: BindingCard | null;
  readonly kind: LifeEntryKindEnum;
  readonly move: QueueMove | null;
  readonly scheduler: string;
  readonly text: string;
}

export type LifeEntryKindEnum = "attempt" | "binding" | "move";

/** With a small picture to draw. */
export interface ListedCluster {
  readonly clock_at: number;
  readonly clock_wall: number;
  readonly id: string;
  readonly name: string;
  readonly nodes: number;
  readonly picture: ClusterPicture;
  readonly pods: number;
  readonly seed: number;
  readonly speed: number;
  readonly state: ClockStateEnum;
  readonly version: number;
}

export interface LoggedEvent {
  readonly number: number;
  readonly report: ClusterEventReport;
  readonly text: string;
}

export interface Move {
  readonly node: string;
}

/** The pod that goes, and the one that comes. */
export interface MovedPod {
  readonly evicted: string;
  readonly name: string;
  readonly namespace: string;
  readonly node: string;
  readonly replaced_by: string;
  readonly uid: string;
}

/** What a new cluster is made of; everything may be left out. */
export interface NewCluster {
  readonly kind_config?: string;
  readonly name?: string;
  readonly preset?: string;
  readonly seed?: number | null;
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface NodeBatchPatch {
  readonly names: readonly string[];
  readonly patch: Readonly<Record<string, unknown>>;
}

export interface NodeCard {
  readonly allocatable: Readonly<Record<string, number>>;
  readonly created_at: string;
  readonly drain: DrainCard | null;
  readonly images: readonly string[];
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

export interface NodePatchAnswer {
  readonly results: readonly NodePatchResult[];
}

export interface NodePatchResult {
  readonly error: string;
  readonly inverse: Readonly<Record<string, unknown>>;
  readonly name: string;
}

/** One node's answer. */
export interface NodeVerdict {
  readonly code: string;
  readonly fits: boolean;
  readonly node: string;
  readonly plugin: string;
  readonly reasons: readonly string[];
  readonly rejections: readonly RejectionReport[];
  readonly score: number | null;
}

export interface NodesFromTemplate {
  readonly count: number;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly prefix?: string;
}

/** An event that was not worth another attempt, since the pod waits. */
export interface NotWoken {
  readonly skip: SkipCount;
  readonly text: string;
}

export interface ObjectName {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export type OnEnum = "failure" | "plugin" | "pod" | "preemption";

export type OutcomeEnum = "error" | "scheduled" | "skipped" | "unschedulable" | "waiting";

/** The definitions that one kind of document reaches. */
export interface Outline {
  readonly api_version: string;
  readonly definitions: Readonly<Record<string, Readonly<Record<string, OutlineField>>>>;
  readonly kind: string;
  readonly root: string;
}

/** One field of an object. */
export interface OutlineField {
  readonly by: string;
  readonly doc: string;
  readonly of: string;
  readonly required: boolean;
  readonly type: string;
  readonly values: readonly string[];
}

export interface PaginatedListedClusterList {
  readonly count: number;
  readonly next?: string | null;
  readonly previous?: string | null;
  readonly results: readonly ListedCluster[];
}

export interface PatchedScale {
  readonly replicas?: number;
}

/** Everything that may be turned, as it is now. */
export interface PatchedSettings {
  readonly assume_cache?: boolean;
  readonly binding_failure_rate?: number;
  readonly binding_latency_seconds?: number;
  readonly feature_gates?: Readonly<Record<string, boolean>>;
  readonly job_seconds?: number;
  readonly pod_initial_backoff_seconds?: number;
  readonly pod_max_backoff_seconds?: number;
  readonly pull_seconds?: number;
  readonly start_seconds?: number;
  readonly stop_seconds?: number;
}

export type PhaseEnum = "binding" | "bound" | "failed" | "pending";

/** One node. */
export interface PictureCell {
  readonly closed: boolean;
  readonly cpu: number | null;
  readonly memory: number | null;
  readonly pods: number;
}

/** One plugin at one extension point of one cycle. */
export interface PluginRun {
  readonly duration_us: number;
  readonly name: string;
  readonly rejected: number;
  readonly status: StatusReport;
}

export interface PodLife {
  readonly complete: boolean;
  readonly entries: readonly LifeEntry[];
  readonly not_woken_by: readonly NotWoken[];
  readonly now: number;
  readonly pod: PodRef;
  readonly seconds_in_queue: number | null;
  readonly standing: QueuedPodCard | null;
}

export interface PodRef {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
}

export type PointEnum = "preFilter" | "filter" | "postFilter" | "preScore" | "score" | "reserve" | "permit";

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

export interface Preset {
  readonly description: string;
  readonly group: string;
  readonly id: string;
  readonly nodes: number;
  readonly pods: number;
  readonly title: string;
  readonly watch: string;
}

export interface ProfilesAnswer {
  readonly changes: readonly ConfigurationChange[];
  readonly document: Readonly<Record<string, unknown>>;
  readonly feature_gates: Readonly<Record<string, boolean>>;
  readonly profiles: readonly EffectiveProfile[];
  readonly revision: number;
}

export interface QueueAnswer {
  readonly now: number;
  readonly queues: Readonly<Record<string, readonly QueuedPodDetail[]>>;
}

export type QueueEnum = "activeQ" | "backoffQ" | "binding" | "gated" | "inFlight" | "unschedulablePods" | "waiting";

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
  readonly queue: QueueEnum;
  readonly scheduler: string;
  readonly since: number;
  readonly unschedulable_plugins: readonly string[];
  readonly waits_until: number | null;
}

export interface QueuedPodDetail {
  readonly attempts: number;
  readonly backoff_until: number | null;
  readonly consecutive_errors: number;
  readonly first_attempt_at: number | null;
  readonly gating_plugin: string;
  readonly message: string;
  readonly node: string;
  readonly pending_plugins: readonly string[];
  readonly pod: PodRef;
  readonly position: number;
  readonly priority: number;
  readonly queue: QueueEnum;
  readonly scheduler: string;
  readonly seconds: number;
  readonly since: number;
  readonly skips: readonly SkipCount[];
  readonly unschedulable_count: number;
  readonly unschedulable_plugins: readonly string[];
  readonly waits_until: number | null;
}

export interface ReasonCount {
  readonly count: number;
  readonly plugin: string;
  readonly reason: string;
}

/** One plugin's rejection of one node, with what would have to change there. */
export interface RejectionReport {
  readonly code: string;
  readonly plugin: string;
  readonly reasons: readonly string[];
  readonly remedies: readonly string[];
}

/** One process of a scheduler. */
export interface ReplicaCard {
  readonly identity: string;
  readonly leads: boolean;
  readonly name: string;
  readonly number: number;
  readonly running: boolean;
  readonly since: number;
}

export type ResultEnum = "created" | "configured" | "unchanged" | "error";

export interface RunUntilIdle {
  readonly timeout_seconds?: number;
}

export interface SchedulerCard {
  readonly leader: string;
  readonly lease: LeaseCard | null;
  readonly name: string;
  readonly profiles: readonly string[];
  readonly queued: Readonly<Record<string, number>>;
  readonly replicas: readonly ReplicaCard[];
  readonly revision: number;
  readonly standing_by: string;
  readonly takes_over_at: number | null;
}

export interface SchedulersAnswer {
  readonly results: readonly SchedulerCard[];
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

/** Everything that may be turned, as it is now. */
export interface Settings {
  readonly assume_cache: boolean;
  readonly binding_failure_rate: number;
  readonly binding_latency_seconds: number;
  readonly feature_gates: Readonly<Record<string, boolean>>;
  readonly job_seconds: number;
  readonly pod_initial_backoff_seconds: number;
  readonly pod_max_backoff_seconds: number;
  readonly pull_seconds: number;
  readonly start_seconds: number;
  readonly stop_seconds: number;
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

export interface Speed {
  readonly speed: number;
}

/** A Status as people read it. */
export interface StatusReport {
  readonly code: string;
  readonly plugin: string;
  readonly reasons: readonly string[];
}

export interface StepAnswer {
  readonly cluster: ClusterCard;
  readonly done: boolean;
}

export interface Taint {
  readonly effect: string;
  readonly key: string;
  readonly value: string;
}

export interface Template {
  readonly description: string;
  readonly id: string;
  readonly kind: TemplateKindEnum;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly title: string;
}

export type TemplateKindEnum = "Pod" | "Node";

/** Where the history begins and ends, and what happened between two versions of it. */
export interface Timeline {
  readonly first: number;
  readonly last: number;
  readonly marks: readonly TimelineMark[];
  readonly marks_left_out: boolean;
  readonly newest: number;
  readonly newest_at: number;
  readonly oldest: number;
  readonly oldest_at: number;
  readonly slots: readonly TimelineSlot[];
  readonly version_at: number | null;
}

/** One thing worth a mark of its own. */
export interface TimelineMark {
  readonly at: number;
  readonly name: string;
  readonly sequence: number;
  readonly version: number;
  readonly what: string;
}

/** What versions in [first, last] told. */
export interface TimelineSlot {
  readonly begins: number;
  readonly bound: number;
  readonly changes: number;
  readonly ends: number;
  readonly errors: number;
  readonly failed_bindings: number;
  readonly first: number;
  readonly first_sequence: number;
  readonly last: number;
  readonly last_sequence: number;
  readonly node_changes: number;
  readonly pods_created: number;
  readonly pods_deleted: number;
  readonly preemptions: number;
  readonly scheduled: number;
  readonly unschedulable: number;
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

export interface UnschedulablePod {
  readonly message: string;
  readonly name: string;
  readonly namespace: string;
}

/** What to stop at. */
export interface WantedBreakpoint {
  readonly name?: string;
  readonly namespace?: string;
  readonly on: OnEnum;
  readonly plugin?: string;
  readonly point?: PointEnum | BlankEnum;
  readonly when?: WhenEnum;
}

export type WhenEnum = "rejects" | "runs";

/** A pod that an event brought back to activeQ or backoffQ. */
export interface WokenPod {
  readonly hint: string;
  readonly plugin: string;
  readonly pod: PodRef;
  readonly target: string;
}

/** Either a manifest, or the name of a pod that is there. */
export interface WouldFit {
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly explain?: boolean;
  readonly name?: string;
  readonly namespace?: string;
  readonly pod?: Readonly<Record<string, unknown>>;
}

export interface WouldFitAnswer {
  readonly best: readonly string[];
  readonly extenders_not_asked: readonly string[];
  readonly message: string;
  readonly nodes: readonly NodeVerdict[];
  readonly version: number;
}
