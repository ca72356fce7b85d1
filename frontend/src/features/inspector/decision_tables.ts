/**
 * A cycle's columns as the rows that people read.
 *
 * The server sends columns, one entry per node; a table wants a row per node, sorted, and for
 * thousands of nodes the rejections in groups. Pure functions, so that the tables can be tested and
 * copied without being drawn.
 */
import { toCsv } from "../../model/csv";
import type { Candidate, FilterReport, ScoreReport, StatusReport } from "../../model/messages.generated";
import { compareNames } from "../../model/names";

export interface FilterRow {
  readonly node: string;
  /** Undefined: the node passed. */
  readonly status: StatusReport | undefined;
}

export interface FilterGroup {
  readonly status: StatusReport | undefined;
  readonly nodes: readonly string[];
}

export function filterRows(filter: FilterReport): readonly FilterRow[] {
  return filter.nodes.map((node, index) => {
    const code = filter.status[index] ?? -1;
    return { node, status: code < 0 ? undefined : filter.statuses[code] };
  });
}

/** Rows with the same first rejection together: those that passed first, then the largest group. */
export function filterGroups(rows: readonly FilterRow[]): readonly FilterGroup[] {
  const groups = new Map<StatusReport | undefined, string[]>();
  for (const { node, status } of rows) {
    const nodes = groups.get(status);
    if (nodes) nodes.push(node);
    else groups.set(status, [node]);
  }
  return [...groups]
    .map(([status, nodes]) => ({ status, nodes }))
    .sort((a, b) => Number(a.status !== undefined) - Number(b.status !== undefined) || b.nodes.length - a.nodes.length);
}

export interface Arithmetic {
  readonly raw: number;
  readonly normalized: number;
  readonly weight: number;
  readonly weighted: number;
}

export interface ScoreRow {
  readonly node: string;
  readonly total: number;
  /** The highest total; one of these was drawn. */
  readonly best: boolean;
  readonly chosen: boolean;
  /** In the order of `ScoreReport.plugins`. */
  readonly scores: readonly Arithmetic[];
}

/** Highest total first; the chosen node before those it was tied with. */
export function scoreRows(score: ScoreReport): readonly ScoreRow[] {
  const best = new Set(score.best);
  const rows = score.nodes.map((node, index) => ({
    node,
    total: score.totals[index] ?? 0,
    best: best.has(node),
    chosen: node === score.chosen,
    scores: score.plugins.map(({ raw, normalized, weight, weighted }) => ({
      raw: raw[index] ?? 0,
      normalized: normalized[index] ?? 0,
      weight,
      weighted: weighted[index] ?? 0,
    })),
  }));
  return rows.sort((a, b) => b.total - a.total || Number(b.chosen) - Number(a.chosen));
}

/** "node", "total", or the index of a plugin's column. */
export type ScoreColumnKey = "node" | "total" | number;

export interface ScoreOrder {
  readonly by: ScoreColumnKey;
  readonly descending: boolean;
}

/** Rows that are equal there stay in the order they had. */
export function sortedRows(rows: readonly ScoreRow[], { by, descending }: ScoreOrder): readonly ScoreRow[] {
  const sign = descending ? -1 : 1;
  const figure = (row: ScoreRow) => (by === "total" ? row.total : (row.scores[by as number]?.weighted ?? 0));
  if (by === "node") return [...rows].sort((a, b) => sign * compareNames(a.node, b.node));
  return [...rows].sort((a, b) => sign * (figure(a) - figure(b)));
}

export const filterCsv = (rows: readonly FilterRow[]): string =>
  toCsv([
    ["node", "code", "plugin", "reasons"],
    ...rows.map(({ node, status }) => [
      node,
      status?.code ?? "Success",
      status?.plugin ?? "",
      status?.reasons.join("; ") ?? "",
    ]),
  ]);

export function scoreCsv(score: ScoreReport): string {
  const parts = ["raw", "normalized", "weight", "weighted"] as const;
  const head = score.plugins.flatMap(({ plugin }) => parts.map((part) => `${plugin} ${part}`));
  return toCsv([
    ["node", ...head, "total", "chosen"],
    ...scoreRows(score).map(({ node, scores, total, chosen }) => [
      node,
      ...scores.flatMap((one) => parts.map((part) => one[part])),
      total,
      chosen ? "yes" : "",
    ]),
  ]);
}

export const candidatesCsv = (candidates: readonly Candidate[]): string =>
  toCsv([
    ["node", "victims", "pdb violations", "highest priority", "sum of priorities", "latest start", "budgets"],
    ...candidates.map((one) => [
      one.node,
      one.victims.map(({ namespace, name }) => `${namespace}/${name}`).join(" "),
      one.pdb_violations,
      one.highest_priority,
      one.sum_priority,
      one.latest_start ?? "",
      (one.budgets ?? []).map(({ namespace, name }) => `${namespace}/${name}`).join(" "),
    ]),
  ]);

interface Told {
  readonly node: string;
  readonly rejections: readonly { plugin: string; reasons: readonly string[]; remedies: readonly string[] }[];
}

export const rejectionsCsv = (nodes: readonly Told[]): string =>
  toCsv([
    ["node", "plugin", "reasons", "remedies"],
    ...nodes.flatMap(({ node, rejections }) =>
      rejections.map(({ plugin, reasons, remedies }) => [node, plugin, reasons.join("; "), remedies.join("; ")]),
    ),
  ]);
