/**
 * What colours nodes and pods on the board: a measure of the node, what a decision said of it, or what
 * kind its pods are.
 *
 * The answer is a `Paint`, a meaning without a colour: a level between 0 and 1, one of a few categories, a
 * verdict. Whoever draws gives it a colour, a pattern and, where there is room, its word, so that
 * nothing is told by colour alone.
 */

import type { CycleReport, NodeCard, PodCard } from "./messages.generated";
import { compareNames } from "./names";
import { own } from "./own";
import { type ClusterState, isTerminal, type NodeLoad } from "./state";

export type ColourBy =
  | { readonly kind: "utilisation"; readonly resource: string }
  | { readonly kind: "score"; readonly plugin: string }
  | { readonly kind: "filter" }
  | { readonly kind: "namespace" }
  | { readonly kind: "owner" }
  | { readonly kind: "priority" };

/** The sum of all plugins' weighted scores. */
export const TOTAL = "total";

export type Paint =
  | { readonly kind: "level"; readonly level: number; readonly over: boolean; readonly word: string }
  | { readonly kind: "category"; readonly index: number; readonly word: string }
  | { readonly kind: "verdict"; readonly verdict: Verdict; readonly word: string }
  | { readonly kind: "none"; readonly word: string };

export type Verdict = "fits" | "rejected" | "unresolvable";

/** As it is kept among the preferences. */
export function idOf(by: ColourBy): string {
  if (by.kind === "utilisation") return `utilisation:${by.resource}`;
  return by.kind === "score" ? `score:${by.plugin}` : by.kind;
}

const PLAIN: ReadonlySet<string> = new Set(["filter", "namespace", "owner", "priority"]);

/** Whatever cannot be read is utilisation of cpu. */
export function colourByOf(id: string): ColourBy {
  const at = id.indexOf(":");
  const [kind, rest] = at < 0 ? [id, ""] : [id.slice(0, at), id.slice(at + 1)];
  if (kind === "score" && rest) return { kind, plugin: rest };
  if (kind === "utilisation" && rest) return { kind, resource: rest };
  if (PLAIN.has(id)) return { kind: id as "filter" | "namespace" | "owner" | "priority" };
  return { kind: "utilisation", resource: "cpu" };
}

/** Colours that tell categories apart; what comes after them is "other". */
export const MOST_CATEGORIES = 8;

export interface Category {
  readonly name: string;
  readonly pods: number;
}

/** The most frequent kinds of pods, in the order of their names so that colours stay; the rest counted together. */
export interface Categories {
  readonly shown: readonly Category[];
  readonly others: number;
  readonly indexOf: ReadonlyMap<string, number>;
}

export type CategoryKind = "namespace" | "owner" | "priority";

export const NO_OWNER = "";

export function categoryOf(kind: CategoryKind, pod: PodCard): string {
  if (kind === "namespace") return pod.namespace;
  return kind === "priority" ? String(pod.priority) : ownerOf(pod);
}

/** A ReplicaSet is named for its Deployment and a hash; the Deployment is what people know. */
function ownerOf({ owner, labels }: PodCard): string {
  if (!owner) return NO_OWNER;
  const hash = labels["pod-template-hash"];
  return hash && owner.name.endsWith(`-${hash}`) ? owner.name.slice(0, -hash.length - 1) : owner.name;
}

export function categoriesOf(kind: CategoryKind, loads: ClusterState["loads"]): Categories {
  const counts = new Map<string, number>();
  for (const { pods } of loads.values()) {
    for (const pod of pods) {
      const name = categoryOf(kind, pod);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const byCount = [...counts].map(([name, pods]) => ({ name, pods })).sort((a, b) => b.pods - a.pods);
  const shown = byCount.slice(0, MOST_CATEGORIES).sort((a, b) => compareNames(a.name, b.name));
  return {
    shown,
    others: byCount.slice(MOST_CATEGORIES).reduce((sum, { pods }) => sum + pods, 0),
    indexOf: new Map(shown.map(({ name }, index) => [name, index])),
  };
}

/** What one decision said of every node it looked at. */
export interface DecisionColumns {
  readonly verdicts: ReadonlyMap<string, { readonly verdict: Verdict; readonly word: string }>;
  /** By plugin: 0 to 100 by node. `TOTAL` is stretched over what the nodes have. */
  readonly scores: ReadonlyMap<string, ReadonlyMap<string, { readonly level: number; readonly word: string }>>;
}

export function decisionColumns(report: CycleReport): DecisionColumns {
  return { verdicts: verdictsOf(report), scores: scoresOf(report) };
}

function verdictsOf({ filter }: CycleReport): DecisionColumns["verdicts"] {
  const verdicts = new Map<string, { verdict: Verdict; word: string }>();
  filter?.nodes.forEach((node, index) => {
    const status = filter.statuses[filter.status[index] ?? -1];
    const word = status ? `${status.plugin}: ${status.reasons.join(", ")}` : "";
    verdicts.set(node, { verdict: status ? verdictOfCode(status.code) : "fits", word });
  });
  return verdicts;
}

const verdictOfCode = (code: string): Verdict =>
  code === "UnschedulableAndUnresolvable" ? "unresolvable" : "rejected";

function scoresOf({ score }: CycleReport): DecisionColumns["scores"] {
  if (!score) return new Map();
  const columns = score.plugins.map(
    ({ plugin, normalized }) => [plugin, column(score.nodes, normalized, 0, 100)] as const,
  );
  const least = Math.min(...score.totals);
  return new Map([[TOTAL, column(score.nodes, score.totals, least, Math.max(...score.totals))], ...columns]);
}

function column(nodes: readonly string[], values: readonly number[], least: number, most: number) {
  const range = most - least || 1;
  return new Map(
    nodes.map((node, index) => {
      const value = values[index] ?? 0;
      return [node, { level: most === least ? 1 : (value - least) / range, word: String(value) }] as const;
    }),
  );
}

export interface ColourContext {
  readonly by: ColourBy;
  readonly categories: Categories | undefined;
  readonly decision: DecisionColumns | undefined;
}

const NOTHING: Paint = { kind: "none", word: "" };

export function paintOfNode({ by, categories, decision }: ColourContext, node: NodeCard, load: NodeLoad): Paint {
  switch (by.kind) {
    case "utilisation":
      return utilisation(node, load, by.resource);
    case "score":
      return scored(decision, by.plugin, node.name);
    case "filter":
      return judged(decision, node.name);
    default:
      return categories ? prevailing(by.kind, categories, load) : NOTHING;
  }
}

/** Undefined: the pod has the colour of its node. */
export function paintOfPod({ by, categories }: ColourContext, pod: PodCard): Paint | undefined {
  if (by.kind === "utilisation" || by.kind === "score" || by.kind === "filter") return undefined;
  return categories ? paintOfCategory(by.kind, categories, pod) : NOTHING;
}

function utilisation(node: NodeCard, { usage }: NodeLoad, resource: string): Paint {
  const allocatable = own(node.allocatable, resource) ?? 0;
  const requested = own(usage, resource) ?? 0;
  if (allocatable === 0 && requested === 0) return NOTHING;
  const share = allocatable === 0 ? Number.POSITIVE_INFINITY : requested / allocatable;
  const word = Number.isFinite(share) ? `${Math.round(share * 100)}%` : "∞";
  return { kind: "level", level: Math.min(1, share), over: share > 1, word };
}

function scored(decision: DecisionColumns | undefined, plugin: string, node: string): Paint {
  const score = decision?.scores.get(plugin)?.get(node);
  return score ? { kind: "level", over: false, ...score } : NOTHING;
}

function judged(decision: DecisionColumns | undefined, node: string): Paint {
  const verdict = decision?.verdicts.get(node);
  return verdict ? { kind: "verdict", ...verdict } : NOTHING;
}

function paintOfCategory(kind: CategoryKind, { indexOf }: Categories, pod: PodCard): Paint {
  const word = categoryOf(kind, pod);
  return { kind: "category", index: indexOf.get(word) ?? MOST_CATEGORIES, word };
}

/** Of a whole node: the kind that most of its pods are. */
function prevailing(kind: CategoryKind, categories: Categories, { pods }: NodeLoad): Paint {
  const counts = new Map<string, { count: number; pod: PodCard }>();
  let most: { count: number; pod: PodCard } | undefined;
  for (const pod of pods) {
    if (isTerminal(pod)) continue;
    const name = categoryOf(kind, pod);
    const entry = counts.get(name) ?? { count: 0, pod };
    entry.count += 1;
    counts.set(name, entry);
    if (!most || entry.count > most.count) most = entry;
  }
  return most ? paintOfCategory(kind, categories, most.pod) : NOTHING;
}

/** Resources that any node has, the usual ones first. */
export function resourcesOf(nodes: Iterable<NodeCard>): readonly string[] {
  const found = new Set(["cpu", "memory", "pods"]);
  for (const { allocatable } of nodes) for (const name in allocatable) found.add(name);
  return [...found];
}
