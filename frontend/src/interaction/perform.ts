/**
 * Does a deed, and tells what takes it back.
 *
 * What was is read first and what came is read from the answers, so that undoing brings back what was there and takes
 * away what was made, and nothing else. One refusal does not stop the others: each is told with the thing it is about.
 */
import {
  bindPod,
  cancelDrain,
  createNode,
  createPod,
  deleteObjects,
  drainNode,
  failNode,
  getObject,
  listNodes,
  movePod,
  type NamedObject,
  NODES,
  PODS,
  patchNodes,
  recoverNode,
  removePod,
  uncordonNode,
} from "../transport/api";
import type { Manifest } from "../transport/api_types";
import { ApiError, asApiError } from "../transport/errors";
import type { ApiRequest } from "../transport/rest";
import type { Deed, PodName } from "./deeds";
import { freshNode, freshPod, pinnedCopy } from "./fresh_manifest";
import { type JsonObject, type NodeEdit, patchFor } from "./node_patch";

export type Send = <T>(asked: ApiRequest<T>) => Promise<T>;

export type UndoStep =
  | { readonly kind: "send"; readonly request: ApiRequest<unknown> }
  /** `left`: what the deed wrote, and what must be there still. */
  | { readonly kind: "patch"; readonly name: string; readonly inverse: JsonObject; readonly left: JsonObject };

export interface Failure {
  /** A pod or a node. */
  readonly what: string;
  readonly error: ApiError;
}

/** What undoing cannot bring back. */
export type Loss = "owned" | "evicted";

export interface Done {
  /** Names of what was changed or made. */
  readonly names: readonly string[];
  readonly failures: readonly Failure[];
  /** In the order in which they are taken. */
  readonly undo: readonly UndoStep[];
  readonly losses: readonly Loss[];
  /** What was sent, without what was only read. */
  readonly sent: readonly ApiRequest<unknown>[];
  /** "Deployment web": makes a pod of its own for one that was moved. */
  readonly replaced_by: string;
}

export async function perform(cluster: string, deed: Deed, send: Send): Promise<Done> {
  const run = new Run(cluster, send);
  await run.deed(deed);
  return run.done();
}

const HTTP_CONFLICT = 409;

class Run {
  private readonly names: string[] = [];
  private readonly failures: Failure[] = [];
  private undo: UndoStep[] = [];
  private readonly losses = new Set<Loss>();
  private readonly sent: ApiRequest<unknown>[] = [];
  private replacedBy = "";

  constructor(
    private readonly cluster: string,
    private readonly ask: Send,
  ) {}

  done(): Done {
    const { names, failures, undo, sent } = this;
    return { names, failures, undo, sent, losses: [...this.losses], replaced_by: this.replacedBy };
  }

  async deed(deed: Deed): Promise<void> {
    switch (deed.kind) {
      case "create":
        return this.create(deed.of, deed.manifest);
      case "bind":
        return this.each(deed.pods, podText, (pod) => this.bind(pod, deed.node));
      case "pin":
        return this.each(deed.pods, podText, (pod) => this.pin(pod, deed.node));
      case "move":
        return this.each(deed.pods, podText, (pod) => this.move(pod, deed.node));
      case "delete_pods":
        return this.deletePods(deed.pods);
      case "edit_nodes":
        return this.editNodes(deed.names, deed.edit);
      case "drain":
        return this.each(deed.names, plain, async (name) => this.drain(name, deed.options));
      case "cancel_drain":
        return this.each(deed.names, plain, async (name) => void (await this.send(cancelDrain(this.cluster, name))));
      case "fail":
        return this.each(deed.names, plain, (name) => this.toggled(name, failNode, recoverNode));
      case "recover":
        return this.each(deed.names, plain, (name) => this.toggled(name, recoverNode, failNode));
      case "delete_nodes":
        return this.deleteNodes(deed.names);
    }
  }

  private async send<T>(asked: ApiRequest<T>): Promise<T> {
    this.sent.push(asked);
    return this.ask(asked);
  }

  /** The newest is undone first. */
  private takesBack(...steps: UndoStep[]): void {
    this.undo = [...steps, ...this.undo];
  }

  private async each<T>(all: readonly T[], word: (one: T) => string, act: (one: T) => Promise<void>): Promise<void> {
    for (const one of all) {
      try {
        await act(one);
        this.names.push(word(one));
      } catch (thrown) {
        this.failures.push({ what: word(one), error: asApiError(thrown) });
      }
    }
  }

  /** One question about many things: where it fails, it has failed for each of them. */
  private async answered<T>(all: readonly string[], question: () => Promise<T>): Promise<T | undefined> {
    try {
      return await question();
    } catch (thrown) {
      const error = asApiError(thrown);
      this.failures.push(...all.map((what) => ({ what, error })));
      return undefined;
    }
  }

  // Pods

  private async create(of: "Pod" | "Node", manifest: Manifest): Promise<void> {
    const { name = "", generateName = "", namespace = "default" } = manifest.metadata;
    try {
      const asked = of === "Pod" ? createPod(this.cluster, namespace, manifest) : createNode(this.cluster, manifest);
      const { metadata } = await this.send(asked);
      this.names.push(metadata.name ?? name);
      this.takesBack(of === "Pod" ? this.removing(metadata) : this.deleting("Node", metadata));
    } catch (thrown) {
      this.failures.push({ what: name || generateName, error: asApiError(thrown) });
    }
  }

  private async bind({ namespace, name }: PodName, node: string): Promise<void> {
    const before = await this.ask(getObject(this.cluster, PODS, namespace, name));
    await this.send(bindPod(this.cluster, namespace, name, node));
    // A Binding cannot be taken back: the pod goes, and is made anew without a node.
    this.takesBack(this.removing(before.metadata), ...this.remaking(before, ""));
  }

  private async pin({ namespace, name }: PodName, node: string): Promise<void> {
    const before = await this.ask(getObject(this.cluster, PODS, namespace, name));
    refuseBound(before);
    const copy = await this.send(createPod(this.cluster, namespace, pinnedCopy(before, node)));
    this.takesBack(this.removing(copy.metadata));
    await this.send(removePod(this.cluster, namespace, name, before.metadata.uid ?? ""));
    this.replacedBy = ownerOf(before) || this.replacedBy;
    this.takesBack(...this.remaking(before, ""));
  }

  private async move({ namespace, name }: PodName, node: string): Promise<void> {
    const before = await this.ask(getObject(this.cluster, PODS, namespace, name));
    const moved = await this.send(movePod(this.cluster, namespace, name, node));
    this.replacedBy = moved.replaced_by || this.replacedBy;
    const copy = { namespace: moved.namespace, name: moved.name, uid: moved.uid };
    // First the old one: while its name is still taken, the copy is left alone.
    this.takesBack(...this.remaking(before, nodeOf(before)), this.removing(copy));
  }

  private async deletePods(pods: readonly PodName[]): Promise<void> {
    const before = await this.readPods(pods);
    const wanted = before.map((pod) => named("Pod", pod));
    await this.deleteAll(wanted, (at) => this.remaking(before[at], nodeOf(before[at])));
  }

  private async readPods(pods: readonly PodName[]): Promise<readonly Manifest[]> {
    const found: Manifest[] = [];
    for (const pod of pods) {
      try {
        found.push(await this.ask(getObject(this.cluster, PODS, pod.namespace, pod.name)));
      } catch (thrown) {
        this.failures.push({ what: podText(pod), error: asApiError(thrown) });
      }
    }
    return found;
  }

  private async deleteAll(objects: readonly NamedObject[], back: (at: number) => readonly UndoStep[]): Promise<void> {
    if (objects.length === 0) return;
    const answer = await this.answered(objects.map(objectText), () => this.send(deleteObjects(this.cluster, objects)));
    answer?.results.forEach(({ namespace, name, error }, at) => {
      const what = objectText({ namespace, name });
      if (error) this.failures.push({ what, error: new ApiError(HTTP_CONFLICT, "refused", error) });
      else {
        this.names.push(what);
        this.takesBack(...back(at));
      }
    });
  }

  private removing({ namespace = "default", name = "", uid = "" }: Manifest["metadata"]): UndoStep {
    return { kind: "send", request: removePod(this.cluster, namespace, name, uid) };
  }

  private deleting(kind: "Node", { name = "" }: Manifest["metadata"]): UndoStep {
    return { kind: "send", request: deleteObjects(this.cluster, [{ kind, name }]) };
  }

  /** Nothing for a pod that a controller owns: that has made another one by itself. */
  private remaking(pod: Manifest | undefined, node: string): readonly UndoStep[] {
    if (!pod) return [];
    if (ownerOf(pod)) {
      this.losses.add("owned");
      return [];
    }
    const { namespace = "default" } = pod.metadata;
    return [{ kind: "send", request: createPod(this.cluster, namespace, freshPod(pod, node)) }];
  }

  // Nodes

  private async editNodes(names: readonly string[], edit: NodeEdit): Promise<void> {
    const nodes = await this.readNodes(names);
    for (const [patch, some] of grouped(nodes, (node) => patchFor(node, edit))) await this.patch(some, patch);
  }

  /** One by one where they are few, else all that there are in one answer. */
  private async readNodes(names: readonly string[]): Promise<readonly Manifest[]> {
    if (names.length <= MOST_READ_ALONE) {
      const read: Manifest[] = [];
      await this.eachRead(names, async (name) => {
        read.push(await this.ask(getObject(this.cluster, NODES, "", name)));
      });
      return read;
    }
    const wanted = new Set(names);
    const answer = await this.answered(names, () => this.ask(listNodes(this.cluster)));
    return answer ? answer.items.filter(({ metadata }) => wanted.has(metadata.name ?? "")) : [];
  }

  private async eachRead(names: readonly string[], act: (name: string) => Promise<void>): Promise<void> {
    for (const name of names) {
      try {
        await act(name);
      } catch (thrown) {
        this.failures.push({ what: name, error: asApiError(thrown) });
      }
    }
  }

  private async patch(names: readonly string[], patch: JsonObject): Promise<void> {
    const answer = await this.answered(names, () => this.send(patchNodes(this.cluster, names, patch)));
    for (const { name, error, inverse } of answer?.results ?? []) {
      if (error) this.failures.push({ what: name, error: new ApiError(HTTP_CONFLICT, "refused", error) });
      else {
        this.names.push(name);
        this.takesBack({ kind: "patch", name, inverse: inverse as JsonObject, left: patch });
      }
    }
  }

  private async drain(name: string, options: Parameters<typeof drainNode>[2]): Promise<void> {
    const node = await this.ask(getObject(this.cluster, NODES, "", name));
    const back = node.spec?.unschedulable ? cancelDrain(this.cluster, name) : uncordonNode(this.cluster, name);
    try {
      const { pods } = await this.send(drainNode(this.cluster, name, options));
      if (pods.length > 0) this.losses.add("evicted");
      this.takesBack({ kind: "send", request: back });
    } catch (thrown) {
      // As with kubectl, a drain that is refused has cordoned the node.
      const cordoned = asApiError(thrown).isConflict && !node.spec?.unschedulable;
      if (cordoned) this.takesBack({ kind: "send", request: back });
      throw thrown;
    }
  }

  private async toggled(name: string, act: NodeAction, back: NodeAction): Promise<void> {
    await this.send(act(this.cluster, name));
    this.takesBack({ kind: "send", request: back(this.cluster, name) });
  }

  private async deleteNodes(names: readonly string[]): Promise<void> {
    const before = await this.readNodes(names);
    const wanted = before.map((node) => named("Node", node));
    await this.deleteAll(wanted, (at) => {
      const node = before[at];
      return node ? [{ kind: "send", request: createNode(this.cluster, freshNode(node)) }] : [];
    });
  }
}

type NodeAction = (cluster: string, name: string) => ApiRequest<unknown>;

const MOST_READ_ALONE = 4;

const plain = (name: string): string => name;
const podText = ({ namespace, name }: PodName): string => `${namespace}/${name}`;

const objectText = ({ namespace = "", name }: { readonly namespace?: string; readonly name: string }): string =>
  namespace ? podText({ namespace, name }) : name;

function named(kind: NamedObject["kind"], { metadata }: Manifest): NamedObject {
  const { namespace, name = "" } = metadata;
  return kind === "Pod" ? { kind, namespace: namespace ?? "default", name } : { kind, name };
}

const nodeOf = (pod: Manifest | undefined): string => String(pod?.spec?.nodeName ?? "");

interface Owner {
  readonly kind: string;
  readonly name: string;
  readonly controller?: boolean;
}

function ownerOf(pod: Manifest): string {
  const owners = (pod.metadata as { readonly ownerReferences?: readonly Owner[] }).ownerReferences ?? [];
  const owner = owners.find(({ controller }) => controller);
  return owner ? `${owner.kind} ${owner.name}` : "";
}

function refuseBound(pod: Manifest): void {
  const node = nodeOf(pod);
  if (!node) return;
  throw new ApiError(
    HTTP_CONFLICT,
    "Conflict",
    `pod ${pod.metadata.name} is bound to ${node} already: move it instead`,
  );
}

/** Nodes that get the same patch together; those that are that way already are left out. */
function grouped(
  nodes: readonly Manifest[],
  patchOf: (node: Manifest) => JsonObject | undefined,
): readonly (readonly [JsonObject, readonly string[]])[] {
  const groups = new Map<string, { patch: JsonObject; names: string[] }>();
  for (const node of nodes) {
    const patch = patchOf(node);
    if (!patch) continue;
    const key = JSON.stringify(patch);
    const group = groups.get(key) ?? { patch, names: [] };
    group.names.push(node.metadata.name ?? "");
    groups.set(key, group);
  }
  return [...groups.values()].map(({ patch, names }) => [patch, names] as const);
}
