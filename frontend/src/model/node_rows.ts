/** The board as a table: a row a node, in any order, and as comma-separated values. */

import { type ColourContext, paintOfNode } from "./colouring";
import type { Matches } from "./matches";
import type { NodeCard } from "./messages.generated";
import { compareNames } from "./names";
import { own } from "./own";
import type { ClusterState, NodeLoad } from "./state";
import { NO_LOAD } from "./state";

export interface NodeRow {
  readonly node: NodeCard;
  readonly load: NodeLoad;
}

export const COLUMNS = ["name", "zone", "state", "pods", "cpu", "memory", "colour"] as const;
export type Column = (typeof COLUMNS)[number];

export interface Order {
  readonly column: Column;
  readonly descending: boolean;
}

/** The nodes that are looked for, or all. */
export function nodeRows({ nodes, loads }: ClusterState, matches: Matches | undefined): readonly NodeRow[] {
  const rows = [...nodes.values()].map((node) => ({ node, load: loads.get(node.name) ?? NO_LOAD }));
  return matches ? rows.filter(({ node, load }) => matches.isLit(node, load)) : rows;
}

/** Requested of allocatable; nothing of nothing is 0. */
export function shareOf({ node, load }: NodeRow, resource: string): number {
  const requested = own(load.usage, resource) ?? 0;
  const allocatable = own(node.allocatable, resource) ?? 0;
  if (allocatable > 0) return requested / allocatable;
  return requested > 0 ? Number.POSITIVE_INFINITY : 0;
}

type Key = number | string;

const compare = (a: Key, b: Key): number =>
  typeof a === "number" && typeof b === "number" ? a - b : compareNames(String(a), String(b));

export function sortedRows(rows: readonly NodeRow[], { column, descending }: Order, context: ColourContext): NodeRow[] {
  const keyed = rows.map((row) => ({ row, key: keyOf(row, column, context) }));
  const sign = descending ? -1 : 1;
  keyed.sort((a, b) => sign * compare(a.key, b.key) || compareNames(a.row.node.name, b.row.node.name));
  return keyed.map(({ row }) => row);
}

function keyOf(row: NodeRow, column: Column, context: ColourContext): Key {
  const { node, load } = row;
  switch (column) {
    case "name":
      return node.name;
    case "zone":
      return node.zone;
    case "state":
      return (node.ready === "True" ? 0 : 2) + Number(node.unschedulable);
    case "pods":
      return load.usage.pods ?? 0;
    case "cpu":
    case "memory":
      return shareOf(row, column);
    case "colour":
      return colourKey(row, context);
  }
}

/** Levels by size, verdicts with those that fit last, words by themselves. */
function colourKey({ node, load }: NodeRow, context: ColourContext): Key {
  const paint = paintOfNode(context, node, load);
  if (paint.kind === "level") return Number.isNaN(Number(paint.word)) ? paint.level : Number(paint.word);
  if (paint.kind === "verdict") return ["unresolvable", "rejected", "fits"].indexOf(paint.verdict);
  return paint.kind === "none" ? -1 : paint.word;
}
