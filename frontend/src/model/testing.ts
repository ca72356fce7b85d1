/** Builders of cards for tests: a small cast, everything else defaulted. */
import type {
  BatchFrame,
  BindingCard,
  Candidate,
  ClusterCard,
  CycleReport,
  FilterReport,
  NodeCard,
  PluginRun,
  PodCard,
  QueuedPodCard,
  QueueMove,
  ScoreReport,
  SnapshotFrame,
  StatusReport,
} from "./messages.generated";
import type { OutlineField } from "./outline";

export const clusterCard = (over: Partial<ClusterCard> = {}): ClusterCard => ({
  id: "demo",
  name: "Demo",
  version: 1,
  state: "running",
  speed: 1,
  clock_at: 1_800_000_000,
  clock_wall: 1_800_000_000,
  seed: 1,
  preset: "",
  paused_by: null,
  ...over,
});

export const nodeCard = (name: string, over: Partial<NodeCard> = {}): NodeCard => ({
  kind: "Node",
  uid: `uid-${name}`,
  name,
  resource_version: 1,
  created_at: "2027-01-15T08:00:00Z",
  labels: { "kubernetes.io/hostname": name },
  taints: [],
  unschedulable: false,
  ready: "True",
  allocatable: { cpu: 4000, memory: 8 * 1024 ** 3, pods: 110 },
  roles: [],
  zone: "",
  images: [],
  drain: null,
  kubelet_stopped: false,
  ...over,
});

export const podCard = (name: string, over: Partial<PodCard> = {}): PodCard => ({
  kind: "Pod",
  uid: `uid-${name}`,
  namespace: "default",
  name,
  resource_version: 1,
  created_at: "2027-01-15T08:00:00Z",
  labels: {},
  node_name: "",
  nominated_node_name: "",
  phase: "Pending",
  reason: "",
  message: "",
  scheduler_name: "default-scheduler",
  priority: 0,
  requests: { cpu: 500, memory: 256 * 1024 ** 2 },
  scheduling_gates: [],
  deletion_timestamp: "",
  owner: null,
  image: "nginx",
  ...over,
});

export const queuedPod = (name: string, over: Partial<QueuedPodCard> = {}): QueuedPodCard => ({
  pod: { namespace: "default", name, uid: `uid-${name}` },
  queue: "activeQ",
  position: 0,
  priority: 0,
  attempts: 0,
  since: 1_800_000_000,
  backoff_until: null,
  waits_until: null,
  unschedulable_plugins: [],
  pending_plugins: [],
  message: "",
  node: "",
  scheduler: "kube-scheduler",
  ...over,
});

export const queueMove = (name: string, over: Partial<QueueMove> = {}): QueueMove => ({
  pod: { namespace: "default", name, uid: `uid-${name}` },
  source: "",
  target: "activeQ",
  event: "PodAdd",
  object: "",
  plugin: "",
  hint: "",
  attempts: 0,
  at: 1_800_000_000,
  backoff_until: null,
  unschedulable_plugins: [],
  pending_plugins: [],
  message: "",
  skips: [],
  ...over,
});

export const bindingCard = (name: string, over: Partial<BindingCard> = {}): BindingCard => ({
  pod: { namespace: "default", name, uid: `uid-${name}` },
  node: "n1",
  scheduler: "kube-scheduler",
  sequence: 1,
  phase: "binding",
  at: 1_800_000_000,
  due_at: null,
  ended_at: null,
  steps: [],
  message: "",
  ...over,
});

export const snapshotFrame = (over: Partial<SnapshotFrame> = {}): SnapshotFrame => ({
  frame: "snapshot",
  protocol: 1,
  build: "test",
  version: 1,
  cluster: clusterCard(),
  objects: [],
  queue: [],
  bindings: [],
  decisions: [],
  ...over,
});

export const batchFrame = (after: number, messages: BatchFrame["messages"]): BatchFrame => ({
  frame: "batch",
  after,
  version: messages.at(-1)?.version ?? after,
  messages,
});

export const status = (code: string, plugin = "", ...reasons: string[]): StatusReport => ({ code, plugin, reasons });

export const pluginRun = (name: string, code = "Success", over: Partial<PluginRun> = {}): PluginRun => ({
  name,
  status: status(code),
  duration_us: 0,
  rejected: 0,
  ...over,
});

/** A node's name and the first plugin that rejects it; "" where it passes. */
export function filterReport(nodes: Readonly<Record<string, string>>, over: Partial<FilterReport> = {}): FilterReport {
  const plugins = [...new Set(Object.values(nodes))].filter(Boolean);
  const count = Object.keys(nodes).length;
  return {
    nodes: Object.keys(nodes),
    status: Object.values(nodes).map((plugin) => plugins.indexOf(plugin)),
    statuses: plugins.map((plugin) => status("Unschedulable", plugin, `${plugin} says no`)),
    total_nodes: count,
    evaluated: count,
    absent: null,
    ...over,
  };
}

/** Normalised scores by plugin, all of weight 1 unless said; the first of the best is chosen. */
export function scoreReport(
  nodes: readonly string[],
  columns: Readonly<Record<string, readonly number[]>>,
  weights: Readonly<Record<string, number>> = {},
): ScoreReport {
  const plugins = Object.entries(columns).map(([plugin, normalized]) => {
    const weight = weights[plugin] ?? 1;
    return { plugin, weight, raw: normalized, normalized, weighted: normalized.map((value) => value * weight) };
  });
  const totals = nodes.map((_, place) => plugins.reduce((sum, { weighted }) => sum + (weighted[place] ?? 0), 0));
  const best = nodes.filter((_, place) => totals[place] === Math.max(...totals));
  return { nodes, plugins, totals, best, chosen: best[0] ?? "" };
}

export const candidate = (node: string, over: Partial<Candidate> = {}): Candidate => ({
  node,
  victims: [{ namespace: "default", name: `on-${node}`, uid: `uid-on-${node}` }],
  pdb_violations: 0,
  highest_priority: 0,
  sum_priority: 0,
  latest_start: "2027-01-15T08:00:00Z",
  priorities: [0],
  budgets: [],
  ...over,
});

export const cycleReport = (name: string, over: Partial<CycleReport> = {}): CycleReport => ({
  sequence: 1,
  pod: { namespace: "default", name, uid: `uid-${name}` },
  scheduler_name: "default-scheduler",
  attempt: 1,
  at: 1_800_000_000,
  outcome: "scheduled",
  node: "",
  message: "",
  reason: "",
  points: [],
  filter: null,
  score: null,
  post_filter: null,
  preemption: null,
  deallocation: null,
  nominated_node_name: null,
  unschedulable_plugins: [],
  pending_plugins: [],
  binding_data: {},
  permit_deadline: null,
  extender_calls: [],
  duration_us: 0,
  ...over,
});

export const outlineField = (type: string, over: Partial<OutlineField> = {}): OutlineField => ({
  type,
  of: "",
  by: "",
  required: false,
  doc: "",
  values: [],
  ...over,
});
