/** One pretended cluster: nodes, pods, a queue, and a scheduler that looks at cpu and taints only. */
import type {
  BatchFrame,
  BindingCard,
  ClusterCard,
  CycleReport,
  DecisionSummary,
  EventCard,
  NodeCard,
  PodCard,
  QueuedPodCard,
  QueueMove,
  SnapshotFrame,
  WorkloadCard,
} from "../src/model/messages.generated";
import { clusterCard, nodeCard, podCard, queuedPod, queueMove } from "../src/model/testing";
import type { NodeVerdict } from "../src/transport/api_types";

type Message = BatchFrame["messages"][number];
type Unnumbered<M> = M extends unknown ? Omit<M, "version"> : never;
type Card = NodeCard | PodCard | WorkloadCard | EventCard;

const GI = 1024 ** 3;
const CYCLE_MS = 250;
const START_MS = 1500;

export class MockCluster {
  version = 1;
  cluster: ClusterCard = clusterCard({ name: "Demo", clock_at: now(), clock_wall: now() });
  nodes = new Map<string, NodeCard>();
  pods = new Map<string, PodCard>();
  workloads = new Map<string, WorkloadCard>();
  events: EventCard[] = [];
  queue = new Map<string, QueuedPodCard>();
  bindings = new Map<string, BindingCard>();
  reports: CycleReport[] = [];
  private pending: Message[] = [];
  private listeners = new Set<(batch: BatchFrame) => void>();
  private serial = 0;

  constructor(nodes: number) {
    this.addNode(mockNode("demo-control-plane", "zone-a", true));
    for (let index = 1; index < nodes; index += 1)
      this.addNode(mockNode(`demo-worker${index}`, `zone-${"abc"[index % 3]}`));
    for (let index = 0; index < Math.min(nodes * 8, 900); index += 1) this.addSettledPod(index, nodes);
    this.addWorkload();
    this.addPod({ name: "too-large", requests: { cpu: 32_000 }, priority: 0 });
    this.addPod({ name: "held", requests: { cpu: 100 }, scheduling_gates: ["example.com/quota"] });
    setInterval(() => this.flush(), 30);
    setInterval(() => this.cluster.state === "running" && this.cycle(), CYCLE_MS);
  }

  snapshot(): SnapshotFrame {
    return {
      frame: "snapshot",
      protocol: 1,
      build: "mock",
      version: this.version,
      cluster: this.cluster,
      objects: [...this.nodes.values(), ...this.pods.values(), ...this.workloads.values(), ...this.events],
      queue: [...this.queue.values()],
      bindings: [...this.bindings.values()].filter((binding) => binding.phase !== "bound"),
      decisions: this.reports.slice(-200).map(summaryOf),
    };
  }

  onBatch(listener: (batch: BatchFrame) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  clockTo(change: Partial<ClusterCard>): void {
    const wall = now();
    const running = this.cluster.state === "running" ? (wall - this.cluster.clock_wall) * this.cluster.speed : 0;
    this.cluster = { ...this.cluster, clock_at: this.cluster.clock_at + running, clock_wall: wall, ...change };
    this.say({ type: "cluster", cluster: this.cluster });
  }

  addNode(node: NodeCard): void {
    this.nodes.set(node.name, node);
    this.sayObject("ADDED", node);
    for (const card of this.queue.values()) {
      if (card.queue === "unschedulablePods") this.move(card, "activeQ", "NodeAdd", `Node/${node.name}`);
    }
  }

  changeNode(name: string, change: Partial<NodeCard>): NodeCard | undefined {
    const node = this.nodes.get(name);
    if (!node) return undefined;
    const next = { ...node, ...change };
    this.nodes.set(name, next);
    this.sayObject("MODIFIED", next);
    return next;
  }

  deleteNode(name: string): boolean {
    const node = this.nodes.get(name);
    if (!node) return false;
    this.nodes.delete(name);
    this.sayObject("DELETED", node);
    for (const pod of this.podsOn(name)) this.deletePod(pod.name);
    return true;
  }

  addPod(change: Partial<PodCard> & { name: string }): PodCard {
    const pod = podCard(change.name, { created_at: new Date().toISOString(), ...change });
    this.pods.set(pod.name, pod);
    this.sayObject("ADDED", pod);
    const gated = pod.scheduling_gates.length > 0;
    this.move(queuedPod(pod.name, { priority: pod.priority }), gated ? "gated" : "activeQ", "PodAdd", "");
    return pod;
  }

  deletePod(name: string): boolean {
    const pod = this.pods.get(name);
    if (!pod) return false;
    this.pods.delete(name);
    this.queue.delete(pod.uid);
    this.sayObject("DELETED", pod);
    return true;
  }

  bind(name: string, node: string): PodCard | undefined {
    const pod = this.pods.get(name);
    if (!pod || !this.nodes.has(node)) return undefined;
    const fits = this.verdict(pod, node).fits;
    const bound = this.changePod(name, { node_name: node, reason: "ContainerCreating" });
    this.leaveQueue(pod, node);
    this.addEvent(pod, "Normal", "Scheduled", `Successfully assigned default/${name} to ${node}`);
    const end = fits ? { phase: "Running", reason: "" } : { phase: "Failed", reason: "OutOfcpu" };
    setTimeout(() => this.changePod(name, end), START_MS);
    return bound;
  }

  verdict(pod: Pick<PodCard, "requests">, name: string): NodeVerdict {
    const node = this.nodes.get(name);
    if (!node) throw new Error(`no node ${name}`);
    const no = (plugin: string, code: string, reason: string) => ({
      node: name,
      fits: false,
      plugin,
      code,
      reasons: [reason],
      score: null,
    });
    if (node.unschedulable)
      return no("NodeUnschedulable", "UnschedulableAndUnresolvable", "node(s) were unschedulable");
    const taint = node.taints[0];
    if (taint)
      return no("TaintToleration", "UnschedulableAndUnresolvable", `node(s) had untolerated taint {${taint.key}: }`);
    const used = this.podsOn(name).reduce((sum, one) => sum + (one.requests.cpu ?? 0), 0);
    const cpu = node.allocatable.cpu ?? 0;
    if (used + (pod.requests.cpu ?? 0) > cpu) return no("NodeResourcesFit", "Unschedulable", "Insufficient cpu");
    return {
      node: name,
      fits: true,
      plugin: "",
      code: "Success",
      reasons: [],
      score: Math.round(100 * (1 - used / cpu)),
    };
  }

  nextName(prefix: string): string {
    this.serial += 1;
    return `${prefix}${this.serial.toString(36).padStart(5, "x7k2p")}`;
  }

  cycle(): void {
    const active = [...this.queue.values()].filter((card) => card.queue === "activeQ");
    const card = active.sort((a, b) => b.priority - a.priority || a.position - b.position)[0];
    const pod = card && this.pods.get(card.pod.name);
    if (!card || !pod) return;
    const report = this.decide(pod, card.attempts + 1);
    this.reports.push(report);
    this.say({ type: "decisions", decisions: [summaryOf(report)] });
    const inFlight = this.move({ ...card, attempts: report.attempt }, "inFlight", "Pop", "");
    if (report.outcome === "unschedulable") this.fail(inFlight, pod, report);
    else this.startBinding(inFlight, pod, report);
  }

  private startBinding(card: QueuedPodCard, pod: PodCard, report: CycleReport): void {
    this.move({ ...card, node: report.node }, "binding", "Assumed", "");
    const binding = (phase: BindingCard["phase"]): BindingCard => ({
      pod: card.pod,
      node: report.node,
      sequence: report.sequence,
      phase,
      at: now(),
      steps: [],
      message: "",
    });
    this.sayBinding(binding("binding"));
    setTimeout(() => {
      this.bind(pod.name, report.node);
      this.sayBinding(binding("bound"));
    }, 400);
  }

  private fail(card: QueuedPodCard, pod: PodCard, report: CycleReport): void {
    const detail = { message: report.message, unschedulable_plugins: report.unschedulable_plugins };
    this.move({ ...card, ...detail }, "unschedulablePods", "ScheduleAttemptFailure", "");
    this.addEvent(pod, "Warning", "FailedScheduling", report.message);
  }

  private decide(pod: PodCard, attempt: number): CycleReport {
    const verdicts = [...this.nodes.keys()].map((name) => this.verdict(pod, name));
    const fitting = verdicts.filter((verdict) => verdict.fits);
    const best = fitting.reduce<NodeVerdict | undefined>(
      (top, one) => (top && (top.score ?? 0) >= (one.score ?? 0) ? top : one),
      undefined,
    );
    return reportOf(this.reports.length + 1, pod, attempt, verdicts, fitting, best?.node ?? "");
  }

  private move(card: QueuedPodCard, target: QueuedPodCard["queue"], event: string, object: string): QueuedPodCard {
    const source = this.queue.get(card.pod.uid)?.queue ?? "";
    const next = { ...card, queue: target, since: now(), position: now() };
    this.queue.set(card.pod.uid, next);
    this.say({ type: "queue", moves: [moveOf(next, source, target, event, object)], pods: [next], gone: [] });
    return next;
  }

  private leaveQueue(pod: PodCard, node: string): void {
    const card = this.queue.get(pod.uid);
    if (!card) return;
    this.queue.delete(pod.uid);
    this.say({
      type: "queue",
      moves: [moveOf({ ...card, node }, card.queue, "bound", "AssignedPodAdd", `Node/${node}`)],
      pods: [],
      gone: [pod.uid],
    });
  }

  private changePod(name: string, change: Partial<PodCard>): PodCard | undefined {
    const pod = this.pods.get(name);
    if (!pod) return undefined;
    const next = { ...pod, ...change };
    this.pods.set(name, next);
    this.sayObject("MODIFIED", next);
    return next;
  }

  private podsOn(node: string): PodCard[] {
    return [...this.pods.values()].filter((pod) => pod.node_name === node);
  }

  private addSettledPod(index: number, nodes: number): void {
    const on = 1 + (index % Math.max(1, nodes - 1));
    const pod = podCard(`web-${index}`, {
      node_name: [...this.nodes.keys()][Math.min(on, nodes - 1)] ?? "",
      phase: "Running",
      priority: index % 11 === 0 ? 1000 : 0,
      namespace: index % 5 === 0 ? "kube-system" : "default",
      requests: { cpu: 100 + (index % 4) * 100, memory: (1 + (index % 4)) * 128 * 1024 ** 2 },
    });
    this.pods.set(pod.name, pod);
  }

  private addWorkload(): void {
    this.workloads.set("web", {
      kind: "Workload",
      workload_kind: "Deployment",
      uid: "uid-deploy-web",
      namespace: "default",
      name: "web",
      resource_version: 1,
      created_at: new Date().toISOString(),
      replicas: 24,
      ready_replicas: 24,
      owner: null,
    });
  }

  private addEvent(pod: PodCard, event_type: string, reason: string, message: string): void {
    const at = new Date().toISOString();
    const event: EventCard = {
      kind: "Event",
      uid: this.nextName("event-"),
      namespace: pod.namespace,
      name: this.nextName(`${pod.name}.`),
      resource_version: this.version,
      event_type,
      reason,
      message,
      regarding_kind: "Pod",
      regarding_name: pod.name,
      regarding_uid: pod.uid,
      source: "default-scheduler",
      count: 1,
      first_at: at,
      last_at: at,
    };
    this.events.push(event);
    this.sayObject("ADDED", event);
  }

  private sayBinding(binding: BindingCard): void {
    this.bindings.set(binding.pod.uid, binding);
    this.say({ type: "bindings", bindings: [binding] });
  }

  private sayObject(event: "ADDED" | "MODIFIED" | "DELETED", object: Card): void {
    this.say({ type: "object", event, object });
  }

  private say(message: Unnumbered<Message>): void {
    this.version += 1;
    this.pending.push({ ...message, version: this.version } as Message);
  }

  private flush(): void {
    const [first] = this.pending;
    if (!first) return;
    const batch: BatchFrame = {
      frame: "batch",
      after: first.version - 1,
      version: this.version,
      messages: this.pending,
    };
    this.pending = [];
    for (const listener of this.listeners) listener(batch);
  }
}

const now = () => Date.now() / 1000;

export function mockNode(name: string, zone: string, controlPlane = false): NodeCard {
  const key = "node-role.kubernetes.io/control-plane";
  return nodeCard(name, {
    zone,
    roles: controlPlane ? ["control-plane"] : [],
    taints: controlPlane ? [{ key, value: "", effect: "NoSchedule" }] : [],
    labels: {
      "kubernetes.io/hostname": name,
      "topology.kubernetes.io/zone": zone,
      disktype: "ssd",
      ...(controlPlane ? { [key]: "" } : {}),
    },
    allocatable: { cpu: 4000, memory: 8 * GI, pods: 110, ...(name.endsWith("2") ? { "nvidia.com/gpu": 4 } : {}) },
  });
}

function moveOf(card: QueuedPodCard, source: string, target: string, event: string, object: string): QueueMove {
  return queueMove(card.pod.name, {
    source,
    target,
    event,
    object,
    attempts: card.attempts,
    at: now(),
    message: card.message,
  });
}

function reportOf(
  sequence: number,
  pod: PodCard,
  attempt: number,
  verdicts: NodeVerdict[],
  fitting: NodeVerdict[],
  chosen: string,
): CycleReport {
  const statuses = [
    ...new Map(
      verdicts
        .filter((v) => !v.fits)
        .map((v) => [`${v.plugin}${v.reasons}`, { code: v.code, plugin: v.plugin, reasons: v.reasons }]),
    ).values(),
  ];
  const index = (v: NodeVerdict) =>
    statuses.findIndex((s) => s.plugin === v.plugin && `${s.reasons}` === `${v.reasons}`);
  const totals = fitting.map((v) => v.score ?? 0);
  const success = { code: "Success", plugin: "", reasons: [] };
  const run = (name: string) => ({
    name,
    status: success,
    duration_us: 12,
    rejected: verdicts.filter((v) => v.plugin === name).length,
  });
  const message = `0/${verdicts.length} nodes are available: ${statuses.map((s) => `${verdicts.filter((v) => index(v) === statuses.indexOf(s)).length} ${s.reasons[0]}`).join(", ")}. preemption: 0/${verdicts.length} nodes are available: ${verdicts.length} No preemption victims found for incoming pod.`;
  return {
    sequence,
    attempt,
    at: now(),
    node: chosen,
    duration_us: 340,
    scheduler_name: pod.scheduler_name,
    pod: { namespace: pod.namespace, name: pod.name, uid: pod.uid },
    outcome: chosen ? "scheduled" : "unschedulable",
    message: chosen ? "" : message,
    points: [
      { point: "preFilter", plugins: ["NodeResourcesFit"].map(run) },
      { point: "filter", plugins: ["NodeUnschedulable", "TaintToleration", "NodeResourcesFit"].map(run) },
      { point: "score", plugins: ["NodeResourcesFit"].map(run) },
    ],
    filter: {
      nodes: verdicts.map((v) => v.node),
      status: verdicts.map((v) => (v.fits ? -1 : index(v))),
      statuses,
      total_nodes: verdicts.length,
      evaluated: verdicts.length,
    },
    score: chosen
      ? {
          nodes: fitting.map((v) => v.node),
          plugins: [{ plugin: "NodeResourcesFit", weight: 1, raw: totals, normalized: totals, weighted: totals }],
          totals,
          best: fitting.filter((v) => v.score === Math.max(...totals)).map((v) => v.node),
          chosen,
        }
      : null,
    preemption: null,
    nominated_node_name: null,
    unschedulable_plugins: chosen ? [] : [...new Set(statuses.map((s) => s.plugin))],
    pending_plugins: [],
    binding_data: {},
    permit_deadline: null,
  };
}

export function summaryOf(report: CycleReport): DecisionSummary {
  const { sequence, pod, attempt, at, outcome, scheduler_name, node, message, filter, score } = report;
  const statuses = filter?.statuses ?? [];
  return {
    sequence,
    pod,
    attempt,
    at,
    outcome,
    scheduler_name,
    node,
    message,
    total_nodes: filter?.total_nodes ?? 0,
    evaluated: filter?.evaluated ?? 0,
    feasible: score?.nodes.length ?? 0,
    rejected: statuses.map((s, at) => ({
      plugin: s.plugin,
      reason: s.reasons[0] ?? "",
      count: filter?.status.filter((one) => one === at).length ?? 0,
    })),
    top: (score?.nodes ?? [])
      .map((name, at) => ({
        node: name,
        total: score?.totals[at] ?? 0,
        scores: { NodeResourcesFit: score?.totals[at] ?? 0 },
      }))
      .sort((a, b) => b.total - a.total)
      .slice(0, 5),
    tied: score?.best.length ?? 0,
    nominated_node_name: null,
    victims: [],
    duration_us: report.duration_us,
  };
}
