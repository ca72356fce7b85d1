/**
 * The one drag of the page: runs `interaction/drag.ts` and does what its states ask for.
 *
 * While a pod is dragged, the engine's own Filter and Score answer for every node
 * (`would-fit`); they are asked again when nodes or loads change under the hand.
 */
import { t } from "../../app/messages";
import { prefer, preferences } from "../../app/preferences";
import {
  asksVerdicts,
  type DragEvent,
  type DragSource,
  type DragState,
  type DropContext,
  type DropTarget,
  type Grip,
  IDLE,
  nextDrag,
  type Verdicts,
  type Way,
} from "../../interaction/drag";
import type { Failure } from "../../interaction/perform";
import { heldWith } from "../../interaction/picks";
import { manifestOf } from "../../interaction/template_manifest";
import { groupOf } from "../../model/grouping";
import { selectNodesByName } from "../../model/selectors";
import type { ClusterState } from "../../model/state";
import { createStore, type Store } from "../../model/store";
import { wouldFit } from "../../transport/api";
import { ApiError, asApiError } from "../../transport/errors";
import { send } from "../../transport/rest";
import { type Doer, refusal } from "../touch/doer";
import { draggedPods } from "../touch/dragged_pods";
import { picks } from "../touch/picks_store";
import { verdictsOf } from "../touch/use_verdicts";

export const drag = createStore<DragState>(IDLE);

/** What became of the last drag where nothing was done, in words, for the live region. */
export const dragOutcome = createStore("");

const ASK_AGAIN_MS = 600;

export class DragController {
  private stopFollowing: (() => void) | undefined;
  private questions = 0;

  constructor(
    private readonly cluster: string,
    private readonly state: Store<ClusterState | undefined>,
    private readonly doer: Doer,
  ) {}

  pickUp(grip: Grip): void {
    dragOutcome.set("");
    refusal.set(undefined);
    this.stopFollowing?.();
    const source = this.held(grip);
    this.tell({ type: "picked_up", source });
    if (!asksVerdicts(source)) return;
    void this.askVerdicts(source);
    this.stopFollowing = this.followChanges(source);
  }

  /** A hand on one of several that are picked holds all of them. */
  private held(grip: Grip): DragSource {
    const picked = picks.get();
    if (grip.kind === "node") return { kind: "nodes", names: heldWith(picked.nodes, grip.name) };
    if (grip.kind !== "pod") return grip;
    const pods = draggedPods(this.state.get(), heldWith(picked.pods, grip.pod.uid));
    return { kind: "pods", pods: pods.length > 0 ? pods : [{ ...grip.pod, node: "", owner: "" }] };
  }

  moveOver(target: DropTarget | undefined): void {
    this.tell({ type: "moved_over", target });
  }

  /** `way`: what a modifier key asked for, before what is remembered. */
  drop(way?: DropContext["way"]): void {
    this.stopFollowing?.();
    const state = drag.get();
    if (state.kind === "dragging" && state.over?.kind === "node" && this.refusedAsGone(state.over.name)) return;
    this.tell({ type: "dropped", context: this.context(way ?? preferences.get().dropWay) });
    if (drag.get().kind === "idle") dragOutcome.set(t.drag.cancelled);
    else void this.work();
  }

  private context(way: DropContext["way"]): DropContext {
    const state = this.state.get();
    const { groupBy } = preferences.get();
    const of = (name: string) => {
      const node = state && selectNodesByName(state).get(name);
      return node ? groupOf(node, groupBy) : "";
    };
    return { way, groupBy, groupOf: of, pickedNodes: picks.get().nodes };
  }

  /** The board is kept as it is under the hand: a node that went meanwhile is still to be seen there. */
  private refusedAsGone(node: string): boolean {
    const state = this.state.get();
    if (!state || selectNodesByName(state).has(node)) return false;
    this.cancel();
    const error = new ApiError(404, "NotFound", t.drag.nodeGone(node));
    refusal.set({ node, failures: [{ what: node, error }] });
    return true;
  }

  confirm(way: Way, remember: boolean): void {
    const state = drag.get();
    if (state.kind === "asking" && this.refusedAsGone(state.node)) return;
    if (remember) prefer({ dropWay: way });
    this.tell({ type: "confirmed", way });
    void this.work();
  }

  /** The page shows another time, or nothing any more: what is held, or asked about, is not there. */
  letGo(): void {
    const { kind } = drag.get();
    if (kind === "dragging" || kind === "asking") this.cancel();
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
    this.questions += 1;
    const question = this.questions;
    const verdicts = await this.verdictsOf(source);
    // An answer that comes after a newer question is about the cluster as it was.
    if (question === this.questions) this.tell({ type: "verdicts", source, verdicts });
  }

  private async verdictsOf(source: DragSource): Promise<Verdicts> {
    try {
      return { kind: "ready", byNode: await this.askedAbout(source) };
    } catch (thrown) {
      return { kind: "failed", error: asApiError(thrown) };
    }
  }

  private async askedAbout(source: DragSource) {
    if (source.kind === "pods") return verdictsOf(this.cluster, source.pods);
    if (source.kind !== "template") return new Map();
    const { nodes } = await send(wouldFit(this.cluster, { pod: manifestOf(source.template) }));
    return new Map(nodes.map((verdict) => [verdict.node, verdict]));
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

  private async work(): Promise<void> {
    const state = drag.get();
    if (state.kind !== "working") return;
    const failures: Failure[] = [];
    for (const deed of state.deeds) failures.push(...(await this.doer.do(deed)).failures);
    this.tell({ type: "done" });
    if (failures.length > 0) refusal.set({ node: state.node, failures });
  }
}
