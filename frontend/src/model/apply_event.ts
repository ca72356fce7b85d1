/**
 * state + frame = next state.
 *
 * Every map has at most one next version per frame, made when the frame first writes to it (`layered_map.ts`), and only the
 * loads of nodes that a message touched are summed up again, from the pods that were there: a frame of
 * 300 pods costs about as much as one of three. A batch that does not continue from the state's version is refused
 * (`VersionGap`), because guessing would show a cluster that never was.
 */
import { nextVersion, type WritableMap } from "./layered_map";
import { loadOf, loadsOf } from "./load";
import type {
  BatchFrame,
  BindingCard,
  DecisionSummary,
  EventCard,
  NodeCard,
  ObjectCard,
  ObjectMessage,
  PodCard,
  QueuedPodCard,
  QueueMessage,
  SnapshotFrame,
  WorkloadCard,
} from "./messages.generated";
import { type ClusterState, MAX_DECISIONS, MAX_MOVES, type NumberedMove, type Uid } from "./state";

type Card = ObjectMessage["object"];
type Message = BatchFrame["messages"][number];

export class VersionGap extends Error {
  constructor(
    readonly have: number,
    readonly after: number,
  ) {
    super(`a batch continues from version ${after}, but the page is at ${have}`);
  }
}

export function stateOfSnapshot(frame: SnapshotFrame): ClusterState {
  const cards = frame.objects;
  const pods = byUid(cards.filter((card): card is PodCard => card.kind === "Pod"));
  return {
    version: frame.version,
    cluster: frame.cluster,
    nodes: byUid(cards.filter((card): card is NodeCard => card.kind === "Node")),
    pods,
    unbound: new Map([...pods].filter(([, { node_name }]) => node_name === "")),
    workloads: byUid(cards.filter((card): card is WorkloadCard => card.kind === "Workload")),
    events: byUid(cards.filter((card): card is EventCard => card.kind === "Event")),
    objects: byUid(cards.filter((card): card is ObjectCard => card.kind === "Object")),
    ...queueOf(frame.queue),
    bindings: new Map(frame.bindings.map((card) => [card.pod.uid, card])),
    decisions: frame.decisions,
    moves: [],
    loads: loadsOf(pods.values()),
  };
}

function queueOf(cards: readonly QueuedPodCard[]): Pick<ClusterState, "queue" | "rivals"> {
  const queue = new Map<Uid, QueuedPodCard>();
  const rivals = new Map<Uid, readonly QueuedPodCard[]>();
  for (const card of cards) {
    const { uid } = card.pod;
    if (queue.has(uid)) rivals.set(uid, [...(rivals.get(uid) ?? []), card]);
    else queue.set(uid, card);
  }
  return { queue, rivals };
}

function byUid<T extends { readonly uid: Uid }>(cards: readonly T[]): Map<Uid, T> {
  return new Map(cards.map((card) => [card.uid, card]));
}

export function applyBatch(state: ClusterState, frame: BatchFrame): ClusterState {
  if (frame.version <= state.version) return state;
  if (frame.after > state.version) throw new VersionGap(state.version, frame.after);
  const draft = new Draft(state);
  for (const message of frame.messages) {
    if (message.version > state.version) draft.apply(message);
  }
  return draft.finish(frame.version);
}

/** One frame's work: maps copied on their first write. */
class Draft {
  private readonly written = new Map<keyof ClusterState, WritableMap<Uid, unknown>>();
  /** By node name: uids of pods that came, went or changed there. */
  private readonly touched = new Map<string, Set<Uid>>();
  private readonly newMoves: NumberedMove[] = [];
  private readonly newDecisions: DecisionSummary[] = [];
  private cluster;

  constructor(private readonly state: ClusterState) {
    this.cluster = state.cluster;
  }

  apply(message: Message): void {
    switch (message.type) {
      case "object":
        this.applyObject(message);
        break;
      case "queue":
        this.applyQueue(message);
        break;
      case "decisions":
        this.newDecisions.push(...message.decisions);
        break;
      case "bindings":
        for (const binding of message.bindings) this.applyBinding(binding);
        break;
      case "cluster":
        this.cluster = message.cluster;
    }
  }

  private applyObject({ event, object }: ObjectMessage): void {
    if (object.kind === "Pod") this.touchNodesOf(object);
    const map = this.mapOf(object);
    if (event === "DELETED") map.delete(object.uid);
    else map.set(object.uid, object);
    if (object.kind !== "Pod") return;
    this.noteUnbound(object, event);
    if (event === "DELETED") this.forgetPod(object.uid);
  }

  private mapOf(card: Card): WritableMap<Uid, unknown> {
    switch (card.kind) {
      case "Node":
        return this.write("nodes");
      case "Pod":
        return this.write("pods");
      case "Workload":
        return this.write("workloads");
      case "Event":
        return this.write("events");
      case "Object":
        return this.write("objects");
    }
  }

  private touchNodesOf(pod: PodCard): void {
    const before = this.read("pods").get(pod.uid) as PodCard | undefined;
    for (const name of [before?.node_name, pod.node_name]) {
      if (!name) continue;
      const uids = this.touched.get(name);
      if (uids) uids.add(pod.uid);
      else this.touched.set(name, new Set([pod.uid]));
    }
  }

  private noteUnbound(pod: PodCard, event: ObjectMessage["event"]): void {
    if (event !== "DELETED" && pod.node_name === "") this.write("unbound").set(pod.uid, pod);
    else if (this.read("unbound").has(pod.uid)) this.write("unbound").delete(pod.uid);
  }

  private forgetPod(uid: Uid): void {
    if (this.read("queue").has(uid)) this.write("queue").delete(uid);
    if (this.read("rivals").has(uid)) this.write("rivals").delete(uid);
    if (this.read("bindings").has(uid)) this.write("bindings").delete(uid);
  }

  private applyQueue(message: QueueMessage): void {
    for (const card of message.pods) this.enqueue(card);
    for (const uid of message.gone) this.dequeue(uid, message.scheduler);
    const first = (this.state.moves.at(-1)?.id ?? 0) + this.newMoves.length + 1;
    message.moves.forEach((move, index) => {
      this.newMoves.push({ id: first + index, version: message.version, move });
    });
  }

  private enqueue(card: QueuedPodCard): void {
    const { uid } = card.pod;
    const shown = this.read("queue").get(uid) as QueuedPodCard | undefined;
    if (!shown || shown.scheduler === card.scheduler) this.write("queue").set(uid, card);
    else this.write("rivals").set(uid, [...this.rivalsOf(uid, card.scheduler), card]);
  }

  private dequeue(uid: Uid, scheduler: string): void {
    const shown = this.read("queue").get(uid) as QueuedPodCard | undefined;
    const rivals = this.rivalsOf(uid, scheduler);
    const [next, ...others] = shown?.scheduler === scheduler ? [rivals[0], ...rivals.slice(1)] : [shown, ...rivals];
    if (!next) this.write("queue").delete(uid);
    else if (next !== shown) this.write("queue").set(uid, next);
    if (others.length > 0) this.write("rivals").set(uid, others);
    else if (this.read("rivals").has(uid)) this.write("rivals").delete(uid);
  }

  /** Without that of one scheduler. */
  private rivalsOf(uid: Uid, scheduler: string): readonly QueuedPodCard[] {
    const rivals = (this.read("rivals").get(uid) ?? []) as readonly QueuedPodCard[];
    return rivals.filter((rival) => rival.scheduler !== scheduler);
  }

  private applyBinding(binding: BindingCard): void {
    this.write("bindings").set(binding.pod.uid, binding);
  }

  private read(name: MapName): ReadonlyMap<Uid, unknown> {
    return this.written.get(name) ?? this.state[name];
  }

  private write(name: MapName): WritableMap<Uid, unknown> {
    let map = this.written.get(name);
    if (!map) {
      map = nextVersion<Uid, unknown>(this.read(name));
      this.written.set(name, map);
    }
    return map;
  }

  finish(version: number): ClusterState {
    return {
      ...this.state,
      ...Object.fromEntries(this.written),
      version,
      cluster: this.cluster,
      decisions: appended(this.state.decisions, this.newDecisions, MAX_DECISIONS),
      moves: appended(this.state.moves, this.newMoves, MAX_MOVES),
      loads: this.loads(),
    };
  }

  private loads(): ClusterState["loads"] {
    if (this.touched.size === 0) return this.state.loads;
    const loads = new Map(this.state.loads);
    for (const [name, uids] of this.touched) {
      const pods = this.podsOn(name, uids);
      if (pods.length > 0) loads.set(name, loadOf(pods));
      else loads.delete(name);
    }
    return loads;
  }

  /** Those that were there and were not touched, and the touched ones that are there now. */
  private podsOn(node: string, touched: ReadonlySet<Uid>): readonly PodCard[] {
    const stayed = (this.state.loads.get(node)?.pods ?? []).filter(({ uid }) => !touched.has(uid));
    const pods = this.read("pods") as ReadonlyMap<Uid, PodCard>;
    const now = [...touched].flatMap((uid) => pods.get(uid) ?? []).filter(({ node_name }) => node_name === node);
    return [...stayed, ...now];
  }
}

type MapName = "nodes" | "pods" | "unbound" | "workloads" | "events" | "objects" | "queue" | "rivals" | "bindings";

function appended<T>(list: readonly T[], more: readonly T[], limit: number): readonly T[] {
  if (more.length === 0) return list;
  return [...list, ...more].slice(-limit);
}
