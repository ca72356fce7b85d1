/**
 * A drag as explicit states.
 *
 *     idle -> dragging -> idle                     dropped nowhere, or cancelled
 *                      -> working -> idle          a drop that needs no question
 *                      -> asking -> working        a drop on a node that does not fit
 *                                -> idle           the person thought better of it
 *             working -> failed -> idle            the server said no; its words stay until dismissed
 *
 * Pure: what a drop means is decided here (`intentOf`), the requests are sent elsewhere.
 */
import type { PodRef } from "../model/messages.generated";
import type { NodeVerdict, Template } from "../transport/api_types";
import type { ApiError } from "../transport/errors";

export type DragSource =
  | { readonly kind: "pod"; readonly pod: PodRef }
  | { readonly kind: "template"; readonly template: Template };

export type DropTarget = { readonly kind: "node"; readonly name: string } | { readonly kind: "board" };

/** What the scheduler's Filter says about every node for what is being dragged. */
export type Verdicts =
  | { readonly kind: "none" }
  | { readonly kind: "asking" }
  | { readonly kind: "ready"; readonly byNode: ReadonlyMap<string, NodeVerdict> }
  | { readonly kind: "failed"; readonly error: ApiError };

export type DragState =
  | { readonly kind: "idle" }
  | {
      readonly kind: "dragging";
      readonly source: DragSource;
      readonly over: DropTarget | undefined;
      readonly verdicts: Verdicts;
    }
  | {
      readonly kind: "asking";
      readonly source: DragSource;
      readonly node: string;
      readonly verdict: NodeVerdict | undefined;
    }
  | { readonly kind: "working"; readonly source: DragSource; readonly target: DropTarget }
  | { readonly kind: "failed"; readonly source: DragSource; readonly target: DropTarget; readonly error: ApiError };

export type DragEvent =
  | { readonly type: "picked_up"; readonly source: DragSource }
  | { readonly type: "moved_over"; readonly target: DropTarget | undefined }
  | { readonly type: "verdicts"; readonly source: DragSource; readonly verdicts: Verdicts }
  | { readonly type: "dropped" }
  | { readonly type: "cancelled" }
  | { readonly type: "confirmed" }
  | { readonly type: "done" }
  | { readonly type: "failed"; readonly error: ApiError };

export const IDLE: DragState = { kind: "idle" };

export type Intent = "nothing" | "ask" | "bind" | "create" | "create_on_node" | "add_node";

export const asksVerdicts = (source: DragSource): boolean => source.kind === "pod" || source.template.kind === "Pod";

/** What a drop of `source` on `target` asks for. */
export function intentOf(source: DragSource, target: DropTarget | undefined, verdicts: Verdicts): Intent {
  if (!target) return "nothing";
  if (source.kind === "template" && source.template.kind === "Node") return "add_node";
  if (target.kind === "board") return source.kind === "template" ? "create" : "nothing";
  if (!verdictOn(verdicts, target.name)?.fits) return "ask";
  return source.kind === "pod" ? "bind" : "create_on_node";
}

export function verdictOn(verdicts: Verdicts, node: string): NodeVerdict | undefined {
  return verdicts.kind === "ready" ? verdicts.byNode.get(node) : undefined;
}

export function nextDrag(state: DragState, event: DragEvent): DragState {
  if (event.type === "picked_up") {
    const verdicts: Verdicts = asksVerdicts(event.source) ? { kind: "asking" } : { kind: "none" };
    return { kind: "dragging", source: event.source, over: undefined, verdicts };
  }
  if (event.type === "cancelled") return IDLE;
  switch (state.kind) {
    case "dragging":
      return whileDragging(state, event);
    case "asking":
      if (event.type !== "confirmed") return state;
      return { kind: "working", source: state.source, target: { kind: "node", name: state.node } };
    case "working":
      if (event.type === "done") return IDLE;
      return event.type === "failed" ? { ...state, kind: "failed", error: event.error } : state;
    default:
      return state;
  }
}

type Dragging = Extract<DragState, { kind: "dragging" }>;

function whileDragging(state: Dragging, event: DragEvent): DragState {
  switch (event.type) {
    case "moved_over":
      return sameTarget(state.over, event.target) ? state : { ...state, over: event.target };
    case "verdicts":
      // An answer that comes after another drag began is about something else.
      return event.source === state.source ? { ...state, verdicts: event.verdicts } : state;
    case "dropped":
      return afterDrop(state);
    default:
      return state;
  }
}

function afterDrop({ source, over, verdicts }: Dragging): DragState {
  const intent = intentOf(source, over, verdicts);
  if (intent === "nothing" || !over) return IDLE;
  if (intent === "ask" && over.kind === "node") {
    return { kind: "asking", source, node: over.name, verdict: verdictOn(verdicts, over.name) };
  }
  return { kind: "working", source, target: over };
}

export function sameTarget(a: DropTarget | undefined, b: DropTarget | undefined): boolean {
  if (!a || !b || a.kind === "board" || b.kind === "board") return a?.kind === b?.kind;
  return a.name === b.name;
}

export function nameOf(source: DragSource): string {
  return source.kind === "pod" ? source.pod.name : source.template.title;
}
