/**
 * A drag as explicit states.
 *
 *     idle -> dragging -> idle                     dropped nowhere, or cancelled
 *                      -> working -> idle          a drop that needs no question
 *                      -> asking -> working        how a pod is to come to the node, or whether it should at all
 *                                -> idle           the person thought better of it
 *             working -> idle                      done, or refused: that is told at the node, and is no part of the drag
 *
 * Pure: what a drop means is decided here (`dropOn`), the deeds are done elsewhere.
 */
import type { PodRef } from "../model/messages.generated";
import type { NodeVerdict, Template } from "../transport/api_types";
import type { ApiError } from "../transport/errors";
import type { Deed } from "./deeds";
import { pinned } from "./fresh_manifest";
import type { Mark } from "./marks";
import { manifestOf, onNode } from "./template_manifest";

/** What is under the hand when it closes. */
export type Grip =
  | { readonly kind: "pod"; readonly pod: PodRef }
  | { readonly kind: "template"; readonly template: Template }
  | { readonly kind: "mark"; readonly mark: Mark }
  | { readonly kind: "node"; readonly name: string };

export interface DraggedPod extends PodRef {
  /** "" while it is pending. */
  readonly node: string;
  /** "ReplicaSet web-5d8": makes another pod when this one goes; "" where nobody does. */
  readonly owner: string;
}

/** What the hand holds: all that were picked together with what it closed on. */
export type DragSource =
  | { readonly kind: "pods"; readonly pods: readonly DraggedPod[] }
  | { readonly kind: "template"; readonly template: Template }
  | { readonly kind: "mark"; readonly mark: Mark }
  | { readonly kind: "nodes"; readonly names: readonly string[] };

export type DropTarget =
  | { readonly kind: "node"; readonly name: string }
  /** A region of the board, beside its nodes. */
  | { readonly kind: "group"; readonly group: string }
  | { readonly kind: "board" };

/** What the scheduler's Filter says about every node for what is being dragged. */
export type Verdicts =
  | { readonly kind: "none" }
  | { readonly kind: "asking" }
  | { readonly kind: "ready"; readonly byNode: ReadonlyMap<string, NodeVerdict> }
  | { readonly kind: "failed"; readonly error: ApiError };

/** How a pod comes to a node of a person's choice. */
export type Way = "hand" | "affinity";

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
  | { readonly kind: "working"; readonly source: DragSource; readonly node: string; readonly deeds: readonly Deed[] };

/** What a drop depends on besides the drag itself. */
export interface DropContext {
  /** "ask": nobody has said so far. */
  readonly way: Way | "ask";
  readonly pickedNodes: ReadonlySet<string>;
  /** The label by which the board is grouped; "" for no groups. */
  readonly groupBy: string;
  readonly groupOf: (node: string) => string;
}

export type DragEvent =
  | { readonly type: "picked_up"; readonly source: DragSource }
  | { readonly type: "moved_over"; readonly target: DropTarget | undefined }
  | { readonly type: "verdicts"; readonly source: DragSource; readonly verdicts: Verdicts }
  | { readonly type: "dropped"; readonly context: DropContext }
  | { readonly type: "cancelled" }
  | { readonly type: "confirmed"; readonly way: Way }
  | { readonly type: "done" };

export const IDLE: DragState = { kind: "idle" };

export const asksVerdicts = (source: DragSource): boolean =>
  source.kind === "pods" || (source.kind === "template" && source.template.kind === "Pod");

export function verdictOn(verdicts: Verdicts, node: string): NodeVerdict | undefined {
  return verdicts.kind === "ready" ? verdicts.byNode.get(node) : undefined;
}

// What a drop means

export type Drop = "nothing" | "ask" | { readonly deeds: readonly Deed[] };

const doing = (...deeds: readonly (Deed | undefined)[]): Drop => {
  const wanted = deeds.filter((deed) => deed !== undefined);
  return wanted.length === 0 ? "nothing" : { deeds: wanted };
};

export function dropOn(
  source: DragSource,
  target: DropTarget | undefined,
  verdicts: Verdicts,
  context: DropContext,
): Drop {
  if (!target) return "nothing";
  switch (source.kind) {
    case "template":
      return dropTemplate(source.template, target, verdicts, context);
    case "pods":
      return target.kind === "node" ? dropPods(source.pods, target.name, verdicts, context) : "nothing";
    case "mark":
      return target.kind === "node" ? dropMark(source.mark, target.name, context) : "nothing";
    default:
      return dropNodes(source.names, target, context);
  }
}

function dropTemplate(template: Template, target: DropTarget, verdicts: Verdicts, { way }: DropContext): Drop {
  const manifest = manifestOf(template);
  if (template.kind === "Node") return doing({ kind: "create", of: "Node", manifest });
  if (target.kind !== "node") return doing({ kind: "create", of: "Pod", manifest });
  if (way === "ask" || !verdictOn(verdicts, target.name)?.fits) return "ask";
  return doing(templateDeed(template, target.name, way));
}

function dropPods(pods: readonly DraggedPod[], node: string, verdicts: Verdicts, { way }: DropContext): Drop {
  const others = pods.filter((pod) => pod.node !== node);
  if (others.length === 0) return "nothing";
  const isPending = others.some((pod) => pod.node === "");
  if ((isPending && way === "ask") || !verdictOn(verdicts, node)?.fits) return "ask";
  return doing(...podDeeds(pods, node, way === "ask" ? "hand" : way));
}

function dropMark(mark: Mark, node: string, { pickedNodes }: DropContext): Drop {
  const names = pickedNodes.has(node) ? [...pickedNodes] : [node];
  return doing({ kind: "edit_nodes", names, edit: { kind: "put", mark } });
}

/** On a node means: to where that node is. */
function dropNodes(names: readonly string[], target: DropTarget, { groupBy, groupOf }: DropContext): Drop {
  if (groupBy === "" || target.kind === "board") return "nothing";
  const group = target.kind === "group" ? target.group : groupOf(target.name);
  const others = names.filter((name) => groupOf(name) !== group);
  if (others.length === 0) return "nothing";
  return doing({ kind: "edit_nodes", names: others, edit: { kind: "label", key: groupBy, value: group || null } });
}

function templateDeed(template: Template, node: string, way: Way): Deed {
  const manifest = manifestOf(template);
  const there = way === "hand" ? onNode(manifest, node) : pinned(manifest, node);
  return { kind: "create", of: "Pod", manifest: there, node };
}

/** A pod that runs is moved, whatever was chosen: it cannot be bound again. */
function podDeeds(pods: readonly DraggedPod[], node: string, way: Way): readonly Deed[] {
  const [pending, running] = [pods.filter((pod) => pod.node === ""), pods.filter((pod) => pod.node !== "")];
  const moved = running.filter((pod) => pod.node !== node);
  const kind = way === "hand" ? "bind" : "pin";
  return [
    ...(pending.length > 0 ? [{ kind, pods: pending.map(nameOfPod), node } as const] : []),
    ...(moved.length > 0 ? [{ kind: "move", pods: moved.map(nameOfPod), node } as const] : []),
  ];
}

const nameOfPod = ({ namespace, name }: DraggedPod) => ({ namespace, name });

/** What was asked about, done in the way that was chosen. */
export function deedsOn(source: DragSource, node: string, way: Way): readonly Deed[] {
  if (source.kind === "template") return [templateDeed(source.template, node, way)];
  return source.kind === "pods" ? podDeeds(source.pods, node, way) : [];
}

export const hasPending = (source: DragSource): boolean =>
  source.kind === "template" || (source.kind === "pods" && source.pods.some(({ node }) => node === ""));

/** Who makes another pod where one of these is moved away. */
export function replacersOf(source: DragSource): readonly string[] {
  if (source.kind !== "pods") return [];
  return [...new Set(source.pods.map(({ node, owner }) => (node === "" ? "" : owner)).filter(Boolean))];
}

// From state to state

export function nextDrag(state: DragState, event: DragEvent): DragState {
  if (event.type === "picked_up") {
    const verdicts: Verdicts = asksVerdicts(event.source) ? { kind: "asking" } : { kind: "none" };
    return { kind: "dragging", source: event.source, over: undefined, verdicts };
  }
  if (event.type === "cancelled") return IDLE;
  switch (state.kind) {
    case "dragging":
      return whileDragging(state, event);
    case "asking": {
      if (event.type !== "confirmed") return state;
      const { source, node } = state;
      return { kind: "working", source, node, deeds: deedsOn(source, node, event.way) };
    }
    case "working":
      return event.type === "done" ? IDLE : state;
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
      return afterDrop(state, event.context);
    default:
      return state;
  }
}

function afterDrop({ source, over, verdicts }: Dragging, context: DropContext): DragState {
  const drop = dropOn(source, over, verdicts, context);
  const node = over?.kind === "node" ? over.name : "";
  if (drop === "nothing") return IDLE;
  if (drop === "ask") return { kind: "asking", source, node, verdict: verdictOn(verdicts, node) };
  return { kind: "working", source, node, deeds: drop.deeds };
}

export function sameTarget(a: DropTarget | undefined, b: DropTarget | undefined): boolean {
  if (a?.kind === "node" && b?.kind === "node") return a.name === b.name;
  if (a?.kind === "group" && b?.kind === "group") return a.group === b.group;
  return a?.kind === b?.kind && a?.kind !== "node" && a?.kind !== "group";
}
