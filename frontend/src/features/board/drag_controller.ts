/**
 * The one drag of the page: runs `interaction/drag.ts` and does what its states ask for.
 *
 * While a pod is dragged, the engine's own Filter and Score answer for every node
 * (`would-fit`); they are asked again when nodes or loads change under the hand.
 */
import { t } from "../../app/messages.en";
import {
  asksVerdicts,
  type DragEvent,
  type DragSource,
  type DragState,
  type DropTarget,
  IDLE,
  nextDrag,
  type Verdicts,
} from "../../interaction/drag";
import type { ClusterState } from "../../model/state";
import { createStore, type Store } from "../../model/store";
import { bindPod, createNode, createPod, type PodToFit, wouldFit } from "../../transport/api";
import type { Template } from "../../transport/api_types";
import { asApiError } from "../../transport/errors";
import { send } from "../../transport/rest";
import { manifestOf, pinnedTo } from "./template_manifest";

export const drag = createStore<DragState>(IDLE);

/** The last thing that a drop did, in words, for the live region. */
export const dragOutcome = createStore("");

const ASK_AGAIN_MS = 600;

export class DragController {
  private stopFollowing: (() => void) | undefined;

  constructor(
    private readonly cluster: string,
    private readonly state: Store<ClusterState | undefined>,
  ) {}

  pickUp(source: DragSource): void {
    dragOutcome.set("");
    this.tell({ type: "picked_up", source });
    if (!asksVerdicts(source)) return;
    void this.askVerdicts(source);
    this.stopFollowing = this.followChanges(source);
  }

  moveOver(target: DropTarget | undefined): void {
    this.tell({ type: "moved_over", target });
  }

  drop(): void {
    this.stopFollowing?.();
    this.tell({ type: "dropped" });
    const state = drag.get();
    if (state.kind === "working") void this.work(state.source, state.target);
    else if (state.kind === "idle") dragOutcome.set(t.drag.cancelled);
  }

  confirm(): void {
    this.tell({ type: "confirmed" });
    const state = drag.get();
    if (state.kind === "working") void this.work(state.source, state.target);
  }

  cancel(): void {
    this.stopFollowing?.();
    this.tell({ type: "cancelled" });
    dragOutcome.set(t.drag.cancelled);
  }

  private tell(event: DragEvent): void {
    drag.set(nextDrag(drag.get(), event));
  }

  private async askVerdicts(source: DragSource): Promise<void> {
    this.tell({ type: "verdicts", source, verdicts: await this.verdictsOf(source) });
  }

  private async verdictsOf(source: DragSource): Promise<Verdicts> {
    try {
      const { nodes } = await send(wouldFit(this.cluster, podToFit(source)));
      return { kind: "ready", byNode: new Map(nodes.map((verdict) => [verdict.node, verdict])) };
    } catch (thrown) {
      return { kind: "failed", error: asApiError(thrown) };
    }
  }

  private followChanges(source: DragSource): () => void {
    let seen = this.state.get();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = this.state.subscribe(() => {
      const now = this.state.get();
      const same = now?.nodes === seen?.nodes && now?.loads === seen?.loads;
      if (same || timer !== undefined) return;
      seen = now;
      timer = setTimeout(() => {
        timer = undefined;
        void this.askVerdicts(source);
      }, ASK_AGAIN_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }

  private async work(source: DragSource, target: DropTarget): Promise<void> {
    try {
      dragOutcome.set(await this.send(source, target));
      this.tell({ type: "done" });
    } catch (thrown) {
      this.tell({ type: "failed", error: asApiError(thrown) });
    }
  }

  /** Does what the drop asked for and says what was done. */
  private async send(source: DragSource, target: DropTarget): Promise<string> {
    if (source.kind === "template") return this.sendTemplate(source.template, target);
    if (target.kind !== "node") return "";
    const { namespace, name } = source.pod;
    await send(bindPod(this.cluster, namespace, name, target.name));
    return t.drag.boundTo(name, target.name);
  }

  private async sendTemplate(template: Template, target: DropTarget): Promise<string> {
    const manifest = manifestOf(template);
    if (template.kind === "Node") {
      const node = await send(createNode(this.cluster, manifest));
      return t.palette.created(node.metadata.name ?? template.title);
    }
    const namespace = manifest.metadata.namespace ?? "default";
    const pod = target.kind === "node" ? pinnedTo(manifest, target.name) : manifest;
    const created = await send(createPod(this.cluster, namespace, pod));
    const name = created.metadata.name ?? template.title;
    return target.kind === "node" ? t.drag.boundTo(name, target.name) : t.palette.created(name);
  }
}

export function podToFit(source: DragSource): PodToFit {
  if (source.kind === "template") return { pod: manifestOf(source.template) };
  return { namespace: source.pod.namespace, name: source.pod.name };
}
