/**
 * How preemption chose among its candidates: five rules, each breaking the ties of the one before.
 *
 * The report tells the rule that decided; here every candidate gets its figure for each rule and the
 * rule at which it fell out, so that the choice can be followed with a finger.
 */
import type { Candidate } from "./messages.generated";

export const RULES = ["violations", "highest", "sum", "count", "start"] as const;
export type Rule = (typeof RULES)[number];

/** Added to every priority in the sum, so that victims of negative priority do not look like a gain. */
const PRIORITY_OFFSET = 2 ** 31;

export interface JudgedCandidate {
  readonly candidate: Candidate;
  /** Index of the rule at which it fell out; undefined: it is among the last ones. */
  readonly fellAt: number | undefined;
  /** By rule: rows that were still compared have a figure that decided. */
  readonly costs: Readonly<Record<Rule, number>>;
}

export function judged(candidates: readonly Candidate[]): readonly JudgedCandidate[] {
  const costs = candidates.map(costsOf);
  const fell = new Map<number, number>();
  RULES.forEach((rule, index) => {
    const left = costs.map((_, place) => place).filter((place) => !fell.has(place));
    if (left.length < 2) return;
    const least = left.reduce((low, place) => Math.min(low, costs[place]?.[rule] ?? low), Number.POSITIVE_INFINITY);
    for (const place of left) if ((costs[place]?.[rule] ?? least) > least) fell.set(place, index);
  });
  return candidates.map((candidate, place) => ({
    candidate,
    fellAt: fell.get(place),
    costs: costs[place] ?? costsOf(candidate),
  }));
}

function costsOf(candidate: Candidate): Record<Rule, number> {
  const { pdb_violations: violations, highest_priority: highest, sum_priority, victims, latest_start } = candidate;
  return {
    violations,
    highest,
    sum: sum_priority + victims.length * PRIORITY_OFFSET,
    count: victims.length,
    // The later, the cheaper; who has not started counts as the youngest.
    start: latest_start === null ? Number.NEGATIVE_INFINITY : -Date.parse(latest_start),
  };
}

/** The rule that left one alone; undefined: there was only one, or some are equal to the end. */
export function decidingRule(all: readonly JudgedCandidate[]): number | undefined {
  const last = all.filter(({ fellAt }) => fellAt === undefined).length;
  const fell = all.flatMap(({ fellAt }) => fellAt ?? []);
  return last === 1 && fell.length > 0 ? Math.max(...fell) : undefined;
}

/** The chosen first, then the longer a candidate stayed in. */
export function byStaying(all: readonly JudgedCandidate[], chosen: string): readonly JudgedCandidate[] {
  const stay = ({ candidate, fellAt }: JudgedCandidate) =>
    candidate.node === chosen ? RULES.length + 1 : (fellAt ?? RULES.length);
  return [...all].sort((a, b) => stay(b) - stay(a));
}
