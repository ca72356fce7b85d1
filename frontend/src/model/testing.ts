/** Builders of cards for tests: a small cast, everything else defaulted. */
import type {
  BatchFrame,
  BindingCard,
  ClusterCard,
  NodeCard,
  PodCard,
  QueuedPodCard,
  QueueMove,
  SnapshotFrame,
} from "./messages.generated";

export const clusterCard = (over: Partial<ClusterCard> = {}): ClusterCard => ({
  id: "demo",
  name: "Demo",
  version: 1,
  state: "running",
  speed: 1,
  clock_at: 1_800_000_000,
  clock_wall: 1_800_000_000,
  seed: 1,
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
