/** What a stored cycle says of one node: why the pod did not go there, by the scores where it fitted. */
import type { CycleReport, ScoreReport, StatusReport } from "./messages.generated";

export interface Difference {
  readonly plugin: string;
  /** This node's weighted score less the chosen node's. */
  readonly points: number;
}

export type VerdictThen =
  | { readonly kind: "chosen" }
  | { readonly kind: "rejected"; readonly status: StatusReport }
  | { readonly kind: "passed" }
  | { readonly kind: "tied"; readonly chosen: string }
  /** `behind` is below 0 where an extender or a draw by hand took a node of fewer points. */
  | { readonly kind: "lost"; readonly chosen: string; readonly behind: number; readonly by: readonly Difference[] }
  | { readonly kind: "not_asked" }
  | { readonly kind: "unknown" };

export function verdictThen(report: CycleReport, node: string): VerdictThen {
  const { filter, score } = report;
  if (node === (report.node || score?.chosen)) return { kind: "chosen" };
  const place = filter?.nodes.indexOf(node) ?? -1;
  if (!filter || (place < 0 && filter.evaluated >= filter.total_nodes)) return { kind: "unknown" };
  if (place < 0) return filter.absent ? { kind: "rejected", status: filter.absent } : { kind: "not_asked" };
  const status = filter.statuses[filter.status[place] ?? -1];
  if (status) return { kind: "rejected", status };
  return score ? compared(score, node) : { kind: "passed" };
}

function compared(score: ScoreReport, node: string): VerdictThen {
  const [here, there] = [score.nodes.indexOf(node), score.nodes.indexOf(score.chosen)];
  if (here < 0 || there < 0) return { kind: "passed" };
  const behind = (score.totals[there] ?? 0) - (score.totals[here] ?? 0);
  if (behind === 0) return { kind: "tied", chosen: score.chosen };
  const by = score.plugins.map(({ plugin, weighted }) => ({
    plugin,
    points: (weighted[here] ?? 0) - (weighted[there] ?? 0),
  }));
  const telling = by.filter(({ points }) => points !== 0).sort((a, b) => a.points - b.points);
  return { kind: "lost", chosen: score.chosen, behind, by: telling };
}
