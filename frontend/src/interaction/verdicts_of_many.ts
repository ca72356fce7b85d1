/**
 * Of several pods that are dragged together, one verdict a node.
 *
 * Each pod is asked about by itself: whether all of them fit at once is not known, and the words say so.
 */
import type { NodeVerdict } from "../transport/api_types";

/** So many pods are asked about; further ones only when they are dropped. */
export const MOST_ASKED = 8;

export function togetherOn(answers: readonly (readonly NodeVerdict[])[]): ReadonlyMap<string, NodeVerdict> {
  const byNode = new Map<string, NodeVerdict[]>();
  for (const verdict of answers.flat()) byNode.set(verdict.node, [...(byNode.get(verdict.node) ?? []), verdict]);
  return new Map([...byNode].map(([node, verdicts]) => [node, together(verdicts)]));
}

function together(verdicts: readonly NodeVerdict[]): NodeVerdict {
  const [first] = verdicts;
  if (verdicts.length === 1 && first) return first;
  const rejecting = verdicts.filter(({ fits }) => !fits);
  const worst = rejecting[0] ?? verdicts[0];
  if (!worst) throw new Error("no verdicts");
  // Scores of different pods cannot be added up to a meaning.
  return { ...worst, score: null, rejections: rejecting.flatMap(({ rejections }) => rejections) };
}
