/**
 * What if the weights were others? The same normalised scores, multiplied and summed again.
 *
 * Exact: raw and normalised scores do not depend on weights, so nothing needs to be asked anew. Among
 * nodes that share the highest total kube-scheduler draws; who would be drawn is not known, so a tie stays
 * a set.
 */
import type { ScoreReport } from "./messages.generated";
import { own } from "./own";

export type Weights = Readonly<Record<string, number>>;

export interface Rescored {
  readonly score: ScoreReport;
  /** Plugins whose weight is another than in the report. */
  readonly changed: readonly string[];
  readonly verdict: "same" | "another" | "tie_with_chosen";
}

export const weightsOf = (score: ScoreReport): Weights =>
  Object.fromEntries(score.plugins.map(({ plugin, weight }) => [plugin, weight]));

export function rescore(score: ScoreReport, weights: Weights): Rescored {
  const plugins = score.plugins.map((column) => {
    const weight = own(weights, column.plugin) ?? column.weight;
    return { ...column, weight, weighted: column.normalized.map((value) => value * weight) };
  });
  const totals = score.nodes.map((_, place) => plugins.reduce((sum, { weighted }) => sum + (weighted[place] ?? 0), 0));
  const highest = totals.reduce((most, total) => Math.max(most, total), Number.NEGATIVE_INFINITY);
  const best = score.nodes.filter((_, place) => totals[place] === highest);
  const changed = plugins.filter(({ weight }, index) => weight !== score.plugins[index]?.weight);
  const verdict = verdictOf(score, best);
  const only = best.length === 1 ? (best[0] ?? "") : "";
  const chosen = verdict === "same" ? score.chosen : only;
  return { score: { ...score, plugins, totals, best, chosen }, changed: changed.map(({ plugin }) => plugin), verdict };
}

function verdictOf(score: ScoreReport, best: readonly string[]): Rescored["verdict"] {
  if (!best.includes(score.chosen)) return "another";
  const drawn = new Set(score.best);
  const newcomers = best.some((node) => !drawn.has(node));
  // A tie that was there before was drawn before: only other partners make it another draw.
  return best.length > 1 && (newcomers || best.length !== score.best.length) ? "tie_with_chosen" : "same";
}

/** Plugins that say the same of every node: no weight of theirs can change who wins. */
export function idlePlugins(score: ScoreReport): ReadonlySet<string> {
  const idle = score.plugins.filter(({ normalized }) => normalized.every((value) => value === normalized[0]));
  return new Set(idle.map(({ plugin }) => plugin));
}
